import type { OpenProbes } from '../probe/open.ts';
import { ProbeError } from '../probe/types.ts';

/**
 * The same instruments, which refuse the paths that the org has excluded, whatever asks for them.
 * @param prefixes of paths, for instance "/admin"
 */
export function sparing(prefixes: readonly string[], probes: OpenProbes): OpenProbes {
  if (prefixes.length === 0) return probes;
  const { http, browser } = probes;
  const refuse = (url: string) => {
    if (!URL.canParse(url)) return;
    const { pathname } = new URL(url);
    const prefix = prefixes.find((excluded) => pathname.startsWith(excluded));
    if (prefix !== undefined) throw new ProbeError('out_of_scope', `the org excluded ${prefix} from the audit`);
  };
  return {
    ...probes,
    http: {
      newJar: () => http.newJar(),
      send: async (request) => {
        refuse(request.url);
        return http.send(request);
      },
      get: async (url, options) => {
        refuse(url);
        return http.get(url, options);
      },
    },
    browser: {
      unavailable: () => browser.unavailable(),
      visit: async (visit) => {
        refuse(visit.url);
        return browser.visit(visit);
      },
      signIn: async (signIn) => {
        refuse(signIn.url);
        return browser.signIn(signIn);
      },
    },
  };
}
