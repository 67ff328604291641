import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { default as formats } from 'ajv-formats';
import { openApiDocument } from '../../../gateway/openapi/document.ts';

type Named = { $ref?: string };
type Response = Named & { headers?: Record<string, Named>; content?: Record<string, { schema: object }> };
type Operation = { responses: Record<string, Response> };
type Document = { paths: Record<string, Record<string, Operation>> };

/** Headers that any HTTP answer has, or that secure what a browser does with it. */
const generalHeaders = new Set([
  ...['connection', 'content-length', 'content-type', 'date', 'keep-alive', 'transfer-encoding', 'vary'],
  ...['cache-control', 'content-security-policy', 'cross-origin-resource-policy', 'referrer-policy'],
  ...['x-content-type-options', 'x-frame-options', 'accept', 'accept-encoding'],
]);

const document = openApiDocument();
const { paths } = document as unknown as Document;
const ajv = new Ajv2020({ strict: false, logger: false });
formats.default(ajv);
ajv.addSchema(document, 'document');

/**
 * An answer is one that /openapi.json announces: its status, media type, headers and body.
 * @param path template with variables as ":runId"
 * @param text the body as it came
 * @throws Error naming what was not announced
 */
export function requireDocumented(method: string, path: string, answer: globalThis.Response, text: string): void {
  const template = path.replace(/:(\w+)/g, '{$1}');
  const name = `${method} ${template}: ${answer.status}`;
  const response = paths[template]?.[method.toLowerCase()]?.responses[answer.status];
  if (!response) throw new Error(`${name} is not documented: ${text}`);
  const announced = new Set(Object.keys(response.headers ?? {}).map((header) => header.toLowerCase()));
  const strange = [...answer.headers.keys()].filter((header) => !generalHeaders.has(header) && !announced.has(header));
  if (strange.length > 0) throw new Error(`${name} has undocumented headers: ${strange.join(', ')}`);
  const type = (answer.headers.get('content-type') ?? '').split(';')[0] ?? '';
  if (response.content === undefined && text === '') return;
  if (!response.content?.[type]) throw new Error(`${name} has the undocumented media type "${type}"`);
  if (!type.endsWith('json')) return;
  const place = ['paths', template, method.toLowerCase(), 'responses', answer.status, 'content', type, 'schema'];
  const validate = validatorAt(`document#/${place.map(pointerPart).join('/')}`);
  if (!validate(JSON.parse(text)))
    throw new Error(`${name} is not as documented: ${ajv.errorsText(validate.errors)} ${text}`);
}

const validators = new Map<string, ValidateFunction>();

function validatorAt($ref: string): ValidateFunction {
  const made = validators.get($ref) ?? ajv.compile({ $ref });
  validators.set($ref, made);
  return made;
}

const pointerPart = (part: string | number): string =>
  encodeURIComponent(String(part).replaceAll('~', '~0').replaceAll('/', '~1'));
