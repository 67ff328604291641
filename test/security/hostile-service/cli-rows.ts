import { readRefusal } from '../../../cli/api/problem.ts';
import { readRetryAfter } from '../../../cli/api/retry.ts';
import { FindingBody, GateBody, ScanBody } from '../../../cli/api/schemas.ts';
import { printGate } from '../../../cli/output/gate-text.ts';
import { junitXml } from '../../../cli/output/junit.ts';
import { Printer, wrap } from '../../../cli/terminal.ts';
import type { Row } from './row.ts';

const kibibyte = 1024;
const mebibyte = 1024 * 1024;

/** What a hostile site can bring into the results that the program reads, or a server that is none of ours. */
const pieces = ['a', ' ', '\n', '\u001b[2J', '\u202e', ']]>', '&', '\0', '\ud800', '::error::', '/'];

/** A gate that very many findings block, each with `text` in all its texts. */
function blocked(count: number, text: string) {
  const location = { url: `https://a.example/${text}`, method: 'GET', parameter: text, parameterIn: 'query' };
  const findings = Array.from({ length: count }, (_, index) => ({
    ...{
      fingerprint: `f${index}`,
      checkId: `a.c${index % 50}`,
      title: text,
      severity: 'high',
      category: 'a',
      location,
    },
    ...{ description: text, remediation: text, proof: { curl: text }, chain: [] },
  }));
  const counts = { critical: 0, high: count, medium: 0, low: 0, info: 0 };
  const omission = { code: 'budget', subject: text, count: 1, text };
  const coverage = { complete: false, families: [], gaps: [omission], limits: [omission], summary: text };
  const scan = {
    ...{ runId: 'r', host: 'a.example', url: location.url, depth: 'deep', status: 'completed', phase: 'done' },
    ...{ progress: 1, createdAt: '2026-01-01T00:00:00Z', findingsCount: count, severity: counts, coverage },
    ...{ requests: 1, credits: 1 },
  };
  const gate = {
    ...{ runId: 'r', scanStatus: 'completed', verdict: 'fail', threshold: 'high', counts, blocking: findings },
    ...{ coverage: { ...coverage, acceptedGaps: [{ code: 'budget', reason: text }] }, reason: text },
  };
  return {
    scan: ScanBody.parse(scan),
    gate: GateBody.parse(gate),
    findings: findings.map((each) => FindingBody.parse(each)),
  };
}

const shown = ['cli/output/gate-text.ts', 'cli/output/findings-text.ts', 'cli/output/junit.ts', 'cli/terminal.ts'];
const show = (result: ReturnType<typeof blocked>) => {
  printGate(new Printer({ write: () => {} }, false), result);
  junitXml(result);
};

const results: Row[] = [
  {
    name: 'a gate that very many findings block',
    covers: shown,
    size: 10_000,
    make: (size) => blocked(size, 'text'),
    read: show,
  },
  ...pieces.map(
    (piece): Row => ({
      name: `a gate with texts of ${JSON.stringify(piece)} again and again`,
      covers: shown,
      size: 16 * kibibyte,
      make: (size) => blocked(3, piece.repeat(size / piece.length)),
      read: show,
    }),
  ),
];

const answers: Row[] = ['[', '{"a":', '"', ' ', '{"code":"not_found","title":"x"}'].map((piece) => ({
  name: `a refusal of ${piece} again and again`,
  covers: ['cli/api/problem.ts', 'cli/api/retry.ts'],
  size: 4 * mebibyte,
  make: (size) => piece.repeat(size / piece.length),
  read: async (text: string) => {
    readRetryAfter(text);
    wrap(text.slice(0, 64 * kibibyte), 80);
    return readRefusal(new Response(text, { status: 404 }), 'https://a.example');
  },
}));

export const rows: readonly Row[] = [...results, ...answers];
