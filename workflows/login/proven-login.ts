import type { Run } from '../core/run.ts';
import { store } from '../core/store.ts';
import type { ProvenLogin } from '../model/proven-login.ts';

export async function rememberLogin(run: Run, proven: ProvenLogin): Promise<void> {
  await store.login.put(run, proven.name, proven);
}

/** @returns undefined when the login of this name was never proven in this run */
export const recallLogin = (run: Run, name: string): Promise<ProvenLogin | undefined> => store.login.find(run, name);
