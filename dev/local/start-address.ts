import { loopbackRules } from './loopback.ts';

const timeoutMs = 5_000;
const redirects: readonly number[] = [301, 302, 303, 307, 308];

/**
 * Where an application of this machine is at home: many lead from one name of the machine to another, as from 127.0.0.1 to localhost.
 * @returns the address itself when it leads to no other host or port of this machine
 */
export async function startAddress(url: URL): Promise<URL> {
  const home = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) }).catch(() => undefined);
  await home?.body?.cancel();
  const location = home && redirects.includes(home.status) ? home.headers.get('location') : null;
  if (location === null || location === undefined || !URL.canParse(location, url)) return url;
  const target = new URL(location, url);
  if (!/^https?:$/.test(target.protocol) || target.host === url.host) return url;
  return loopbackRules(target).then(
    () => target,
    () => url,
  );
}
