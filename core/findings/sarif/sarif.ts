import { type Timestamp, timestampDate } from '@bufbuild/protobuf/wkt';
import type { Omission } from '../../../proto/gen/scanaudit/v1/coverage_pb.ts';
import type { Finding } from '../../../proto/gen/scanaudit/v1/findings_pb.ts';
import { DepthSchema, type Scan } from '../../../proto/gen/scanaudit/v1/scans_pb.ts';
import { enumWord } from '../../enum-words.ts';
import { resultOf } from './results.ts';
import { rulesOf } from './rules.ts';
import { clipped, messageText } from './text.ts';

export const sarifMediaType = 'application/sarif+json';

/** GitHub code scanning shows this many results of a run. */
export const maxResults = 5_000;

/** Of each kind. */
const maxNotifications = 500;

/**
 * The findings of a completed scan as a SARIF 2.1.0 log, in JSON, that GitHub code scanning takes. Every text is taken for hostile:
 * none becomes a link, a placeholder or markup.
 * Source: https://docs.oasis-open.org/sarif/sarif/v2.1.0/ and GitHub's "SARIF support for code scanning".
 * @param findings worst first, at most `maxResults`
 * @param isCut there are more than these
 */
export function sarifLog(scan: Scan, findings: readonly Finding[], isCut: boolean): string {
  // Half a surrogate pair has no UTF-8, and some readers refuse the whole file for it.
  return JSON.stringify(logOf(scan, findings, isCut), (_name, value: unknown) =>
    typeof value === 'string' ? value.toWellFormed() : value,
  );
}

function logOf(scan: Scan, findings: readonly Finding[], isCut: boolean): object {
  const rules = rulesOf(findings);
  const indexes = new Map(rules.map(({ id }, index) => [id, index]));
  const depth = enumWord(DepthSchema, scan.depth);
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'Scan Audit', rules } },
        // What stands before the last slash is the category under which results replace earlier ones.
        automationDetails: { id: `scan-audit/${scan.host}/${depth}/${scan.runId}` },
        invocations: [invocationOf(scan, isCut)],
        results: findings.map((finding) => resultOf(finding, indexes.get(finding.checkId) ?? -1)),
        properties: { runId: scan.runId, url: scan.url, depth, coverageComplete: scan.coverage?.complete ?? false },
      },
    ],
  };
}

function invocationOf({ startedAt, finishedAt, coverage }: Scan, isCut: boolean): object {
  const notes = [
    ...notesOn('Not looked at', 'warning', coverage?.gaps ?? []),
    ...notesOn('Beyond the limits of this audit', 'note', coverage?.limits ?? []),
  ];
  if (isCut) notes.push(warning(`There are more findings than the ${maxResults} worst, which are here.`));
  return {
    executionSuccessful: true,
    ...time('startTimeUtc', startedAt),
    ...time('endTimeUtc', finishedAt),
    ...(notes.length > 0 && {
      toolExecutionNotifications: notes.map(({ level, text }) => ({ level, message: { text: messageText(text) } })),
    }),
  };
}

type Note = { level: 'warning' | 'note'; text: string };

const warning = (text: string): Note => ({ level: 'warning', text });

function notesOn(words: string, level: Note['level'], omissions: readonly Omission[]): Note[] {
  const notes = omissions
    .slice(0, maxNotifications)
    .map(({ subject, text }) => `${words}: ${clipped(subject, 500)}: ${clipped(text, 1_000)}`);
  const left = omissions.length - maxNotifications;
  if (left > 0) notes.push(`${words}: ${left} more, which the status record names.`);
  return notes.map((text) => ({ level, text }));
}

const time = (name: string, when: Timestamp | undefined) => (when ? { [name]: timestampDate(when).toISOString() } : {});
