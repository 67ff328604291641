import { defineCheck } from '../contract.ts';
import { type Exposed, findExposed, proveExposed } from './exposed-file.ts';

/** A description of an API beside OpenAPI and GraphQL is public. No weakness by itself. Source: WSTG-APIT-01, CWE-200. */
export const apiDocument = defineCheck<Exposed>({
  id: 'exposure.api-document',
  title: 'Exposed API description',
  cwe: 200,
  owasp: 'A02:2025',
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:N',
  depth: 'standard',
  risk: 'safe',
  cost: 5,

  detect: (context) =>
    findExposed(context, 'api-document', { route: '/{api-document}', exceptLinked: true, maxPaths: 2 }),
  confirm: (_context, candidate) => proveExposed(candidate),

  explain: {
    description:
      'A machine-readable description of an API (WSDL, WADL, OData, RAML, AsyncAPI), a console for it, or a collection of calls that developers keep (Postman, Insomnia) can be fetched without logging in.',
    impact:
      'It lists operations with their parameters, internal ones included. Collections of developers often hold the tokens that the calls were tried with. For a public API the description is as it should be.',
    sends:
      'GET requests for the known paths of API descriptions, consoles and collections, and for random names beside those that answer.',
    proves:
      'The answer has the structure of a known kind of API description; a random name beside it is not answered so. An attacker reads operations and parameters. No operation was called.',
    remedy:
      'Decide whether it is meant for everybody. If not, switch it off in production (WCF `httpGetEnabled="false"`, CXF `org.apache.cxf.management.wsdl=false`, Jersey `jersey.config.server.wadl.disableWadl=true`, GraphQL consoles in development only), delete collections from the web root, and revoke the tokens in them.',
    references: [
      'CWE-200: https://cwe.mitre.org/data/definitions/200.html',
      'OWASP API9:2023 Improper Inventory Management: https://owasp.org/API-Security/editions/2023/en/0xa9-improper-inventory-management/',
    ],
  },
});
