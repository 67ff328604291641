import { idempotencyKeyPattern } from '../../kit/idempotency-key.ts';
import { type Route, routesOf } from '../endpoints.ts';
import { operationOf, pathOf } from './operations.ts';
import { problemSchema } from './refusals.ts';
import { createComponents, type Schema } from './schemas.ts';

const header = (description: string, schema: Schema): Schema => ({ description, schema });

const headers = {
  RequestId: header('Names this request in our logs; quote it when you report a problem.', { type: 'string' }),
  RateLimit: header('What is left of each limit, and seconds until it is whole again.', {
    type: 'string',
    examples: ['"requests";r=117;t=2'],
  }),
  RateLimitPolicy: header('The limits of this key: calls (q) in seconds (w).', {
    type: 'string',
    examples: ['"requests";q=120;w=60'],
  }),
  RetryAfter: header('Seconds after which trying again makes sense.', { type: 'integer', minimum: 1 }),
  Location: header('Where what was made can be read.', { type: 'string', format: 'uri-reference' }),
  IdempotencyReplayed: header('"true" when this is the answer to an earlier request with the same key.', {
    type: 'string',
    enum: ['true'],
  }),
  WwwAuthenticate: header('How to authenticate.', { type: 'string', enum: ['Bearer'] }),
};

const parameters = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description: 'A text of your choice. Repeating a request with the same key within 24 hours gives the same answer.',
    required: false,
    schema: { type: 'string', pattern: idempotencyKeyPattern },
  },
};

const description = [
  'Audits a domain on behalf of an organisation and reports only findings that it has verified.',
  'Times are RFC 3339. Unknown fields and query parameters are refused. Errors are problem details (RFC 9457).',
  'GET is answered to HEAD as well, without a body.',
].join('\n\n');

/** The REST API as an OpenAPI 3.1 document, made of the contract: its routes, messages, options and comments. */
export function openApiDocument(routes: readonly Route[] = routesOf()): Schema {
  const components = createComponents();
  const paths: Record<string, Schema> = {};
  for (const route of routes) {
    const [first] = route;
    const path = pathOf(first);
    paths[path] = { ...paths[path], [first.method.toLowerCase()]: operationOf(route, components) };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Scan Audit', version: '1', description },
    servers: [{ url: '/' }],
    security: [{ key: [] }],
    paths,
    components: {
      schemas: { ...components.all(), Problem: problemSchema() },
      headers,
      parameters,
      securitySchemes: {
        key: { type: 'http', scheme: 'bearer', description: 'An API key: "Authorization: Bearer sa_…".' },
      },
    },
  };
}
