import type { ProvenLogin } from '../model/proven-login.ts';
import type { Run } from '../run/run.ts';
import { store } from '../run/store.ts';

export async function rememberLogin(run: Run, proven: ProvenLogin): Promise<void> {
  await store.login.put(run, proven.name, proven);
}

/** @returns undefined when the login of this name was never proven in this run */
export const recallLogin = (run: Run, name: string): Promise<ProvenLogin | undefined> => store.login.find(run, name);
