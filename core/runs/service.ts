import type { ServiceImpl } from '@connectrpc/connect';
import type { RunService } from '../../proto/gen/scanaudit/v1/runs_pb.ts';
import { ScanStatusSchema } from '../../proto/gen/scanaudit/v1/scans_pb.ts';
import { deps } from '../context.ts';
import { recordCoverage } from '../coverage/record-coverage.ts';
import { finishRun } from '../endings/finish-run.ts';
import { enumWord } from '../enum-words.ts';
import { given } from '../fields.ts';
import { recordFindings } from '../findings/record-findings.ts';
import { chunksOf, loadArtifact, receiveArtifact, storeArtifact } from './artifacts.ts';
import { beginRun, runContext } from './begin-run.ts';
import { listFacts, recordFacts } from './facts.ts';
import { inRunningRun, readRunningRun } from './in-run.ts';
import { recordPermissions } from './permissions.ts';
import { reportProgress } from './progress.ts';
import { openSecret, putSecret } from './secrets.ts';
import { listWrites, recordWrite } from './writes.ts';

/** The worker's API: see proto/scanaudit/v1/runs.proto. */
export const runService: ServiceImpl<typeof RunService> = {
  beginRun: async ({ runId }, ctx) => {
    const { em, log } = deps(ctx);
    const context = await beginRun(em, runId);
    log.info('a run began');
    return context;
  },
  getRun: ({ runId }, ctx) => readRunningRun(deps(ctx).em, runId, runContext),
  reportProgress: async (request, ctx) => {
    await inRunningRun(deps(ctx).em, request.runId, async (_, scan) => reportProgress(scan, request));
    return {};
  },
  putArtifact: async (messages, ctx) => {
    const artifact = await receiveArtifact(messages);
    await inRunningRun(deps(ctx).em, artifact.runId, (tx, scan) => storeArtifact(tx, scan, artifact));
    return { ref: artifact.ref, sizeBytes: artifact.sizeBytes };
  },
  getArtifact: async function* ({ runId, ref }, ctx) {
    const { contentType, packed } = await readRunningRun(deps(ctx).em, runId, (tx) => loadArtifact(tx, runId, ref));
    for await (const chunk of chunksOf(packed)) yield { contentType, chunk };
  },
  recordFindings: async ({ runId, findings }, ctx) => ({
    total: await inRunningRun(deps(ctx).em, runId, (tx, scan) => recordFindings(tx, scan, findings)),
  }),
  recordCoverage: async (request, ctx) => {
    await inRunningRun(deps(ctx).em, request.runId, (tx, scan) => recordCoverage(tx, scan, request));
    return {};
  },
  recordFacts: async ({ runId, facts }, ctx) => {
    await inRunningRun(deps(ctx).em, runId, (tx, scan) => recordFacts(tx, scan, facts));
    return {};
  },
  listFacts: async ({ runId }, ctx) => ({
    facts: await readRunningRun(deps(ctx).em, runId, (tx) => listFacts(tx, runId)),
  }),
  recordWrite: async ({ runId, write }, ctx) => {
    await inRunningRun(deps(ctx).em, runId, (tx, scan) => recordWrite(tx, scan, given(write)));
    return {};
  },
  listWrites: async ({ runId }, ctx) => ({
    writes: await readRunningRun(deps(ctx).em, runId, (tx) => listWrites(tx, runId)),
  }),
  recordPermissions: async ({ runId, permissions }, ctx) => {
    await inRunningRun(deps(ctx).em, runId, (tx, scan) => recordPermissions(tx, scan, given(permissions)));
    return {};
  },
  putSecret: async (request, ctx) => {
    const { em, cipher } = deps(ctx);
    await inRunningRun(em, request.runId, (tx, scan) => putSecret(tx, cipher, scan, request));
    return {};
  },
  openSecret: async ({ runId, ref }, ctx) => {
    const { em, cipher } = deps(ctx);
    return { value: await readRunningRun(em, runId, (tx, scan) => openSecret(tx, cipher, scan, ref)) };
  },
  finishRun: async (request, ctx) => {
    const { em, dispatcher, log } = deps(ctx);
    const response = await finishRun(em, request);
    log.info({ status: enumWord(ScanStatusSchema, response.status), failure: request.failure?.code }, 'a run ended');
    dispatcher.wake();
    return response;
  },
};
