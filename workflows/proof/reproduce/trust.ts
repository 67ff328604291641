import type { TlsProbe } from '../../model/tls.ts';
import type { Trial } from '../trial.ts';
import type { ScriptContext } from './script-context.ts';

/** Origins of the trial whose certificate a client would refuse. */
export async function untrustedOrigins(trial: Pick<Trial, 'steps'>, context: ScriptContext): Promise<Set<string>> {
  const recipes = Object.values(context.identities).flatMap(({ recipe }) => recipe?.steps ?? []);
  const urls = [...trial.steps.map(({ action }) => urlOf(action)), ...recipes.map(({ url }) => url)];
  const origins = new Set(urls.filter((url) => url.startsWith('https:')).map((url) => new URL(url).origin));
  const untrusted = new Set<string>();
  for (const origin of origins) if (await isUntrusted(origin, context.tls)) untrusted.add(origin);
  return untrusted;
}

const urlOf = (action: Trial['steps'][number]['action']): string =>
  'http' in action ? action.http.url : 'browser' in action ? action.browser.url : '';

async function isUntrusted(origin: string, tls: TlsProbe): Promise<boolean> {
  const { hostname, port } = new URL(origin);
  try {
    const { isPubliclyTrusted } = await tls.handshake({ host: hostname, port: Number(port || 443) });
    return !isPubliclyTrusted;
  } catch {
    // The proof stands; the commands alone may need an option more.
    return false;
  }
}
