import { isIP } from 'node:net';
import { claim, type Step } from '../../model/experiment.ts';
import type { Exchange, HttpProbe } from '../../model/http.ts';
import { ProbeError } from '../../model/probe-error.ts';
import { locationOf } from '../../probe/http/exchange.ts';
import { firstMatch } from '../../proof/pattern.ts';
import { defineCheck, notApplicable } from '../contract.ts';
import { siteRoots } from '../pages/folders.ts';

type MissingFile = { urls: string[] /** A header that the last answer has. */; otherHeader: string };

/** The place of the standard, and the one from before it. Source: RFC 9116 §3. */
const paths = ['.well-known/security.txt', 'security.txt'] as const;

const maxRedirects = 3;

/** The one field besides Expires that has to be there. Source: RFC 9116 §2.5.3. */
const contact = '(?im)^Contact: *(?:https?|mailto|tel):';

/** Nothing says to whom a weakness can be reported. No weakness by itself. Source: RFC 9116. */
export const securityTxtMissing = defineCheck<MissingFile>({
  id: 'exposure.security-txt-missing',
  title: 'Missing security.txt',
  cwe: 1059,
  owasp: 'A02:2025',
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:N',
  depth: 'standard',
  risk: 'safe',

  async detect({ surface, http }) {
    if (isIP(surface.host.replace(/^\[|\]$/g, ''))) return notApplicable('The host is an address without a name.');
    // The file is for the name, whatever port or scheme the site is asked on.
    const [root] = siteRoots(surface);
    if (root === undefined) return [];
    const hops: Exchange[] = [];
    for (const path of paths) {
      const walked = await hopsFrom(http, root + path);
      const last = walked.at(-1);
      if (!last || isThereOrElsewhere(last)) return [];
      hops.push(...walked);
    }
    // Both may lead to the same page: it is shown once, and last, since the control asks for it.
    const urls = [...new Set(hops.toReversed().map(({ request }) => request.url))].toReversed();
    const otherHeader = hops.at(-1)?.headers[0]?.[0];
    if (otherHeader === undefined) return [];
    return [{ location: { url: root + paths[0] }, route: '/.well-known/security.txt', data: { urls, otherHeader } }];
  },

  confirm: (_context, { data }) => {
    const last = data?.urls.at(-1);
    if (!data || last === undefined) return undefined;
    const step = (url: string): Step => ({
      http: { url },
      note: 'There is no file with a contact at this place.',
      isShown: true,
      expect: [claim('status', 'less-than', '500'), claim('body', 'not-matches', contact)],
    });
    return {
      steps: data.urls.map(step),
      control: [
        {
          http: { url: last },
          note: 'A header that the same answer has is not taken for absent.',
          expect: [claim(`header:${data.otherHeader.toLowerCase()}`, 'absent')],
        },
      ],
    };
  },

  explain: {
    description:
      'The site has no file "/.well-known/security.txt", in which people who find a weakness look up where to report it.',
    impact:
      'None by itself. Yet reports reach the wrong people, late or not at all, and some are published because nobody answered.',
    sends: 'GET requests for `/.well-known/security.txt` and `/security.txt`.',
    proves:
      'Neither place has a file with a contact; a header of the same answer is not taken for absent. Shows a configuration; no attack was made.',
    remedy:
      'Serve a text file at https://example.com/.well-known/security.txt with at least `Contact: mailto:security@example.com` and `Expires: 2027-01-01T00:00:00Z` (less than a year ahead), and renew it in time. Somebody has to read what arrives at the address.',
    references: [
      'RFC 9116: https://www.rfc-editor.org/rfc/rfc9116',
      'A form that writes the file: https://securitytxt.org/',
      'ISO/IEC 29147, vulnerability disclosure: https://www.iso.org/standard/72311.html',
    ],
  },
});

/** Each hop by itself, so that a page that both places lead to is asked for once. A hop that may not be asked for is the end. */
async function hopsFrom(http: HttpProbe, start: string): Promise<Exchange[]> {
  const hops = [await http.get(start)];
  for (const hop of hops) {
    const { url } = hop.request;
    const target = URL.parse(locationOf(hop) ?? '', url);
    if (hops.length > maxRedirects || target?.host !== new URL(url).host) break;
    const next = await http.get(target.href).catch(unlessRefused);
    if (next) hops.push(next);
  }
  return hops;
}

function unlessRefused(error: unknown): undefined {
  if (!(error instanceof ProbeError && error.code === 'refused')) throw error;
}

/** A server that is out of order, asks who it is or leads to another host says nothing about the file. */
function isThereOrElsewhere({ status, text }: Exchange): boolean {
  if (status >= 500 || status === 401 || status === 403 || status === 429) return true;
  return (status >= 300 && status < 400) || firstMatch(contact, text) !== undefined;
}
