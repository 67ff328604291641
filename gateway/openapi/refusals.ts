import { getOption } from '@bufbuild/protobuf';
import { type ReasonName, reasonName } from '../../kit/reasons.ts';
import { access, rest } from '../../proto/gen/scanaudit/v1/options_pb.ts';
import type { Endpoint, Route } from '../endpoints.ts';
import { statusOf, titleOf } from '../errors.ts';
import type { Schema } from './schemas.ts';

/**
 * Every reason for which a route may refuse, by status: those that follow from its options and form, and those that the
 * contract names.
 */
export function refusalsOf(route: Route): Map<number, ReasonName[]> {
  const reasons = new Set(route.flatMap((endpoint) => [...general(endpoint), ...named(endpoint)]));
  const byStatus = Map.groupBy([...reasons].sort(), statusOf);
  return new Map([...byStatus].sort(([a], [b]) => a - b));
}

function general({ rpc, body, pathFields, queryFields, isIdempotent }: Endpoint): ReasonName[] {
  const { public: isPublic, org } = getOption(rpc, access);
  const hasForm = body !== undefined || queryFields.length > 0 || pathFields.length > 0;
  return [
    ...(isPublic ? [] : (['MISSING_KEY', 'INVALID_KEY', 'INSUFFICIENT_SCOPE', 'WRONG_KEY_KIND'] as const)),
    ...(org ? (['API_ACCESS_NOT_IN_PLAN'] as const) : []),
    'INVALID_PARAMETER',
    'INVALID_BODY',
    ...(body === undefined ? [] : (['UNKNOWN_FIELD', 'CONTENT_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'] as const)),
    ...(hasForm && pathFields.length > 0 ? (['NOT_FOUND'] as const) : []),
    ...(isIdempotent ? (['IDEMPOTENCY_KEY_IN_FLIGHT', 'IDEMPOTENCY_KEY_REUSED'] as const) : []),
    'NOT_ACCEPTABLE',
    'RATE_LIMITED',
    'INTERNAL',
    'UNAVAILABLE',
    'TIMEOUT',
  ];
}

const named = ({ rpc }: Endpoint): ReasonName[] =>
  getOption(rpc, rest).refusals.flatMap((reason) => reasonName(reason) ?? []);

const codeOf = (reason: ReasonName) => reason.toLowerCase();

/** Members that problem details have beside those of RFC 9457, by reason. */
const members: Partial<Record<ReasonName, readonly string[]>> = {
  INVALID_URL: ['errors'],
  INVALID_DEPTH: ['errors'],
  UNKNOWN_FIELD: ['errors'],
  OUT_OF_CREDIT: ['checkoutHint'],
  API_ACCESS_NOT_IN_PLAN: ['requiredEntitlement'],
  DEEP_NOT_ENTITLED: ['requiredEntitlement'],
  INSUFFICIENT_SCOPE: ['requiredScope'],
  DOMAIN_NOT_VERIFIED: ['needsOwnership', 'ownership'],
  SCAN_NOT_COMPLETED: ['scanStatus'],
  SCAN_FINISHED: ['scanStatus'],
  RATE_LIMITED: ['retry-after'],
};

const memberExamples: Record<string, unknown> = {
  errors: [{ field: 'url', message: 'Begin with "https://" or with the host name.' }],
  checkoutHint: { message: 'Buy credit to go on.', creditsRequired: 5, creditsAvailable: 2 },
  requiredEntitlement: 'deep',
  requiredScope: 'scans:write',
  needsOwnership: true,
  ownership: { domain: 'example.com', methods: ['dns-txt', 'http-file', 'meta-tag'] },
  scanStatus: 'running',
  'retry-after': 3,
};

export function problemExample(reason: ReasonName): Schema {
  const more = (members[reason] ?? []).map((name) => [name, memberExamples[name]]);
  return {
    type: `urn:scan-audit:problem:${codeOf(reason)}`,
    title: titleOf(reason),
    status: statusOf(reason),
    detail: `${titleOf(reason)}.`,
    code: codeOf(reason),
    requestId: '4f1c2a9e-6d0b-4c57-9a3e-1b8f7d2c5e60',
    ...Object.fromEntries(more),
  };
}

const text = { type: 'string' };

/** RFC 9457 problem details with the members that are ours. */
export const problemSchema = (): Schema => ({
  type: 'object',
  description: 'Problem details (RFC 9457). `code` says which it is, for programs; `detail` what to do, for people.',
  required: ['type', 'title', 'status', 'detail', 'code', 'requestId'],
  properties: {
    type: { type: 'string', format: 'uri' },
    title: text,
    status: { type: 'integer', format: 'int32' },
    detail: text,
    code: text,
    requestId: text,
    errors: {
      type: 'array',
      items: { type: 'object', required: ['field', 'message'], properties: { field: text, message: text } },
    },
    requiredEntitlement: text,
    requiredScope: text,
    scanStatus: text,
    needsOwnership: { type: 'boolean' },
    ownership: {
      type: 'object',
      required: ['domain', 'methods'],
      properties: { domain: text, methods: { type: 'array', items: text } },
    },
    checkoutHint: {
      type: 'object',
      required: ['message', 'creditsRequired', 'creditsAvailable'],
      properties: {
        message: text,
        creditsRequired: { type: 'integer' },
        creditsAvailable: { type: 'integer' },
        url: { type: 'string', format: 'uri' },
      },
    },
    'retry-after': { type: 'integer', description: 'Seconds, as in the Retry-After header.', minimum: 1 },
  },
});
