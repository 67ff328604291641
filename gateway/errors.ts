import { Code, ConnectError } from '@connectrpc/connect';
import { isReason, type ReasonName, ruleOf } from '../kit/reasons.ts';
import { BadRequestSchema, ErrorInfoSchema, RetryInfoSchema } from '../proto/gen/google/rpc/error_details_pb.ts';
import { type CheckoutHint, CheckoutHintSchema, OwnershipRequiredSchema } from '../proto/gen/scanaudit/v1/errors_pb.ts';

/** One wrong field: its JSON path or parameter name, and what is expected there. */
export type FieldError = { field: string; message: string };

/** An answer other than a success: RFC 9457 problem details with the headers that belong to it. */
type ProblemAnswer = { status: number; headers: Record<string, string>; body: Record<string, unknown> };

export const statusOf = (reason: ReasonName): number => ruleOf(reason).status;
export const titleOf = (reason: ReasonName): string => ruleOf(reason).title;

/** Texts for failures whose own message may reveal internals. */
const silenced: Partial<Record<ReasonName, string>> = {
  INTERNAL: 'Something went wrong on our side. Quote the request id when you report it.',
  UNAVAILABLE: 'The service is not available for the moment. Try again shortly.',
  TIMEOUT: 'The service did not answer in time. Try again shortly.',
};

/** Facts of google.rpc.ErrorInfo that callers get as members. */
const publicMetadata = ['requiredEntitlement', 'requiredScope', 'scanStatus'];

const defaultRetryAfterSeconds: Partial<Record<ReasonName, number>> = { RATE_LIMITED: 1, UNAVAILABLE: 1 };

/** A refusal of the gateway itself: its detail says what happened, and then what to do. */
export class GatewayRefusal extends Error {
  override name = 'Refusal';
  readonly reason: ReasonName;
  readonly errors: readonly FieldError[];
  readonly headers: Readonly<Record<string, string>>;
  readonly retryAfterSeconds: number | undefined;

  constructor(
    reason: ReasonName,
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
    return statusOf(this.reason);
  }
}

/** Turns whatever was thrown into an answer. Only refusals carry their own message: others could reveal internals. */
export function problemOf(error: unknown, requestId: string): ProblemAnswer {
  if (error instanceof GatewayRefusal) {
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
 * A reason that the contract does not know is a fault of ours.
 */
function reasonOf(code: Code, reason: string | undefined): ReasonName {
  if (reason !== undefined) return isReason(reason) ? reason : 'INTERNAL';
  if (code === Code.DeadlineExceeded) return 'TIMEOUT';
  return code === Code.Unimplemented ? 'INTERNAL' : 'UNAVAILABLE';
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
  reason: ReasonName,
  detail: string,
  requestId: string,
  members: Record<string, unknown> = {},
  askedRetryAfterSeconds?: number,
  headers: Record<string, string> = {},
): ProblemAnswer {
  const { status, title } = ruleOf(reason);
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
