import { type Timestamp, timestampDate } from '@bufbuild/protobuf/wkt';
import type { Omission } from '../../../proto/gen/scanaudit/v1/coverage_pb.ts';
import type { Finding } from '../../../proto/gen/scanaudit/v1/findings_pb.ts';
import { DepthSchema, type Scan } from '../../../proto/gen/scanaudit/v1/scans_pb.ts';
import { enumWord } from '../../enum-words.ts';
import { resultOf } from './results.ts';
import { type Rule, ruleOf } from './rules.ts';
import { clipped, messageText } from './text.ts';

export const sarifMediaType = 'application/sarif+json';

/** GitHub code scanning shows this many results of a run. */
export const maxResults = 5_000;

/** Far from what GitHub takes, 10 MB compressed, and little enough for core to hold some of them at once. */
export const maxLogBytes = 20 * 1024 * 1024;

/** Of each kind. */
const maxNotifications = 500;

/** A log that is written finding by finding. */
type SarifLog = {
  /** @returns false when the log would be too long: this finding and all after it are left out, and the log says so */
  add(finding: Finding): boolean;
  /** The whole log in UTF-8. */
  end(): Uint8Array;
};

/**
 * The findings of a completed scan, worst first, as a SARIF 2.1.0 log that GitHub code scanning takes. Every text is taken for hostile:
 * none becomes a link, a placeholder or markup.
 * Source: https://docs.oasis-open.org/sarif/sarif/v2.1.0/ and GitHub's "SARIF support for code scanning".
 */
export function sarifLog(scan: Scan): SarifLog {
  const rules = new Map<string, { lead: Finding; index: number; score: number }>();
  const results: Buffer[] = [];
  let isCut = false;
  let left = maxLogBytes - jsonOf(logOf(scan, [], maxResults)).byteLength;
  return {
    add(finding) {
      if (isCut) return false;
      const score = finding.cvss?.score ?? 0;
      const known = rules.get(finding.checkId);
      const rule = known ?? { lead: finding, index: rules.size, score };
      const result = jsonOf(resultOf(finding, rule.index));
      // A comma each. The score of a rule may grow by a character or two.
      const bytes = result.byteLength + 1 + (known ? 0 : jsonOf(ruleOf(finding, score)).byteLength + 2);
      isCut = results.length === maxResults || bytes > left;
      if (isCut) return false;
      left -= bytes;
      results.push(result);
      rules.set(finding.checkId, { ...rule, score: Math.max(rule.score, score) });
      return true;
    },
    end() {
      const ruleList = [...rules.values()].map(({ lead, score }) => ruleOf(lead, score));
      const log = jsonOf(logOf(scan, ruleList, isCut ? results.length : undefined));
      const parts = results.flatMap((result, index) => (index === 0 ? [result] : [comma, result]));
      // The results come last, and so do the three brackets behind them.
      return Buffer.concat([log.subarray(0, -ending.length), ...parts, ending]);
    },
  };
}

const comma = Buffer.from(',');
const ending = Buffer.from(']}]}');

/** Half a surrogate pair has no UTF-8, and some readers refuse the whole file for it. */
const jsonOf = (value: object): Buffer =>
  Buffer.from(
    JSON.stringify(value, (_name, member: unknown) => (typeof member === 'string' ? member.toWellFormed() : member)),
  );

/** @param shown how many findings there are in it, when there are more */
function logOf(scan: Scan, rules: readonly Rule[], shown: number | undefined): object {
  const depth = enumWord(DepthSchema, scan.depth);
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'Scan Audit', rules } },
        // What stands before the last slash is the category under which results replace earlier ones.
        automationDetails: { id: `scan-audit/${scan.host}/${depth}/${scan.runId}` },
        invocations: [invocationOf(scan, shown)],
        properties: { runId: scan.runId, url: scan.url, depth, coverageComplete: scan.coverage?.complete ?? false },
        results: [],
      },
    ],
  };
}

function invocationOf({ startedAt, finishedAt, coverage }: Scan, shown: number | undefined): object {
  const notes = [
    ...notesOn('Not looked at', 'warning', coverage?.gaps ?? []),
    ...notesOn('Beyond the limits of this audit', 'note', coverage?.limits ?? []),
  ];
  if (shown !== undefined)
    notes.push(warning(`There are more findings than the ${shown} worst, which are here: the API has all.`));
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
