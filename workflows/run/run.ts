import { create, type MessageInitShape } from '@bufbuild/protobuf';
import type { Client } from '@connectrpc/connect';
import { ApplicationFailure } from '@temporalio/common';
import type { FindingSchema } from '../../proto/gen/scanaudit/v1/findings_pb.ts';
import {
  type Fact,
  type FactSchema,
  type FinishRunRequestSchema,
  type PermissionsSchema,
  PutArtifactRequestSchema,
  type RecordCoverageRequestSchema,
  type RunContext,
  type RunService,
  type Write,
  type WriteSchema,
} from '../../proto/gen/scanaudit/v1/runs_pb.ts';
import { type CallOptions, callCore } from './core-call.ts';
import { placeInLedger } from './write-place.ts';

type Init<S extends Parameters<typeof create>[0]> = MessageInitShape<S>;

/**
 * One run's part of core's RunService. Every call may be repeated. Core being away is waited out for a while.
 * Each throws an ApplicationFailure whose type is core's reason, or the signal's reason when it is aborted.
 */
export type Run = {
  readonly runId: string;
  begin(): Promise<RunContext>;
  context(): Promise<RunContext>;
  reportProgress(phase: string, progress: number): Promise<void>;
  /** @returns the SHA-256 of the content, hexadecimal */
  putArtifact(name: string, contentType: string, content: Uint8Array): Promise<string>;
  /**
   * @param ref a SHA-256, or a name: then the newest of that name
   * @returns undefined when the run has none
   */
  findArtifact(ref: string): Promise<Uint8Array | undefined>;
  recordFindings(findings: readonly Init<typeof FindingSchema>[]): Promise<void>;
  recordCoverage(coverage: Omit<Init<typeof RecordCoverageRequestSchema>, '$typeName' | 'runId'>): Promise<void>;
  recordFacts(facts: readonly Init<typeof FactSchema>[]): Promise<void>;
  listFacts(): Promise<Fact[]>;
  recordPermissions(permissions: Init<typeof PermissionsSchema>): Promise<void>;
  recordWrite(write: Init<typeof WriteSchema>): Promise<void>;
  listWrites(): Promise<Write[]>;
  putSecret(ref: string, value: string): Promise<void>;
  openSecret(ref: string): Promise<string>;
  /** @returns undefined when the run has none of this name */
  findSecret(ref: string): Promise<string | undefined>;
  finish(end: Pick<Init<typeof FinishRunRequestSchema>, 'outcome' | 'failure' | 'isFree'>): Promise<void>;
};

/** Chunks and batches that RunService accepts at most. */
const maxChunkBytes = 1024 * 1024;
const maxBatch = 100;

export function openRun(client: Client<typeof RunService>, runId: string, calling: CallOptions): Run {
  const call = <T>(attempt: (options: { signal: AbortSignal }) => Promise<T>) => callCore(attempt, calling);
  return {
    runId,
    begin: () => call((options) => client.beginRun({ runId }, options)),
    context: () => call((options) => client.getRun({ runId }, options)),
    reportProgress: async (phase, progress) => {
      await call((options) => client.reportProgress({ runId, phase, progress }, options));
    },
    putArtifact: async (name, contentType, content) => {
      const { ref } = await call((options) => client.putArtifact(chunksOf(runId, name, contentType, content), options));
      return ref;
    },
    findArtifact: (ref) =>
      call(async (options) => {
        const chunks: Uint8Array[] = [];
        for await (const { chunk } of client.getArtifact({ runId, ref }, options)) chunks.push(chunk);
        return Buffer.concat(chunks);
      }).catch(noneOnNotFound),
    recordFindings: async (findings) => {
      for (const batch of batchesOf(findings))
        await call((options) => client.recordFindings({ runId, findings: batch }, options));
    },
    recordCoverage: async (coverage) => {
      await call((options) => client.recordCoverage({ ...coverage, runId }, options));
    },
    recordFacts: async (facts) => {
      for (const batch of batchesOf(facts))
        await call((options) => client.recordFacts({ runId, facts: batch }, options));
    },
    listFacts: async () => (await call((options) => client.listFacts({ runId }, options))).facts,
    recordPermissions: async (permissions) => {
      await call((options) => client.recordPermissions({ runId, permissions }, options));
    },
    recordWrite: async (write) => {
      const { place } = write;
      const taken = place === undefined ? write : { ...write, place: placeInLedger(place) };
      await call((options) => client.recordWrite({ runId, write: taken }, options));
    },
    listWrites: async () => (await call((options) => client.listWrites({ runId }, options))).writes,
    putSecret: async (ref, value) => {
      await call((options) => client.putSecret({ runId, ref, value }, options));
    },
    openSecret: async (ref) => (await call((options) => client.openSecret({ runId, ref }, options))).value,
    findSecret: (ref) =>
      call(async (options) => (await client.openSecret({ runId, ref }, options)).value).catch(noneOnNotFound),
    finish: async (end) => {
      await call((options) => client.finishRun({ ...end, runId }, options));
    },
  };
}

async function* chunksOf(runId: string, name: string, contentType: string, content: Uint8Array) {
  let start = 0;
  do {
    const chunk = content.subarray(start, start + maxChunkBytes);
    const header = start === 0 ? { runId, name, contentType } : {};
    yield create(PutArtifactRequestSchema, { ...header, chunk });
    start += maxChunkBytes;
  } while (start < content.byteLength);
}

function batchesOf<T>(items: readonly T[]): T[][] {
  const count = Math.ceil(items.length / maxBatch);
  return Array.from({ length: count }, (_, index) => items.slice(index * maxBatch, (index + 1) * maxBatch));
}

function noneOnNotFound(error: unknown): undefined {
  if (!(error instanceof ApplicationFailure && error.type === 'NOT_FOUND')) throw error;
}
