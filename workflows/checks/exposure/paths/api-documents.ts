import { claim } from '../../../model/experiment.ts';
import { type ExposedPath, grave, inBody, notPage, pageOf, type Reading } from './entry.ts';

const check = 'api-document';

const collection = [
  inBody('"schema"\\s*:\\s*"https://schema\\.getpostman\\.com/json/collection/v\\d|"_type"\\s*:\\s*"export"'),
  claim('body:settings:json', 'matches', '(?m)^(?:item\\.|resources\\.)'),
];

const postman: readonly Reading[] = [
  {
    holds: 'a collection of API calls with secrets in it',
    claims: [
      ...collection,
      claim('body:settings:json', 'matches', '(?m)^(?:.*\\.)?auth\\.(?:bearer|basic|apikey)\\.value$'),
      inBody('"(?:token|password)"\\s*,\\s*"value"\\s*:\\s*"[^"{\\s]'),
      notPage,
    ],
    cvss: grave,
  },
  { holds: 'a collection of API calls', claims: collection },
];

/** Descriptions of an API beside OpenAPI and GraphQL. */
export const apiDocuments: readonly ExposedPath[] = [
  {
    check,
    paths: [
      'postman_collection.json',
      'collection.json',
      'api.postman_collection.json',
      'postman.json',
      'docs/postman_collection.json',
      '{name}.postman_collection.json',
      'insomnia.json',
    ],
    readings: postman,
  },
  {
    check,
    paths: ['application.wadl', 'api/application.wadl', 'rest/application.wadl', 'ws/rest/application.wadl'],
    stacks: ['java'],
    readings: [
      pageOf('the description of a REST service (WADL)', [
        '<application\\b[^>]{0,300}http://wadl\\.dev\\.java\\.net',
        '<resources\\b',
      ]),
    ],
  },
  {
    check,
    paths: ['services', 'services/', 'ws/', 'axis/services', 'axis2/services/listServices'],
    stacks: ['java', 'tomcat'],
    readings: [
      pageOf('the list of SOAP services', [
        '(?i)<title>(?:CXF - Service list|Axis2?:? ?(?:List Services|And now)|List Services)',
        '\\?wsdl',
      ]),
    ],
  },
  {
    check,
    paths: ['$metadata', 'odata/$metadata', 'api/$metadata', 'odata/v4/$metadata'],
    stacks: ['dotnet', 'iis'],
    readings: [pageOf('the data model of an OData service', ['<edmx:Edmx\\b', '<EntityType\\b'])],
  },
  {
    check,
    paths: [
      '?wsdl',
      'service.asmx?WSDL',
      'Service.svc?wsdl',
      'soap?wsdl',
      'api/soap?wsdl',
      'api/v2_soap?wsdl=1',
      'ws?wsdl',
    ],
    stacks: ['dotnet', 'java', 'magento'],
    readings: [
      pageOf('the description of a SOAP service (WSDL)', ['<(?:wsdl:)?definitions\\b', '<(?:wsdl:)?portType\\b']),
    ],
  },
  {
    check,
    paths: ['graphiql', 'playground', 'altair', 'voyager', 'graphql/playground', 'api/graphiql'],
    readings: [
      pageOf('a console for GraphQL', [
        '(?i)<title>(?:GraphiQL|GraphQL Playground|Altair|GraphQL Voyager|Apollo (?:Sandbox|Server))',
        '(?i)graphiql|playground|altair|voyager|sandbox',
      ]),
    ],
  },
  {
    check,
    paths: ['asyncapi.json', 'asyncapi.yaml', 'asyncapi.yml'],
    readings: [
      {
        holds: 'the description of a message API',
        claims: [inBody('(?m)^\\s*"?asyncapi"?\\s*:\\s*["\']?[23]\\.'), inBody('(?m)"?channels"?\\s*:'), notPage],
      },
    ],
  },
  {
    check,
    paths: ['api.raml', 'docs/api.raml'],
    readings: [{ holds: 'the description of an API in RAML', claims: [inBody('^#%RAML (?:0\\.8|1\\.0)\\s'), notPage] }],
  },
  {
    check,
    paths: ['api.http', 'requests.http', 'rest.http', 'api.rest'],
    readings: [
      {
        holds: 'API calls of the developers',
        claims: [inBody('(?m)^###'), inBody('(?m)^(?:GET|POST|PUT|PATCH|DELETE) (?:https?://|\\{\\{|/)'), notPage],
      },
    ],
  },
];
