import { type Code, ConnectError } from '@connectrpc/connect';
import { type ReasonName, ruleOf } from '../kit/reasons.ts';
import { BadRequestSchema, ErrorInfoSchema, RetryInfoSchema } from '../proto/gen/google/rpc/error_details_pb.ts';
import { CheckoutHintSchema, OwnershipRequiredSchema } from '../proto/gen/scanaudit/v1/errors_pb.ts';
import { RpcStatus } from '../proto/gen/scanaudit/v1/reasons_pb.ts';

type RefusalDetails = {
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
  readonly reason: ReasonName;
  readonly details: RefusalDetails;
  constructor(reason: ReasonName, details: RefusalDetails = {}) {
    const { happened, advice } = ruleOf(reason);
    super(`${details.message ?? happened} ${details.advice ?? advice}`);
    this.reason = reason;
    this.details = details;
  }
}

/** One field of a request is wrong. */
export const invalid = (reason: ReasonName, field: string, message: string): Refusal =>
  new Refusal(reason, { message: sentence(`${field}: ${message}`), fields: [{ field, message }] });

const sentence = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`);

/** @throws TypeError for a reason of the gateway alone */
function codeOf(reason: ReasonName): Code {
  const { code } = ruleOf(reason);
  if (code === RpcStatus.UNSPECIFIED) throw new TypeError(`${reason} has no status of gRPC`);
  return code;
}

/** The refusal as it is sent: google.rpc.ErrorInfo first, then its other details. */
export function toConnectError(refusal: Refusal): ConnectError {
  const { metadata, fields, retryAfterMs, ownership, checkout } = refusal.details;
  const error = new ConnectError(refusal.message, codeOf(refusal.reason));
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
