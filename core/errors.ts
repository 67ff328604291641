import { Code, ConnectError } from '@connectrpc/connect';
import { BadRequestSchema, ErrorInfoSchema, RetryInfoSchema } from '../proto/gen/google/rpc/error_details_pb.ts';
import { CheckoutHintSchema, OwnershipRequiredSchema } from '../proto/gen/scanaudit/v1/errors_pb.ts';

/** Every refusal there is: its Connect code, and its sentence unless the rule has a better one. */
export const reasons = {
  INVALID_URL: [Code.InvalidArgument, 'The URL is not one that can be audited.'],
  INVALID_DEPTH: [Code.InvalidArgument, 'The depth is neither standard nor deep.'],
  INVALID_PARAMETER: [Code.InvalidArgument, 'A parameter is not valid.'],
  INVALID_BODY: [Code.InvalidArgument, 'The body is not valid.'],
  UNKNOWN_FIELD: [Code.InvalidArgument, 'There is no such field.'],
  MISSING_KEY: [Code.Unauthenticated, 'Send an API key: "Authorization: Bearer <key>".'],
  INVALID_KEY: [Code.Unauthenticated, 'The API key is not valid.'],
  OUT_OF_CREDIT: [Code.FailedPrecondition, 'The org has too little scan credit.'],
  API_ACCESS_NOT_IN_PLAN: [Code.PermissionDenied, "The org's plan does not include API access."],
  DEEP_NOT_ENTITLED: [Code.PermissionDenied, "The org's plan does not include deep scans."],
  INSUFFICIENT_SCOPE: [Code.PermissionDenied, 'The API key lacks the scope that this needs.'],
  WRONG_KEY_KIND: [Code.PermissionDenied, 'Keys of this kind may not do this.'],
  DOMAIN_NOT_VERIFIED: [Code.PermissionDenied, 'The domain is not proven to be the org’s.'],
  NOT_FOUND: [Code.NotFound, 'There is no such thing.'],
  SCAN_NOT_COMPLETED: [Code.FailedPrecondition, 'The scan has not completed.'],
  SCAN_FINISHED: [Code.FailedPrecondition, 'The scan has already finished.'],
  RUN_NOT_RUNNING: [Code.FailedPrecondition, 'The run is not running.'],
  IDEMPOTENCY_KEY_IN_FLIGHT: [Code.Aborted, 'A request with this idempotency key is still being worked on.'],
  IDEMPOTENCY_KEY_REUSED: [Code.FailedPrecondition, 'The idempotency key was used with another request.'],
  ALREADY_EXISTS: [Code.AlreadyExists, 'It already exists.'],
  CHALLENGE_EXPIRED: [Code.FailedPrecondition, 'The challenge has expired.'],
  TOO_MANY_KEYS: [Code.FailedPrecondition, 'The org has as many live keys as its plan allows.'],
  KEY_NOT_LIVE: [Code.FailedPrecondition, 'The key is revoked or expired.'],
  RATE_LIMITED: [Code.ResourceExhausted, 'Too many requests.'],
  INTERNAL: [Code.Internal, 'Something went wrong on our side.'],
  UNAVAILABLE: [Code.Unavailable, 'The service is not available for the moment.'],
  TIMEOUT: [Code.DeadlineExceeded, 'It took too long.'],
} as const satisfies Record<string, readonly [Code, string]>;

export type Reason = keyof typeof reasons;

export const isReason = (name: string): name is Reason => Object.hasOwn(reasons, name);

export type RefusalDetails = {
  /** Instead of the reason's own sentence. Shown to the caller. */
  message?: string;
  /** Facts for programs, for instance `{ requiredScope: 'scans:write' }`. */
  metadata?: Record<string, string>;
  /** What is wrong with which field; names in lowerCamelCase. */
  fields?: { field: string; message: string }[];
  /** Trying again before this many milliseconds have passed is of no use. */
  retryAfterMs?: number;
  /** With DOMAIN_NOT_VERIFIED. */
  ownership?: { domain: string; methods: string[] };
  /** With OUT_OF_CREDIT. */
  checkout?: { message: string; creditsRequired: number; creditsAvailable: number; url?: string };
};

/** A rule says no. The caller sees the reason and the details. */
export class Refusal extends Error {
  override name = 'Refusal';
  readonly reason: Reason;
  readonly details: RefusalDetails;
  constructor(reason: Reason, details: RefusalDetails = {}) {
    super(details.message ?? reasons[reason][1]);
    this.reason = reason;
    this.details = details;
  }
}

/** One field of a request is wrong. */
export const invalid = (reason: Reason, field: string, message: string): Refusal =>
  new Refusal(reason, { message: `${field}: ${message}`, fields: [{ field, message }] });

/** The refusal as it goes over the wire: google.rpc.ErrorInfo first, then what else it carries. */
export function toConnectError(refusal: Refusal): ConnectError {
  const { metadata, fields, retryAfterMs, ownership, checkout } = refusal.details;
  const error = new ConnectError(refusal.message, reasons[refusal.reason][0]);
  error.details.push({
    desc: ErrorInfoSchema,
    value: { reason: refusal.reason, domain: 'scanaudit', metadata: metadata ?? {} },
  });
  if (fields) {
    const fieldViolations = fields.map(({ field, message }) => ({ field, description: message }));
    error.details.push({ desc: BadRequestSchema, value: { fieldViolations } });
  }
  if (retryAfterMs !== undefined) {
    const seconds = Math.floor(retryAfterMs / 1000);
    const nanos = Math.ceil((retryAfterMs - seconds * 1000) * 1e6);
    error.details.push({ desc: RetryInfoSchema, value: { retryDelay: { seconds: BigInt(seconds), nanos } } });
  }
  if (ownership) error.details.push({ desc: OwnershipRequiredSchema, value: ownership });
  if (checkout) error.details.push({ desc: CheckoutHintSchema, value: checkout });
  return error;
}
