import { claim } from '../../model/experiment.ts';
import { ProbeError } from '../../model/probe-error.ts';
import { type CheckContext, defineCheck, notApplicable, notRun } from '../contract.ts';
import { publicNameOf } from '../names/public-name.ts';
import { plainPage } from './plain-page.ts';

type PlainSite = { url: string; host: string };

const httpsPort = 443;

/** A site is shown over http, and its host takes no connections for HTTPS. Source: RFC 9110 §4.2.2, RFC 9325 §3.2. */
export const httpsMissing = defineCheck<PlainSite>({
  id: 'tls.https-missing',
  title: 'HTTPS not available',
  cwe: 319,
  owasp: 'A04:2025',
  cvss: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:U/C:L/I:L/A:N',
  depth: 'standard',
  risk: 'safe',

  async detect(context) {
    const { surface, http } = context;
    if (surface.origins.some(({ scheme }) => scheme === 'https')) return [];
    const name = publicNameOf(surface);
    if ('notApplicable' in name) return name;
    const [plain] = surface.origins;
    if (plain?.port !== 80)
      return notApplicable('Only one port of the host is audited, which is not where HTTPS would be.');
    const page = await plainPage(http, plain);
    if (!page) return [];
    const failure = await failureOf(context, plain.host);
    // Whoever speaks any TLS there has HTTPS, though pages may not be had by it here.
    if (failure === undefined) return [];
    if (failure === 'tls_failed')
      return notRun(
        'unclear',
        'The port for HTTPS takes connections, but no handshake came about, so what it offers is not known.',
      );
    if (failure !== 'unreachable')
      return notRun('unreachable', `The port for HTTPS could not be looked at: ${failure}.`);
    const { url } = page.request;
    return [{ location: { url }, route: '/', data: { url, host: plain.host } }];
  },

  confirm: (_context, { data }) => {
    if (!data) return undefined;
    return {
      steps: [
        {
          http: { url: data.url },
          note: 'The site is shown over http.',
          isShown: true,
          expect: [claim('status', 'matches', '^2'), claim('header:location', 'absent')],
        },
        {
          tls: { host: data.host, port: httpsPort },
          note: 'The same host takes no connections on the port for HTTPS.',
          expect: [claim('tls:failure', 'equals', 'unreachable')],
        },
      ],
      control: [
        {
          http: { url: data.url },
          note: 'The host itself is there: its port for http does answer.',
          expect: [claim('status', 'absent')],
        },
      ],
    };
  },

  explain: {
    description:
      'The site is shown over http, and the host does not take connections on port 443, where HTTPS would be. So nobody can reach it with encryption, even who wants to.',
    impact:
      'Everybody on the way (an open Wi-Fi, an access provider, a hostile router) reads what visitors look at and send, passwords and cookies included, and can change the pages: put in script, forms or downloads. Browsers mark the site as not secure and refuse it many features.',
    sends: 'Requests the home page over http, and opens a connection to port 443 for a TLS handshake.',
    proves:
      'The site shows a page over http, and port 443 of the host takes no connection; the host itself answers. An attacker on the network reads and changes everything. No traffic was intercepted.',
    remedy:
      'Get a certificate, which costs nothing with ACME, and serve the site over HTTPS: `certbot --nginx -d example.com -d www.example.com`, `certbot --apache`, or a server that does it by itself such as Caddy (`example.com { reverse_proxy localhost:3000 }`). Hosting companies and CDNs offer it as a switch. Open port 443 in firewall and security group. Then redirect http to it and add Strict-Transport-Security.',
    references: [
      'RFC 9325 §3.2: https://www.rfc-editor.org/rfc/rfc9325#section-3.2',
      'CWE-319: https://cwe.mitre.org/data/definitions/319.html',
      'WSTG-CRYP-03: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/09-Testing_for_Weak_Cryptography/03-Testing_for_Sensitive_Information_Sent_via_Unencrypted_Channels',
      'RFC 8555 (ACME): https://www.rfc-editor.org/rfc/rfc8555',
    ],
  },
});

/** Why no handshake comes about; undefined when one does. */
async function failureOf({ tls }: CheckContext, host: string): Promise<string | undefined> {
  try {
    await tls.presented({ host, port: httpsPort });
    return undefined;
  } catch (error) {
    if (error instanceof ProbeError) return error.code;
    throw error;
  }
}
