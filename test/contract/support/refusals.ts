import { status as grpc } from '@grpc/grpc-js';
import * as assert from 'uvu/assert';
import { assertSaysWhatToDo } from '../../support/says-what-to-do.ts';
import type { Outcome } from './operations.ts';

/** HTTP status and gRPC code of each reason, written down a second time, by hand. */
const table: Record<string, readonly [http: number, grpc: number]> = {
  INVALID_URL: [400, grpc.INVALID_ARGUMENT],
  INVALID_DEPTH: [400, grpc.INVALID_ARGUMENT],
  INVALID_PARAMETER: [400, grpc.INVALID_ARGUMENT],
  INVALID_BODY: [400, grpc.INVALID_ARGUMENT],
  UNKNOWN_FIELD: [400, grpc.INVALID_ARGUMENT],
  MISSING_KEY: [401, grpc.UNAUTHENTICATED],
  INVALID_KEY: [401, grpc.UNAUTHENTICATED],
  OUT_OF_CREDIT: [402, grpc.FAILED_PRECONDITION],
  API_ACCESS_NOT_IN_PLAN: [403, grpc.PERMISSION_DENIED],
  DEEP_NOT_ENTITLED: [403, grpc.PERMISSION_DENIED],
  INSUFFICIENT_SCOPE: [403, grpc.PERMISSION_DENIED],
  WRONG_KEY_KIND: [403, grpc.PERMISSION_DENIED],
  DOMAIN_NOT_VERIFIED: [403, grpc.PERMISSION_DENIED],
  NOT_FOUND: [404, grpc.NOT_FOUND],
  SCAN_NOT_COMPLETED: [409, grpc.FAILED_PRECONDITION],
  SCAN_FINISHED: [409, grpc.FAILED_PRECONDITION],
  RUN_NOT_RUNNING: [409, grpc.FAILED_PRECONDITION],
  CHALLENGE_EXPIRED: [409, grpc.FAILED_PRECONDITION],
  ALREADY_EXISTS: [409, grpc.ALREADY_EXISTS],
  KEY_NOT_LIVE: [409, grpc.FAILED_PRECONDITION],
  IDEMPOTENCY_KEY_REUSED: [422, grpc.FAILED_PRECONDITION],
  RATE_LIMITED: [429, grpc.RESOURCE_EXHAUSTED],
};

/** The outcome is this refusal: status or code, problem details that agree with them, and the headers that belong to it. */
export function assertRefused(outcome: Outcome, way: 'rest' | 'grpc', reason: string): void {
  const [http, code] = table[reason] ?? [];
  assert.is(outcome.reason, reason, `${outcome.reason}: ${outcome.text || JSON.stringify(outcome.body)}`);
  assert.is(outcome.status, way === 'rest' ? http : code);
  assertSaysWhatToDo(way === 'grpc' ? outcome.text : JSON.parse(outcome.text).detail);
  if (way === 'grpc') return;
  const problem = JSON.parse(outcome.text) as Record<string, unknown>;
  assert.is(problem.status, http);
  assert.is(problem.code, reason.toLowerCase());
  assert.is(problem.requestId, outcome.header('x-request-id'));
  for (const member of ['type', 'title']) assert.ok(problem[member], member);
  assert.is(outcome.header('www-authenticate'), http === 401 ? 'Bearer' : undefined);
  assert.is(outcome.header('retry-after'), problem['retry-after']?.toString());
}

/** An answer without what differs from call to call: its request id. */
export function withoutRequestId({ text }: Outcome): string {
  const { requestId } = JSON.parse(text) as { requestId: string };
  return text.replaceAll(requestId, '<request id>');
}
