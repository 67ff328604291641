import dns from 'node:dns';
import { registerHooks } from 'node:module';
import { setDefaultCACertificates } from 'node:tls';

/** What the MDN HTTP Observatory says of a site, by the name of each of its tests. */
export type Opinions = Record<string, { pass: boolean; result: string }>;

type Ports = { httpPort: number; httpsPort: number };
type Retrieved = { responses: { auto: object | null } };
type Opinion = { pass: boolean; result: string; constructor: { name: string } };

/**
 * The real Observatory, which asks and judges as it does for the public; it finds names on loopback and trusts one authority.
 * @param authority PEM
 */
export async function openObservatory(
  authority: string,
): Promise<{ opinionsOn(host: string, ports: Ports): Promise<Opinions>; close(): void }> {
  setDefaultCACertificates([authority]);
  // Its list of preloaded names is fetched when it is installed; no name of a test stands there.
  const hooks = registerHooks({
    load: (url, context, next) =>
      url.endsWith('/src/analyzer/hsts.js')
        ? { format: 'module', source: 'export const isHstsPreloaded = () => null;', shortCircuit: true }
        : next(url, context),
  });
  const names = onLoopback();
  const [retrieve, tests] = await load();
  hooks.deregister();
  return {
    async opinionsOn(host, ports) {
      const retrieved = await retrieve(host, ports);
      if (!retrieved.responses.auto) throw new Error(`the Observatory cannot reach ${host}`);
      const opinions = tests.map((test) => test(retrieved));
      return Object.fromEntries(
        opinions.map((each) => [each.constructor.name, { pass: each.pass, result: each.result }]),
      );
    },
    close: names.restore,
  };
}

async function load(): Promise<
  [retrieve: (host: string, ports: Ports) => Promise<Retrieved>, tests: ((retrieved: Retrieved) => Opinion)[]]
> {
  // It has no types.
  const from = (file: string): string => import.meta.resolve(`@mdn/mdn-http-observatory/src/${file}`);
  const { retrieve } = await import(from('retriever/retriever.js'));
  const { ALL_TESTS } = await import(from('constants.js'));
  return [retrieve, ALL_TESTS];
}

function onLoopback(): { restore(): void } {
  const { lookup } = dns;
  const local = (_host: string, options: dns.LookupOptions, done: (...answer: unknown[]) => void) =>
    options.all ? done(null, [{ address: '127.0.0.1', family: 4 }]) : done(null, '127.0.0.1', 4);
  Object.assign(dns, { lookup: local });
  return { restore: () => void Object.assign(dns, { lookup }) };
}
