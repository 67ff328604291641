import type { GateRequest } from '../../model/gate.ts';
import { parseJson } from '../../model/json.ts';
import { calledProcedure } from '../program-parts.ts';
import type { RequestShape } from './form-key.ts';
import type { FormKind } from './form-kind.ts';
import { graphQlOperations } from './graphql.ts';
import { kindOfForm } from './structure.ts';
import { secretNames } from './words/fields.ts';

/** Members of a request of GraphQL. Source: GraphQL over HTTP, §5.1. */
const envelope: ReadonlySet<string> = new Set(['query', 'variables', 'operationName', 'extensions']);

/** A part with the content of a file. Source: RFC 7578 §4.2. */
const filePart = /Content-Disposition: form-data; name="([^"\r\n]*)"; filename/gi;

/** Whether a request calls a procedure which lets somebody in. */
export const callsLogin = (request: GateRequest, body: string, shape: RequestShape): boolean =>
  shape.operation !== undefined && kindOfRequest(request, body, shape).kind === 'login';

/** A procedure may say that it is a login, as the button of a form does; what a mutation is sent in is not given to it. */
export function kindOfRequest(request: GateRequest, body: string, shape: RequestShape): FormKind {
  const form = formOfRequest(request, body, shape);
  if (shape.operation === undefined) return kindOfForm(form);
  const isMutation = graphQlOperations(request, body) === 'others';
  const given = new Map(form.fields.map((field) => [field.name, field]));
  const fields = [...given.values()].filter(({ name }) => !(isMutation && envelope.has(name)));
  const named = kindOfForm({ ...form, fields, label: shape.operation });
  return named.kind === 'login' ? named : kindOfForm(form);
}

/** A request as the form that would send it. */
export function formOfRequest({ url }: GateRequest, body: string, { fields }: RequestShape) {
  const values = valuesIn(body);
  const procedure = calledProcedure(parseJson(body))?.name;
  const files = new Set([...body.matchAll(filePart)].map(([, name]) => name));
  const typeOf = (name: string): string => (secretNames.test(name) ? 'password' : files.has(name) ? 'file' : 'text');
  return {
    action: url,
    method: 'POST' as const,
    fields: fields.map((name) => ({
      name,
      type: name === procedure ? 'hidden' : typeOf(name),
      value: values.get(name) ?? '',
    })),
  };
}

export const valuesIn = (body: string): URLSearchParams => new URLSearchParams(/^[^{[<]*=/.test(body) ? body : '');
