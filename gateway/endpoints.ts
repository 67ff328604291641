import { type DescField, type DescMessage, type DescMethod, getOption, hasOption } from '@bufbuild/protobuf';
import type { GenFile } from '@bufbuild/protobuf/codegenv2';
import { http } from '../proto/gen/google/api/annotations_pb.ts';
import type { HttpRule } from '../proto/gen/google/api/http_pb.ts';
import { file_scanaudit_v1_access } from '../proto/gen/scanaudit/v1/access_pb.ts';
import { file_scanaudit_v1_audit_log } from '../proto/gen/scanaudit/v1/audit_log_pb.ts';
import { file_scanaudit_v1_callbacks } from '../proto/gen/scanaudit/v1/callbacks_pb.ts';
import { file_scanaudit_v1_credits } from '../proto/gen/scanaudit/v1/credits_pb.ts';
import { DocumentSchema } from '../proto/gen/scanaudit/v1/document_pb.ts';
import { file_scanaudit_v1_domains } from '../proto/gen/scanaudit/v1/domains_pb.ts';
import { file_scanaudit_v1_keys } from '../proto/gen/scanaudit/v1/keys_pb.ts';
import { rest } from '../proto/gen/scanaudit/v1/options_pb.ts';
import { file_scanaudit_v1_orgs } from '../proto/gen/scanaudit/v1/orgs_pb.ts';
import { file_scanaudit_v1_ownership } from '../proto/gen/scanaudit/v1/ownership_pb.ts';
import { file_scanaudit_v1_runs } from '../proto/gen/scanaudit/v1/runs_pb.ts';
import { file_scanaudit_v1_scans } from '../proto/gen/scanaudit/v1/scans_pb.ts';
import { elementOf } from './values.ts';

/** The contract. An RPC of these files is served over REST if it has a google.api.http option, and only then. */
const files: readonly GenFile[] = [
  file_scanaudit_v1_access,
  file_scanaudit_v1_audit_log,
  file_scanaudit_v1_callbacks,
  file_scanaudit_v1_credits,
  file_scanaudit_v1_domains,
  file_scanaudit_v1_keys,
  file_scanaudit_v1_orgs,
  file_scanaudit_v1_ownership,
  file_scanaudit_v1_runs,
  file_scanaudit_v1_scans,
];

type HttpMethod = 'GET' | 'PUT' | 'POST' | 'DELETE' | 'PATCH';

/** How one RPC is served over REST: what its options say, checked. */
export type Endpoint = {
  rpc: DescMethod;
  method: HttpMethod;
  /** With variables in braces, named like the fields that they fill: "/api/v1/scans/{run_id}". */
  path: string;
  pathFields: readonly DescField[];
  queryFields: readonly DescField[];
  /** "*": the body is the request without its path fields. A field: the body is that field. Undefined: no body is taken. */
  body: '*' | DescField | undefined;
  successStatus: number;
  /** Template of the Location header, or "". */
  location: string;
  /** The default first. */
  mediaTypes: readonly string[];
  /** The Idempotency-Key header is honoured. */
  isIdempotent: boolean;
  maxBodyBytes: number;
};

/** What a body may have unless the contract says otherwise. */
export const usualBodyBytes = 64 * 1024;

/** Endpoints that share method and path, in the contract's order. The Accept header chooses among their media types. */
export type Route = readonly [Endpoint, ...Endpoint[]];

/** Every route of the contract. @throws TypeError when two endpoints of a route could answer with the same media type */
export function routesOf(endpoints: readonly Endpoint[] = endpointsOf()): Route[] {
  const routes = Map.groupBy(endpoints, ({ method, path }) => `${method} ${path}`);
  return [...routes].flatMap(([name, [first, ...others]]) => {
    if (!first) return [];
    const types = [first, ...others].flatMap(({ mediaTypes }) => mediaTypes);
    if (new Set(types).size < types.length) throw new TypeError(`${name} has two RPCs for one media type`);
    return [[first, ...others] as const];
  });
}

/** Every endpoint of the contract. @throws TypeError when an option asks for what the gateway cannot do */
export function endpointsOf(contract: readonly GenFile[] = files): Endpoint[] {
  return contract
    .flatMap((file) => file.services)
    .flatMap((service) => service.methods)
    .filter((rpc) => hasOption(rpc, http))
    .map((rpc) => {
      if (rpc.methodKind !== 'unary') throw new TypeError(`${rpc.toString()} streams, which REST cannot serve`);
      return endpointOf(rpc);
    });
}

function endpointOf(rpc: DescMethod): Endpoint {
  const rule = getOption(rpc, http);
  const { successStatus, location, mediaTypes, idempotent, maxBodyBytes } = getOption(rpc, rest);
  const [method, path] = routeOf(rpc, rule);
  const pathFields = [...path.matchAll(/\{([^}]*)\}/g)].map(([, name]) => stringField(rpc, name));
  const body = bodyOf(rpc, rule.body);
  const inBody = body === '*' ? rpc.input.fields : [body];
  const types = mediaTypes.length > 0 ? mediaTypes : ['application/json'];
  if (types.every((type) => type === 'application/json')) requireJsonForm(rpc.output);
  else if (rpc.output.typeName !== DocumentSchema.typeName)
    throw new TypeError(`${rpc.toString()} must return Document`);
  requireJsonForm(rpc.input);
  return {
    rpc,
    method,
    path,
    pathFields,
    queryFields: rpc.input.fields.filter((field) => !pathFields.includes(field) && !inBody.includes(field)),
    body,
    successStatus: successStatus || 200,
    location,
    mediaTypes: types,
    isIdempotent: idempotent,
    maxBodyBytes: maxBodyBytes || usualBodyBytes,
  };
}

function routeOf(rpc: DescMethod, rule: HttpRule): [HttpMethod, string] {
  const { pattern, additionalBindings } = rule;
  if (pattern.case === undefined || pattern.case === 'custom' || additionalBindings.length > 0) {
    throw new TypeError(`${rpc.toString()} has a google.api.http option of a kind that is not supported`);
  }
  const methods = { get: 'GET', put: 'PUT', post: 'POST', delete: 'DELETE', patch: 'PATCH' } as const;
  return [methods[pattern.case], pattern.value];
}

function stringField(rpc: DescMethod, name: string | undefined): DescField {
  const field = rpc.input.fields.find((candidate) => candidate.name === name);
  if (!field || elementOf(field).kind !== 'string')
    throw new TypeError(`${rpc.toString()}: {${name}} is not a string field`);
  return field;
}

function bodyOf(rpc: DescMethod, name: string): Endpoint['body'] {
  if (name === '*') return '*';
  if (name === '') return undefined;
  const field = rpc.input.fields.find((candidate) => candidate.name === name);
  if (field?.fieldKind !== 'message')
    throw new TypeError(`${rpc.toString()}: the body "${name}" is not a message field`);
  return field;
}

/** Fails at start rather than in mid-request when a message holds a type that REST JSON does not have. */
function requireJsonForm(message: DescMessage, seen = new Set<DescMessage>()): void {
  if (seen.has(message)) return;
  seen.add(message);
  for (const field of message.fields) {
    const element = elementOf(field);
    if (element.kind === 'message') requireJsonForm(element.message, seen);
  }
}
