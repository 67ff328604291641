import type { Candidate } from '../../model/candidate.ts';
import { claim } from '../../model/experiment.ts';
import type { Omitted } from '../../model/omission.ts';
import { dkimKeyBits } from '../../proof/dkim-key.ts';
import { type CheckContext, defineCheck, notApplicable } from '../contract.ts';
import { inParallel } from '../inputs/parallel.ts';
import { dnsLocation, isAnswered } from '../names/dns-records.ts';
import { mailNames } from '../names/mail-domain.ts';

type DkimKey = { place: DkimSelector; bits: number };
type DkimSelector = { domain: string; selector: string };

/** Names that mail servers and services give their keys; a name server does not list them. */
const usualSelectors = [
  ...['default', 'dkim', 'mail', 'email', 'smtp', 'mx', 'key1', 'key2', 'selector', 'selector1', 'selector2'],
  ...['s1', 's2', 'k1', 'k2', 'k3', 'sig1', 'google', 'mandrill', 'mailjet', 'mxvault', 'zoho', 'zmail', 'pm', 'mta'],
  ...['fm1', 'fm2', 'fm3', 'protonmail', 'protonmail2', 'protonmail3', 'mimecast', 'sendgrid', 'cm', 'dk', 'x'],
] as const;

const width = 4;
/** Verifiers take a signature of a shorter key as none; those that do not can be deceived. Source: RFC 8301 §3.2. */
const leastBits = 1024;
/** What signers should have. Source: RFC 8301 §3.2, NIST SP 800-131A. */
const recommendedBits = 2048;
/** Nobody is known to have broken one. */
const notBrokenYet = 'CVSS:3.1/AV:N/AC:H/PR:N/UI:R/S:U/C:N/I:N/A:N';

/** The key by which receivers verify mail of the domain is short enough to be computed. Source: RFC 8301 §3.2. */
export const dkimWeak = defineCheck<DkimKey>({
  id: 'mail.dkim-weak',
  title: 'Weak DKIM key',
  cwe: 326,
  owasp: 'A04:2025',
  cvss: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:R/S:U/C:N/I:H/A:N',
  depth: 'standard',
  risk: 'safe',

  async detect(context) {
    const names = await mailNames(context);
    if ('notApplicable' in names) return names;
    const places = names.flatMap((domain) => usualSelectors.map((selector) => ({ domain, selector })));
    const left: Omitted[] = [];
    const looked = await inParallel(places, width, (place) => keyAt(context, place, left));
    const keys = looked.flatMap((one) => one ?? []);
    if (keys.length + left.length === 0)
      return notApplicable(`${names.join(' and ')} has no RSA key under a usual selector.`);
    return { candidates: keys.filter(({ bits }) => bits < recommendedBits).map(asCandidate), omitted: left };
  },

  confirm: (_context, candidate) => {
    const key = candidate.data;
    if (!key) return undefined;
    const { place, bits } = key;
    const isShort = [
      claim(
        'dns:dkim-key-bits',
        'less-than',
        String(bits < leastBits ? leastBits : recommendedBits),
        'RSA key, in bits',
      ),
    ];
    return {
      steps: [
        {
          dns: { name: nameOf(place), type: 'TXT' },
          note: `The key "${place.selector}" of ${place.domain} has ${bits} bits.`,
          expect: isShort,
        },
      ],
      control: [
        {
          dns: { name: nameOf({ ...place, selector: '‹nonce›' }), type: 'TXT' },
          note: 'Under another selector there is no such key: it was published on purpose.',
          expect: isShort,
        },
      ],
    };
  },

  explain: {
    description:
      'The domain publishes a key for signatures of mail (DKIM) that is shorter than 2,048 bits. Keys of 512 bits are factored for a few dollars in an afternoon and keys of 768 bits have been; at 1,024 bits it is thought to be in reach of states, and is reported for information. Selectors cannot be listed, so the usual ones were asked for.',
    impact:
      'Whoever computes the private key from the published one signs mail in the name of the domain. It passes DKIM, and thereby DMARC whatever its policy, at receivers that still accept such keys; the others treat the signature as none, so that honest mail loses its proof.',
    sends: 'Nothing to the site: asks DNS for DKIM keys of the mail domains under 36 usual selectors.',
    proves:
      'The published RSA key has fewer bits than the limit (1,024, or 2,048 as info); a random selector has no such key. Shows a configuration; the key was not computed and no mail was sent.',
    remedy:
      'Make a key of 2,048 bits under a new selector, publish it, let the mail server sign with it, and take the old record out a week later: `opendkim-genkey -b 2048 -s 2026a -d example.com`. With a mail service it is a switch (Microsoft 365: rotate DKIM keys; Google Workspace: “Generate new record”, 2048). A record longer than 255 characters is written as several strings. Delete keys that nothing signs with any more, or revoke them: `old._domainkey TXT "v=DKIM1; p="`.',
    references: [
      'RFC 8301 §3.2: https://www.rfc-editor.org/rfc/rfc8301#section-3.2',
      'RFC 6376 §3.6.1: https://www.rfc-editor.org/rfc/rfc6376#section-3.6.1',
      'CWE-326: https://cwe.mitre.org/data/definitions/326.html',
      'M3AAWG DKIM Key Rotation Best Common Practices: https://www.m3aawg.org/published-documents',
    ],
  },
});

const nameOf = ({ domain, selector }: DkimSelector): string => `${selector}._domainkey.${domain}`;

/** @param left takes what could not be looked up @returns undefined when there is no RSA key */
async function keyAt({ dns }: CheckContext, place: DkimSelector, left: Omitted[]): Promise<DkimKey | undefined> {
  const reply = await dns.query(nameOf(place), 'TXT');
  if (!isAnswered(reply)) {
    const text = `dns_failed at ${dnsLocation(nameOf(place), 'TXT').url}: the name servers answered ${reply.rcode} for ${nameOf(place)}`;
    left.push({ code: 'unreachable', count: 1, text });
    return undefined;
  }
  const bits = dkimKeyBits(reply);
  return bits === undefined ? undefined : { place, bits };
}

function asCandidate(data: DkimKey): Candidate<DkimKey> {
  const { place, bits } = data;
  return {
    location: dnsLocation(nameOf(place), 'TXT'),
    route: place.domain,
    detail: `The key "${place.selector}" of ${place.domain} has ${bits} bits.`,
    ...(bits < leastBits ? {} : { cvss: notBrokenYet }),
    data,
  };
}
