import type { Candidate } from '../../model/candidate.ts';
import { claim } from '../../model/experiment.ts';
import { isFinal, ProbeError } from '../../model/probe-error.ts';
import type { SmtpLook } from '../../model/smtp.ts';
import { isLocalhost } from '../../probe/dns/names.ts';
import { escapePattern } from '../../proof/pattern.ts';
import { type CheckContext, type Detected, defineCheck, notApplicable, notRun } from '../contract.ts';
import { atMost } from '../inputs/at-most.ts';
import { inParallel } from '../inputs/parallel.ts';
import { dnsLocation, isAnswered, recordsOf } from '../names/dns-records.ts';
import { mailNames } from '../names/mail-domain.ts';
import { omittedBy } from '../omitted.ts';

type MailServer = { domain: string; server: string };
type PlainMailServer = { place: MailServer; startTls: Exclude<SmtpLook['startTls'], 'done'> };
type MailServerLook = { place: MailServer } & ({ look: SmtpLook } | { failure: ProbeError });

/** The first by preference; large providers name five. */
const maxServers = 10;
const width = 2;

/** A server that takes mail for the domain does not encrypt it. Source: RFC 3207, RFC 7435. */
export const starttlsMissing = defineCheck<PlainMailServer>({
  id: 'mail.starttls-missing',
  title: 'Mail server without STARTTLS',
  cwe: 319,
  owasp: 'A04:2025',
  cvss: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:U/C:H/I:N/A:N',
  depth: 'standard',
  risk: 'safe',

  async detect(context) {
    const names = await mailNames(context);
    if ('notApplicable' in names) return names;
    const [domain = ''] = names;
    if (isLocalhost(domain)) return notApplicable('Nobody sends mail to a name of this machine.');
    const places: MailServer[] = [];
    for (const name of names) {
      const reply = await context.dns.query(name, 'MX');
      if (!isAnswered(reply)) return notRun('unreachable', `The name servers answered ${reply.rcode} for ${name}.`);
      places.push(
        ...atMost(context, serversOf(recordsOf(reply, 'MX')), maxServers, 'mail servers').map((server) => ({
          domain: name,
          server,
        })),
      );
    }
    if (places.length === 0) return notApplicable(`${names.join(' and ')} names no server for mail.`);
    return judge(await inParallel(places, width, (place) => lookAt(context, place)));
  },

  confirm: (_context, candidate) => {
    const plain = candidate.data;
    if (!plain) return undefined;
    const { place, startTls } = plain;
    const { domain, server } = place;
    return {
      steps: [
        {
          dns: { name: domain, type: 'MX' },
          note: `${server} takes mail for ${domain}.`,
          expect: [claim('dns:answers', 'matches', `(?im)^\\d+ ${escapePattern(server)}\\.?$`)],
        },
        { smtp: { host: server }, note: words[startTls], expect: [claim('smtp:starttls', 'equals', startTls)] },
      ],
      control: [
        {
          smtp: { host: server },
          note: 'It is a mail server, and it does list its extensions.',
          expect: [claim('smtp:extensions', 'absent')],
        },
      ],
    };
  },

  explain: {
    description:
      'A server that the MX records of the domain name takes mail over connections in clear text alone: it does not offer STARTTLS, or offers it and comes to no handshake. We greeted it, looked at what it announces, and said goodbye; no mail was sent. Its certificate was not judged, since senders do not look at it without MTA-STS or DANE.',
    impact:
      'All mail to the domain passes in clear text through every network between the sender’s server and this one, and can be read there: links for new passwords, invoices, contracts. Large senders mark such mail (Gmail shows a red padlock) or refuse to deliver it, and rules for personal and payment data forbid it.',
    sends:
      'Asks DNS for MX records; connects to up to 4 mail servers of each mail domain on port 25, says EHLO and begins TLS where it is offered. No mail is sent.',
    proves:
      'A mail server does not offer STARTTLS, refuses it, or completes no handshake; it does list its other extensions. An attacker on the network can read mail to the domain. None was intercepted.',
    remedy:
      'Switch it on; a certificate of a public authority is best, one made by oneself is better than none. Postfix: `smtpd_tls_security_level = may` with `smtpd_tls_chain_files = /etc/ssl/private/mx.pem`. Exim: `tls_advertise_hosts = *`, `tls_certificate`, `tls_privatekey`. Exchange: a certificate for the receive connector, assigned to SMTP. Firewalls that “inspect” SMTP take the offer out (Cisco: `no inspect esmtp`). Check with `openssl s_client -starttls smtp -connect mx1.example.com:25`. Then publish MTA-STS, so that nobody on the way can take the offer out.',
    references: [
      'RFC 3207: https://www.rfc-editor.org/rfc/rfc3207',
      'RFC 8461 (MTA-STS): https://www.rfc-editor.org/rfc/rfc8461',
      'CWE-319: https://cwe.mitre.org/data/definitions/319.html',
      'M3AAWG TLS for Mail: https://www.m3aawg.org/published-documents',
    ],
  },
});

const words = {
  'not-offered': 'It does not offer to encrypt.',
  refused: 'It offers to encrypt, and refuses to begin.',
  failed: 'It offers to encrypt, and comes to no handshake in any version of TLS.',
} as const;

/** In the order of senders; "." says that there is none (RFC 7505). */
const serversOf = (records: readonly string[]): string[] =>
  records
    .map((data) => /^(?<preference>\d+) (?<server>\S*?)\.?$/.exec(data)?.groups)
    .toSorted((a, b) => Number(a?.preference) - Number(b?.preference))
    .flatMap((groups) => groups?.server?.toLowerCase() || []);

async function lookAt({ smtp }: CheckContext, place: MailServer): Promise<MailServerLook> {
  try {
    return { place, look: await smtp.look(place.server) };
  } catch (error) {
    if (!(error instanceof ProbeError) || error.code === 'canceled' || isFinal(error)) throw error;
    return { place, failure: error };
  }
}

function judge(reported: readonly MailServerLook[]): Detected<PlainMailServer> {
  const failures = reported.flatMap((one) => ('failure' in one ? [one] : []));
  const [first] = failures;
  if (first && failures.length === reported.length) {
    if (failures.every(({ failure }) => failure.code === 'forbidden_address'))
      return notApplicable(`No mail server is at an address that may be audited: ${first.failure.message}.`);
    return first.failure.code === 'turned_off'
      ? notRun('instrument_off', `No mail server was asked: ${first.failure.message}.`)
      : notRun(
          'unreachable',
          `No mail server could be asked: ${first.failure.message}. Many networks close TCP port 25 to the outside; where yours does, the worker’s MAIL_PORT=0 leaves this check out.`,
        );
  }
  // One that takes no connection takes no mail either.
  const unheard = failures.filter(({ failure }) => failure.code === 'timeout' || failure.code === 'protocol_error');
  return {
    candidates: reported.flatMap((one) =>
      'look' in one && one.look.startTls !== 'done'
        ? [candidateOf({ place: one.place, startTls: one.look.startTls })]
        : [],
    ),
    omitted: unheard.map(({ place: { domain, server }, failure }) =>
      omittedBy(failure, 1, `${failure.code} at ${dnsLocation(domain, 'MX', server).url}: ${failure.message}`),
    ),
  };
}

const candidateOf = (data: PlainMailServer): Candidate<PlainMailServer> => ({
  location: dnsLocation(data.place.domain, 'MX', data.place.server),
  route: data.place.domain,
  detail: `${data.place.server}: ${words[data.startTls]}`,
  data,
});
