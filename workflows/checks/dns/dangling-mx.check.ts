import type { Candidate } from '../../model/candidate.ts';
import { defineCheck, notApplicable, notRun } from '../contract.ts';
import { isAnswered, recordsOf } from '../names/dns-records.ts';
import { mailNames } from '../names/mail-domain.ts';
import { type Dangling, danglingAt, missingExperiment, missingTargets } from '../names/missing-targets.ts';

/** Whoever registers the domain of the server is given the mail. */
const openToTakeOver = 'CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:U/C:H/I:L/A:L';

/** Mail of a domain is directed to a server whose name does not exist. Source: RFC 5321 §5.1, RFC 2308 §2.1. */
export const danglingMx = defineCheck<Dangling>({
  id: 'dns.dangling-mx',
  title: 'Dangling MX record',
  cwe: 672,
  owasp: 'A02:2025',
  cvss: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:U/C:N/I:N/A:L',
  depth: 'standard',
  risk: 'safe',

  async detect(context) {
    const names = await mailNames(context);
    if ('notApplicable' in names) return names;
    const candidates: Candidate<Dangling>[] = [];
    let servers = 0;
    for (const name of names) {
      const reply = await context.dns.query(name, 'MX');
      if (!isAnswered(reply)) return notRun('unreachable', `The name servers answered ${reply.rcode} for ${name}.`);
      const targets = recordsOf(reply, 'MX').map((data) => data.replace(/^\d+ /, ''));
      servers += targets.length;
      const missing = await missingTargets(context, targets);
      if (missing.length > 0) candidates.push(danglingAt(name, 'MX', missing, openToTakeOver));
    }
    return servers === 0 ? notApplicable(`${names.join(' and ')} names no server for mail.`) : candidates;
  },

  confirm: (_context, { data }) => data && missingExperiment('MX', data),

  explain: {
    description:
      'An MX record of the domain names a mail server that the DNS does not know: the zone which would have the name says that there is none.',
    impact:
      'Senders that come to this record cannot deliver; when it is the only one that is left, mail is delayed and lost. It is graver when the name belongs to somebody else: whoever gets hold of it (registers the lapsed domain, takes the name at the provider) is given mail for the domain, links for new passwords and codes that confirm ownership included, and nothing looks wrong at the owner.',
    sends: 'Nothing to the site: asks DNS for the MX records of the mail domains, and for the address of each server.',
    proves:
      'An MX record names a server that its zone says does not exist; the zone itself is found. Mail is delayed; where the registry denies the domain, an attacker could register it and receive the mail. Nothing was registered.',
    remedy:
      'Take the record out, or correct the name: `example.com. MX 10 mx1.example.com.` (the dot at its end matters: without it many zone files append the domain once more). When the domain of a former provider has lapsed, do it today, then look through the SPF record, DKIM names and aliases for the same provider. A domain that takes no mail says so with `example.com. MX 0 .`',
    references: [
      'RFC 5321 §5.1: https://www.rfc-editor.org/rfc/rfc5321#section-5.1',
      'RFC 7505 (no mail at all): https://www.rfc-editor.org/rfc/rfc7505',
      'CWE-672: https://cwe.mitre.org/data/definitions/672.html',
      'WSTG-CONF-10: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/02-Configuration_and_Deployment_Management_Testing/10-Test_for_Subdomain_Takeover',
    ],
  },
});
