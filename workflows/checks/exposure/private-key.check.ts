import { defineCheck } from '../contract.ts';
import { type Exposed, findExposed, proveExposed } from './exposed-file.ts';

/** A private key is served. It is parsed, and never used. Source: CWE-312, WSTG-CONF-04. */
export const privateKey = defineCheck<Exposed>({
  id: 'exposure.private-key',
  title: 'Exposed private key',
  cwe: 312,
  owasp: 'A04:2025',
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N',
  depth: 'standard',
  risk: 'safe',
  cost: 35,

  detect: (context) => findExposed(context, 'private-key'),
  confirm: (_context, candidate) => proveExposed(candidate),

  explain: {
    description:
      'The web server gives out a file with a private key. It was parsed, not only recognised by its name, and it was used for nothing.',
    impact:
      'With the key of a certificate others can pose as the site and read recorded or diverted traffic; with a key of SSH they log in to servers; with a key that signs tokens they make sessions of any user. A passphrase only delays that.',
    sends:
      'GET requests for the known paths of private keys and key stores, and for random names beside those that answer.',
    proves:
      'The file parses as a private key; a random name beside it is not answered with one. An attacker has the key. What it is for, and whether it is in use, is not shown; it is never used.',
    remedy:
      'Replace the key: revoke the certificate and issue one with a new key (`certbot revoke --reason keycompromise`), remove the public key from every `authorized_keys`, roll the signing key. Then move keys to where the web server never looks (`/etc/ssl/private`, mode 0600), and refuse such names: nginx `location ~* \\.(?:key|pem|p12|pfx|jks|ppk)$ { return 404; }`.',
    references: [
      'CWE-312: https://cwe.mitre.org/data/definitions/312.html',
      'WSTG-CONF-04: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/02-Configuration_and_Deployment_Management_Testing/04-Review_Old_Backup_and_Unreferenced_Files_for_Sensitive_Information',
      'RFC 5280, revocation for key compromise: https://www.rfc-editor.org/rfc/rfc5280#section-5.3.1',
    ],
  },
});
