import type { ServiceImpl } from '@connectrpc/connect';
import { type ScanService, ScanStatusSchema } from '../../proto/gen/scanaudit/v1/scans_pb.ts';
import { callerOrg, deps } from '../context.ts';
import { enumWord } from '../enum-words.ts';
import { listFindings } from '../findings/list-findings.ts';
import { sarifMediaType } from '../findings/sarif/sarif.ts';
import { updateFinding } from '../findings/update-finding.ts';
import { takeStart } from '../limits/take-start.ts';
import { cancelScan } from './cancel-scan.ts';
import { exportFindings } from './export-findings.ts';
import { createGateWaits } from './gate-waits.ts';
import { getGate } from './get-gate.ts';
import { createReportCache, getReport } from './get-report.ts';
import { getSurface } from './get-surface.ts';
import { readIdempotencyKey } from './idempotency.ts';
import { listScans } from './list-scans.ts';
import { readScan } from './read-scan.ts';
import { startScan } from './start-scan.ts';

/** Starts audits and reads their results: see proto/scanaudit/v1/scans.proto. */
export function createScanService(): ServiceImpl<typeof ScanService> {
  const reports = createReportCache();
  const waits = createGateWaits();
  return {
    startScan: async (request, ctx) => {
      const { em, caller, dispatcher, settings, ...rest } = deps(ctx);
      const org = callerOrg({ caller });
      const { started, isReplay } = await startScan(
        {
          em,
          org,
          takeStart: () => takeStart(ctx.values, org),
          keyId: caller?.keyId ?? '',
          idempotencyKey: readIdempotencyKey(ctx.requestHeader.get('idempotency-key')),
          checkoutUrl: settings.checkoutUrl,
        },
        request,
      );
      if (isReplay) ctx.responseHeader.set('idempotency-replayed', 'true');
      else {
        const { runId, host } = started;
        rest.log.info({ runId, host, keyId: caller?.keyId }, 'accepted a scan');
        dispatcher.wake();
      }
      return started;
    },
    listScans: (request, ctx) => {
      const call = deps(ctx);
      return listScans(call.em, callerOrg(call).orgId, request);
    },
    getScan: ({ runId }, ctx) => {
      const call = deps(ctx);
      return readScan(call.em, callerOrg(call).orgId, runId);
    },
    cancelScan: async ({ runId }, ctx) => {
      const call = deps(ctx);
      const scan = await cancelScan(call.em, callerOrg(call).orgId, runId);
      call.log.info({ status: enumWord(ScanStatusSchema, scan.status) }, 'a scan is to be canceled');
      call.dispatcher.wake();
      return scan;
    },
    listFindings: (request, ctx) => {
      const call = deps(ctx);
      return listFindings(call.em, callerOrg(call).orgId, request);
    },
    updateFinding: (request, ctx) => updateFinding(deps(ctx), request),
    exportFindings: async (request, ctx) => {
      const call = deps(ctx);
      const content = await exportFindings(call.em, callerOrg(call).orgId, request);
      return { contentType: sarifMediaType, content };
    },
    getReport: async ({ runId }, ctx) => {
      const call = deps(ctx);
      const content = await getReport(call.em, reports, callerOrg(call).orgId, runId);
      return { contentType: 'text/html; charset=utf-8', content };
    },
    getSurface: ({ runId }, ctx) => {
      const call = deps(ctx);
      return getSurface(call.em, callerOrg(call).orgId, runId);
    },
    getGate: (request, ctx) => {
      const call = deps(ctx);
      const { orgId, plan } = callerOrg(call);
      return getGate(call.em, orgId, request, {
        signal: call.signal,
        take: () => waits.take(orgId, plan.waitingGates),
      });
    },
  };
}
