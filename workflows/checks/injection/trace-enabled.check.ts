import type { Candidate } from '../../model/candidate.ts';
import { claim, type Experiment, type HttpAction, type Step } from '../../model/experiment.ts';
import { fillAction, newTrialValues } from '../../proof/template.ts';
import { type CheckContext, defineCheck } from '../contract.ts';

type Tracing = { url: string };

/** The server answers TRACE with the request as it arrived. Source: RFC 9110 §9.3.8, CWE-16. */
export const traceEnabled = defineCheck<Tracing>({
  id: 'injection.trace-enabled',
  title: 'HTTP TRACE method enabled',
  cwe: 16,
  owasp: 'A02:2025',
  // No browser has sent TRACE for a page for many years; it helps to look behind a proxy.
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:N',
  depth: 'standard',
  risk: 'safe',

  async detect(context) {
    const candidates: Candidate<Tracing>[] = [];
    for (const { origin } of context.surface.origins) {
      const url = `${origin}/`;
      if (await repeats(context, url))
        candidates.push({ location: { url, method: 'TRACE' }, route: '/', data: { url } });
    }
    return candidates;
  },

  confirm: (_context, { data }) => data && experimentFor(data),

  explain: {
    description:
      'The method TRACE is for diagnosis: the server sends back the request as it arrived, headers included. It is on by default in some servers, and of no use to visitors.',
    impact:
      'Headers that a proxy adds on the way (internal addresses, tokens between the proxy and the application) are shown to whoever asks. Cookies that script may not read were once stolen in this way; browsers of today do not send the method.',
    sends: 'A TRACE request with a random header to each origin, and a GET with the same header.',
    proves:
      'The answer to TRACE is the request with the random header; GET is not answered so. Shows a configuration; no attack was made.',
    remedy:
      'Switch it off. Apache: `TraceEnable Off`. IIS: refuse the verb TRACE in Request Filtering. Tomcat and Jetty: leave `allowTrace` at false. nginx refuses it by itself; an application behind it may not.',
    references: [
      'RFC 9110 §9.3.8: https://www.rfc-editor.org/rfc/rfc9110#section-9.3.8',
      'WSTG-CONF-06: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/02-Configuration_and_Deployment_Management_Testing/06-Test_HTTP_Methods',
      'CWE-16: https://cwe.mitre.org/data/definitions/16.html',
    ],
  },
});

const action = (url: string, method: string): HttpAction => ({
  method,
  url,
  headers: [['X-‹nonce›', '‹nonce2›']],
});

async function repeats({ http, nonce }: CheckContext, url: string): Promise<boolean> {
  const values = newTrialValues(nonce);
  const filled = fillAction({ http: action(url, 'TRACE') }, values);
  if (!('http' in filled)) return false;
  const { status, text } = await http.send(filled.http);
  const { nonce: name = '', nonce2: value = '' } = values.all();
  return status === 200 && text.startsWith('TRACE ') && text.toLowerCase().includes(`x-${name}: ${value}`);
}

function experimentFor({ url }: Tracing): Experiment {
  const step = (method: string, note: string): Step => ({
    http: action(url, method),
    note,
    expect: [
      claim('status', 'equals', '200'),
      claim(
        'body',
        'matches',
        '(?i)^TRACE \\S+ HTTP/[\\d.]+\\r?\\n(?s:.*\\n)?x-‹nonce›: ?‹nonce2›',
        'It is our request.',
      ),
    ],
  });
  return {
    steps: [step('TRACE', 'The answer is the request, with the header that only we sent.')],
    control: [step('GET', 'An ordinary request is not sent back.')],
  };
}
