import type { Candidate } from '../../model/candidate.ts';
import { ProbeError } from '../../model/probe-error.ts';
import { fillAction, newTrialValues } from '../../proof/template.ts';
import { type CheckContext, defineCheck } from '../contract.ts';
import { cutRequest, type Desync, desyncExperiment, desyncsAt } from './request-framing.ts';

/** Two servers of a chain see the end of one request at different places. Source: RFC 9112 §11.2, CWE-444, WSTG-INPV-15. */
export const requestSmuggling = defineCheck<Desync>({
  id: 'injection.request-smuggling',
  title: 'HTTP request smuggling',
  cwe: 444,
  owasp: 'A02:2025',
  // That the servers disagree is shown, and not what becomes of others' requests.
  cvss: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:C/C:L/I:L/A:N',
  depth: 'deep',
  risk: 'caution',
  cost: 6,

  async detect(context) {
    const candidates: Candidate<Desync>[] = [];
    for (const { origin } of context.surface.origins) {
      const desync = await firstSilent(context, `${origin}/`);
      if (desync) candidates.push(candidateFor(desync));
    }
    return candidates;
  },

  confirm: (_context, { data }) => data && desyncExperiment(data),

  explain: {
    description:
      'A server in front and one behind it disagree on where a request ends, when it has both Content-Length and Transfer-Encoding. What the one takes for the rest of a request, the other takes for the beginning of the next one on the connection that all visitors share.',
    impact:
      'An attacker puts the beginning of a request before that of the next visitor: they get past what the server in front refuses, take over the requests of others with their cookies, or have a cache keep a page of theirs for everybody.',
    sends:
      'Up to 6 GET requests to each origin with a body of chunks, all of it sent, and two lengths. No request is hidden in them: what remains stays on the connection of the audit, or is an empty line. A server that is affected waits for some seconds, a few times.',
    proves:
      'The same bytes are answered with the one length and get no answer for five seconds with the other, in turns, twice; without the header for chunks they are answered. The servers disagree on the end of a request. No request of others was touched.',
    remedy:
      'Use HTTP/2 up to the application, or current servers, which refuse a request with both fields or take out the length (RFC 9112 §6.3): nginx ≥ 1.21.1, HAProxy ≥ 2.4, Apache httpd ≥ 2.4.52, Node.js without `insecureHTTPParser`, gunicorn ≥ 22. In a proxy of your own, refuse requests with both fields and any Transfer-Encoding but `chunked`, and close the connection.',
    references: [
      'CWE-444: https://cwe.mitre.org/data/definitions/444.html',
      'RFC 9112 §6.3, §11.2: https://www.rfc-editor.org/rfc/rfc9112#section-11.2',
      'HTTP Desync Attacks: https://portswigger.net/research/http-desync-attacks-request-smuggling-reborn',
      'WSTG-INPV-15: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/07-Input_Validation_Testing/15-Testing_for_HTTP_Splitting_Smuggling',
    ],
  },
});

/** One is enough for a server; after one that shows something, the others would not be harmless. */
async function firstSilent(context: CheckContext, url: string): Promise<Desync | undefined> {
  for (const desync of desyncsAt(url)) if (await isSilent(context, desync)) return desync;
  return undefined;
}

/** Servers refuse such a request, or close the connection: only silence says something. */
async function isSilent({ http, nonce }: CheckContext, desync: Desync): Promise<boolean> {
  const filled = fillAction({ http: cutRequest(desync) }, newTrialValues(nonce));
  if (!('http' in filled)) return false;
  try {
    await http.send({ ...filled.http, fresh: true, anyAnswer: true, timeoutMs: 5_000 });
    return false;
  } catch (error) {
    if (!(error instanceof ProbeError)) throw error;
    if (['unreachable', 'protocol_error', 'too_large'].includes(error.code)) return false;
    if (error.code === 'timeout') return true;
    throw error;
  }
}

const candidateFor = (desync: Desync): Candidate<Desync> => ({
  location: { url: desync.url, method: 'GET', parameter: 'Transfer-Encoding', parameterIn: 'header' },
  route: '/',
  detail:
    desync.framing.name === 'CL.TE'
      ? 'CL.TE: the server in front goes by Content-Length, the one behind it by Transfer-Encoding.'
      : 'TE.CL: the server in front goes by Transfer-Encoding, the one behind it by Content-Length.',
  data: desync,
});
