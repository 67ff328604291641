import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { GateBody, ScanBody } from '../../../cli/api/schemas.ts';
import { printGate } from '../../../cli/output/gate-text.ts';
import { Printer } from '../../../cli/terminal.ts';

const test = suite('the verdict as text');

const counts = { critical: 0, high: 0, medium: 0, low: 0, info: 0 };
const coverage = { complete: true, gaps: [], limits: [] };

function printed(entriesLeft: number): string {
  let written = '';
  const write = (text: string | Uint8Array) => (written += text);
  const scan = ScanBody.parse({
    ...{ runId: '0199d5a2', host: 'example.com', url: 'https://example.com/', depth: 'deep', status: 'completed' },
    ...{ phase: 'done', progress: 1, createdAt: '2026-03-04T10:00:00Z', findingsCount: 0, severity: counts },
    ...{ coverage: { ...coverage, families: [], summary: '' }, requests: 9, credits: 1, entriesLeft },
  });
  const gate = GateBody.parse({
    ...{ runId: '0199d5a2', scanStatus: 'completed', verdict: 'pass', threshold: 'high', counts, blocking: [] },
    ...{ coverage: { ...coverage, acceptedGaps: [] }, reason: 'No verified finding is high or worse.' },
  });
  printGate(new Printer({ write }, false), { scan, gate, findings: [] });
  return written;
}

test('says how many requests may have left something on the site', () => {
  assert.match(printed(2), /left on the site: 2 requests may have stored an entry/);
  assert.match(printed(1), /left on the site: one request may have stored an entry/);
  assert.not.match(printed(0), /left on the site/);
});

test.run();
