import type { DatabaseSync } from 'node:sqlite';
import type { ApiTokens } from './api-tokens.ts';
import type { LoginLimit } from './login-limit.ts';
import type { PartnerPasses } from './partner-passes.ts';
import type { DemoSessions } from './sessions.ts';
import type { Weaknesses } from './weaknesses.ts';

/** What all pages share. */
export type Shop = {
  weaknesses: Weaknesses;
  database: DatabaseSync;
  sessions: DemoSessions;
  passes: PartnerPasses;
  tokens: ApiTokens;
  loginLimit: LoginLimit;
  /** The deployed site. */
  siteFolder: string;
  secret: string;
};
