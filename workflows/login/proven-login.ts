import type { Run } from '../core/run.ts';
import type { LoginRecipe } from '../model/login-recipe.ts';
import type { Account } from './account.ts';
import type { LoginMark } from './check-page.ts';

/** What a run knows of a login that it has proven. No secret is in it. */
export type ProvenLogin = LoginMark & {
  name: string;
  account: Account;
  recipe: LoginRecipe;
  /** A form that has to be typed into a browser. */
  inBrowser: boolean;
  /** One session serves all activities of the run. */
  isKept: boolean;
};

const artifactOf = (name: string): string => `identity:${name}`;

export async function rememberLogin(run: Run, proven: ProvenLogin): Promise<void> {
  await run.putArtifact(artifactOf(proven.name), 'application/json', Buffer.from(JSON.stringify(proven)));
}

/** @returns undefined when the login of this name was never proven in this run; a worker of this version wrote it */
export async function recallLogin(run: Run, name: string): Promise<ProvenLogin | undefined> {
  const content = await run.findArtifact(artifactOf(name));
  return content && (JSON.parse(Buffer.from(content).toString('utf8')) as ProvenLogin);
}
