import type { SessionState } from '../trial.ts';
import type { ShellSession } from './shell-sessions.ts';

/** A session of the trial, and the reader's own in its place. */
export type BookedSession = {
  key: string;
  identity: string;
  /** What it holds: of one of the trial's own, right after the login. */
  session: SessionState;
  /** Gives it its variables; its lines come when it is opened. */
  inShell(): ShellSession;
};
