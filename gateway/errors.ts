import { Code, ConnectError } from '@connectrpc/connect';
import { BadRequestSchema, ErrorInfoSchema, RetryInfoSchema } from '../proto/gen/google/rpc/error_details_pb.ts';
import { type CheckoutHint, CheckoutHintSchema, OwnershipRequiredSchema } from '../proto/gen/scanaudit/v1/errors_pb.ts';

/** One wrong field: its JSON path or parameter name, and what is expected there. */
export type FieldError = { field: string; message: string };

/** An answer other than a success: RFC 9457 problem details with the headers that belong to it. */
export type Problem = { status: number; headers: Record<string, string>; body: Record<string, unknown> };

/** The one table of refusals: a reason of core or of the gateway itself, its HTTP status and its title. */
const refusals = {
  INVALID_URL: [400, 'The URL cannot be audited'],
  INVALID_DEPTH: [400, 'The depth is not one of those offered'],
  INVALID_PARAMETER: [400, 'A parameter is not valid'],
  INVALID_BODY: [400, 'The request body is not valid'],
  UNKNOWN_FIELD: [400, 'The request body has an unknown field'],
  BAD_REQUEST: [400, 'The request is not valid HTTP'],
  MISSING_KEY: [401, 'An API key is required'],
  INVALID_KEY: [401, 'The API key is not valid'],
  OUT_OF_CREDIT: [402, 'The organisation is out of scan credit'],
  API_ACCESS_NOT_IN_PLAN: [403, 'The plan does not include API access'],
  DEEP_NOT_ENTITLED: [403, 'The plan does not include deep scans'],
  INSUFFICIENT_SCOPE: [403, 'The API key lacks a scope'],
  WRONG_KEY_KIND: [403, 'This kind of API key cannot be used here'],
  DOMAIN_NOT_VERIFIED: [403, 'The domain is not verified for the organisation'],
  NOT_FOUND: [404, 'Not found'],
  METHOD_NOT_ALLOWED: [405, 'The method is not allowed here'],
  NOT_ACCEPTABLE: [406, 'None of the accepted media types can be served'],
  REQUEST_TIMEOUT: [408, 'The request did not arrive in time'],
  SCAN_NOT_COMPLETED: [409, 'The scan is not completed'],
  SCAN_FINISHED: [409, 'The scan has already finished'],
  RUN_NOT_RUNNING: [409, 'The run is not running'],
  ALREADY_EXISTS: [409, 'It already exists'],
  CHALLENGE_EXPIRED: [409, 'The challenge has expired'],
  TOO_MANY_KEYS: [409, 'The organisation has as many keys as its plan allows'],
  KEY_NOT_LIVE: [409, 'The key is revoked or expired'],
  IDEMPOTENCY_KEY_IN_FLIGHT: [409, 'A request with this idempotency key is in progress'],
  CONTENT_TOO_LARGE: [413, 'The request body is too large'],
  UNSUPPORTED_MEDIA_TYPE: [415, 'The request body must be JSON'],
  IDEMPOTENCY_KEY_REUSED: [422, 'The idempotency key was used with another request'],
  RATE_LIMITED: [429, 'Too many requests'],
  HEADERS_TOO_LARGE: [431, 'The request headers are too large'],
  INTERNAL: [500, 'Something went wrong on our side'],
  UNAVAILABLE: [503, 'The service is temporarily unavailable'],
  TIMEOUT: [504, 'The answer took too long'],
} as const satisfies Record<string, readonly [status: number, title: string]>;

export type Reason = keyof typeof refusals;

export const statusOf = (reason: Reason): number => refusals[reason][0];
export const titleOf = (reason: Reason): string => refusals[reason][1];

/** Texts for failures whose own message may tell about our insides. */
const silenced: Partial<Record<Reason, string>> = {
  INTERNAL: 'Something went wrong on our side. Quote the request id when you report it.',
  UNAVAILABLE: 'The service is not available for the moment. Try again shortly.',
  TIMEOUT: 'The service did not answer in time. Try again shortly.',
};

/** Facts of google.rpc.ErrorInfo that callers get as members. */
const publicMetadata = ['requiredEntitlement', 'requiredScope', 'scanStatus'];

const defaultRetryAfterSeconds: Partial<Record<Reason, number>> = { RATE_LIMITED: 1, UNAVAILABLE: 1 };

/** A refusal of the gateway itself: its detail says what happened, and then what to do. */
export class Refusal extends Error {
  override name = 'Refusal';
  readonly reason: Reason;
  readonly errors: readonly FieldError[];
  readonly headers: Readonly<Record<string, string>>;
  readonly retryAfterSeconds: number | undefined;

  constructor(
    reason: Reason,
    detail: string,
    more: { errors?: readonly FieldError[]; headers?: Record<string, string>; retryAfterSeconds?: number } = {},
  ) {
    super(detail);
    this.reason = reason;
    this.errors = more.errors ?? [];
    this.headers = more.headers ?? {};
    this.retryAfterSeconds = more.retryAfterSeconds;
  }

  get status(): number {
    return refusals[this.reason][0];
  }
}

/** Turns whatever was thrown into an answer. Only refusals carry their own words: the rest could tell about our insides. */
export function problemOf(error: unknown, requestId: string): Problem {
  if (error instanceof Refusal) {
    const members = error.errors.length > 0 ? { errors: error.errors } : {};
    return problem(error.reason, error.message, requestId, members, error.retryAfterSeconds, error.headers);
  }
  if (!(error instanceof ConnectError)) return problem('INTERNAL', '', requestId);
  const info = error.findDetails(ErrorInfoSchema).find(({ domain }) => domain === 'scanaudit');
  const reason = reasonOf(error.code, info?.reason);
  const retryDelay = error.findDetails(RetryInfoSchema)[0]?.retryDelay;
  const retryAfterSeconds = retryDelay && Math.max(1, Number(retryDelay.seconds) + Math.ceil(retryDelay.nanos / 1e9));
  const members = { ...metadataMembers(info?.metadata ?? {}), ...detailMembers(error) };
  return problem(reason, error.rawMessage, requestId, members, retryAfterSeconds);
}

/**
 * Core names a reason in every error. One without was made on the way: the connection broke or the deadline passed.
 * A reason that this table does not know is a fault of ours.
 */
function reasonOf(code: Code, reason: string | undefined): Reason {
  if (reason !== undefined) return isReason(reason) ? reason : 'INTERNAL';
  if (code === Code.DeadlineExceeded) return 'TIMEOUT';
  return code === Code.Unimplemented ? 'INTERNAL' : 'UNAVAILABLE';
}

export function isReason(reason: string): reason is Reason {
  return Object.hasOwn(refusals, reason);
}

function metadataMembers(metadata: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    publicMetadata.flatMap((name) => (metadata[name] === undefined ? [] : [[name, metadata[name]]])),
  );
}

function detailMembers(error: ConnectError): Record<string, unknown> {
  const violations = error.findDetails(BadRequestSchema).flatMap(({ fieldViolations }) => fieldViolations);
  const [ownership] = error.findDetails(OwnershipRequiredSchema);
  const [hint] = error.findDetails(CheckoutHintSchema);
  return {
    ...(violations.length > 0 && { errors: violations.map((v) => ({ field: v.field, message: v.description })) }),
    ...(ownership && { needsOwnership: true, ownership: { domain: ownership.domain, methods: ownership.methods } }),
    ...(hint && { checkoutHint: checkoutHintMember(hint) }),
  };
}

function checkoutHintMember({
  message,
  creditsRequired,
  creditsAvailable,
  url,
}: CheckoutHint): Record<string, unknown> {
  return { message, creditsRequired, creditsAvailable, ...(url !== undefined && { url }) };
}

function problem(
  reason: Reason,
  detail: string,
  requestId: string,
  members: Record<string, unknown> = {},
  askedRetryAfterSeconds?: number,
  headers: Record<string, string> = {},
): Problem {
  const [status, title] = refusals[reason];
  const code = reason.toLowerCase();
  const retryAfter = askedRetryAfterSeconds ?? defaultRetryAfterSeconds[reason];
  return {
    status,
    headers: {
      ...headers,
      'content-type': 'application/problem+json',
      ...(status === 401 && { 'www-authenticate': 'Bearer' }),
      ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }),
    },
    body: {
      type: `urn:scan-audit:problem:${code}`,
      title,
      status,
      detail: silenced[reason] ?? detail,
      code,
      requestId,
      ...members,
      ...(retryAfter !== undefined && { 'retry-after': retryAfter }),
    },
  };
}
