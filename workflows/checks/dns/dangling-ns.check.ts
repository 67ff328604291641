import type { Candidate } from '../../model/candidate.ts';
import { defineCheck } from '../contract.ts';
import { type Dangling, danglingAt, missingExperiment, missingTargets } from '../names/missing-targets.ts';
import { ownServedZones } from './name-servers.ts';

/** Whoever registers the domain of the server answers for the zone, as often as resolvers come to it. */
const openToTakeOver = 'CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:U/C:H/I:H/A:H';

/** A zone names a name server that does not exist. Source: RFC 1912 §2.8, RFC 2308 §2.1. */
export const danglingNs = defineCheck<Dangling>({
  id: 'dns.dangling-ns',
  title: 'Dangling NS record',
  cwe: 672,
  owasp: 'A02:2025',
  cvss: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:U/C:N/I:N/A:L',
  depth: 'standard',
  risk: 'safe',

  async detect(context) {
    const zones = await ownServedZones(context);
    if (!Array.isArray(zones)) return zones;
    const candidates: Candidate<Dangling>[] = [];
    for (const { zone, servers } of zones) {
      const missing = await missingTargets(context, servers);
      if (missing.length > 0) candidates.push(danglingAt(zone, 'NS', missing, openToTakeOver));
    }
    return candidates;
  },

  confirm: (_context, { data }) => data && missingExperiment('NS', data),

  explain: {
    description:
      'One of the name servers that the zone names for itself does not exist: the zone which would have its name says that there is none. The others still answer, so nobody notices.',
    impact:
      'Resolvers that come to this server first have to try again, and with one server less the domain is closer to being gone altogether. It is graver when the name belongs to somebody else: whoever gets hold of it (registers the lapsed domain, takes the name at the provider) answers for the domain as often as resolvers come to them, sends visitors and mail wherever they like, and is given certificates for it.',
    sends:
      'Nothing to the site: asks DNS for the NS records of the domain’s zones, and for the address of each server.',
    proves:
      'An NS record names a server that its zone says does not exist; the zone itself is found. Where the registry denies the server’s domain, an attacker could register it and answer for the zone. Nothing was registered.',
    remedy:
      'Take the server out in both places: the NS records of the zone and the delegation at the registrar, which have to name the same servers (`dig NS example.com` and `dig +trace NS example.com`). When it is misspelt, correct it (the dot at the end of a name matters in zone files). Keep two servers at least, in different networks, and change the delegation before a provider is given notice, not after.',
    references: [
      'RFC 1912 §2.8 (lame delegations): https://www.rfc-editor.org/rfc/rfc1912#section-2.8',
      'RFC 2182 (choice of secondary servers): https://www.rfc-editor.org/rfc/rfc2182',
      'CWE-672: https://cwe.mitre.org/data/definitions/672.html',
      'WSTG-CONF-10: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/02-Configuration_and_Deployment_Management_Testing/10-Test_for_Subdomain_Takeover',
    ],
  },
});
