import { Code, ConnectError } from '@connectrpc/connect';
import { BadRequestSchema, ErrorInfoSchema, RetryInfoSchema } from '../proto/gen/google/rpc/error_details_pb.ts';
import { CheckoutHintSchema, OwnershipRequiredSchema } from '../proto/gen/scanaudit/v1/errors_pb.ts';

/**
 * Every refusal there is: its Connect code, and what the caller reads unless the rule has better words: what happened,
 * and what to do.
 */
export const reasons = {
  INVALID_URL: [Code.InvalidArgument, 'The URL is not one that can be audited.', 'Correct the URL, then try again.'],
  INVALID_DEPTH: [
    Code.InvalidArgument,
    'The depth is neither standard nor deep.',
    'Send one of the two, or leave it out for a standard scan.',
  ],
  INVALID_PARAMETER: [Code.InvalidArgument, 'A parameter is not valid.', 'Correct it, then send the request again.'],
  INVALID_BODY: [Code.InvalidArgument, 'The body is not valid.', 'Correct it, then send the request again.'],
  UNKNOWN_FIELD: [Code.InvalidArgument, 'There is no such field.', 'Check its spelling, or leave it out.'],
  MISSING_KEY: [
    Code.Unauthenticated,
    'The request has no API key.',
    'Send one in the header "Authorization: Bearer <key>".',
  ],
  INVALID_KEY: [
    Code.Unauthenticated,
    'The API key is mistyped, unknown, expired or revoked.',
    'Send one that is valid: a key with the scope keys:write issues others (POST /api/v1/keys), the operator of the service the first one.',
  ],
  OUT_OF_CREDIT: [
    Code.FailedPrecondition,
    'Your organisation has too little scan credit.',
    'Ask the operator of the service for credit, then try again.',
  ],
  API_ACCESS_NOT_IN_PLAN: [
    Code.PermissionDenied,
    'The plan of your organisation does not include API access.',
    'Ask the operator of the service for a plan that does.',
  ],
  DEEP_NOT_ENTITLED: [
    Code.PermissionDenied,
    'The plan of your organisation does not include deep scans.',
    'Start a standard scan, or ask the operator of the service for another plan.',
  ],
  INSUFFICIENT_SCOPE: [
    Code.PermissionDenied,
    'The API key lacks the scope that this needs.',
    'Use a key that has it: scopes are chosen when a key is issued (POST /api/v1/keys, with a key that has keys:write and that scope itself).',
  ],
  WRONG_KEY_KIND: [
    Code.PermissionDenied,
    'A key of this kind cannot be used here.',
    'Use a key of the kind that the documentation of this call names.',
  ],
  DOMAIN_NOT_VERIFIED: [
    Code.PermissionDenied,
    'The domain is not proven to be your organisation’s.',
    'Prove it (POST /api/v1/domains), then try again.',
  ],
  NOT_FOUND: [
    Code.NotFound,
    'There is no such thing.',
    'Check what the request names, and that the key is one of the organisation that owns it.',
  ],
  SCAN_NOT_COMPLETED: [
    Code.FailedPrecondition,
    'The scan has not completed.',
    'Ask again when its status is completed: its gate waits for that (GET /api/v1/scans/<runId>/gate?wait=55).',
  ],
  SCAN_FINISHED: [
    Code.FailedPrecondition,
    'The scan has finished: there is nothing left to cancel.',
    'Read its status record for how it ended.',
  ],
  RUN_NOT_RUNNING: [Code.FailedPrecondition, 'The run is not running.', 'Stop the work on it: no result is stored.'],
  IDEMPOTENCY_KEY_IN_FLIGHT: [
    Code.Aborted,
    'A request with this idempotency key is still being worked on.',
    'Send the same request again shortly to get its answer.',
  ],
  IDEMPOTENCY_KEY_REUSED: [
    Code.FailedPrecondition,
    'The idempotency key was used with another request before.',
    'Use a new key for a new request.',
  ],
  ALREADY_EXISTS: [Code.AlreadyExists, 'It already exists.', 'Use the existing one, or choose another name.'],
  CHALLENGE_EXPIRED: [
    Code.FailedPrecondition,
    'The challenge has expired.',
    'Register the domain again (POST /api/v1/domains), and publish the new proof.',
  ],
  TOO_MANY_KEYS: [
    Code.FailedPrecondition,
    'Your organisation has as many live keys as its plan allows.',
    'Revoke a key that is no longer used (DELETE /api/v1/keys/<id>), then try again.',
  ],
  KEY_NOT_LIVE: [
    Code.FailedPrecondition,
    'The key is revoked or expired.',
    'Rotate a key that is valid, or use POST /api/v1/keys to issue a new one.',
  ],
  RATE_LIMITED: [
    Code.ResourceExhausted,
    'Too many requests.',
    'Wait as long as the answer says (Retry-After, or RetryInfo in gRPC), then send the request again.',
  ],
  INTERNAL: [Code.Internal, 'Something went wrong on our side.', 'Quote the request id when you report it.'],
  UNAVAILABLE: [Code.Unavailable, 'The service is not available for the moment.', 'Try again shortly.'],
  TIMEOUT: [Code.DeadlineExceeded, 'The service did not answer in time.', 'Try again shortly.'],
} as const satisfies Record<string, readonly [code: Code, whatHappened: string, whatToDo: string]>;

export type Reason = keyof typeof reasons;

export const isReason = (name: string): name is Reason => Object.hasOwn(reasons, name);

export type RefusalDetails = {
  /** What happened, instead of the reason's own sentence. Shown to the caller. */
  message?: string;
  /** What to do, instead of the reason's own sentence. Shown to the caller behind the other one. */
  advice?: string;
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
    const [, whatHappened, whatToDo] = reasons[reason];
    super(`${details.message ?? whatHappened} ${details.advice ?? whatToDo}`);
    this.reason = reason;
    this.details = details;
  }
}

/** One field of a request is wrong. */
export const invalid = (reason: Reason, field: string, message: string): Refusal =>
  new Refusal(reason, { message: sentence(`${field}: ${message}`), fields: [{ field, message }] });

const sentence = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`);

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
