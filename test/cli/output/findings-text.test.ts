import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { printFinding } from '../../../cli/output/findings-text.ts';
import { Printer } from '../../../cli/terminal.ts';

const test = suite('a finding on a terminal');

const finding = {
  title: 'A user can sign an administrator session',
  severity: 'high',
  checkId: 'chains.forge-session',
  fingerprint: 'ab'.repeat(16),
  location: { url: 'https://shop.example/admin', method: 'GET' },
  remediation: 'Change the key.',
};

function shown(more: Partial<Parameters<typeof printFinding>[1]> = {}): string[] {
  let written = '';
  const write = (text: string | Uint8Array) => (written += text);
  printFinding(new Printer({ write }, false), { ...finding, ...more });
  return written.trimEnd().split('\n');
}

test('is its severity, title, place, remedy and names', () => {
  assert.equal(shown(), [
    '  HIGH     A user can sign an administrator session',
    '           at   GET https://shop.example/admin',
    '           fix  Change the key.',
    `           id   chains.forge-session ${'ab'.repeat(16)}`,
  ]);
});

test('that is a chain names its links in order', () => {
  const link = (actionId: string) => ({ actionId, title: 'T', gives: 'g', breaksChain: false });
  const lines = shown({ chain: [link('exposure.environment-file'), link('chains.forge-session')] });
  assert.is(lines[2], '           by   exposure.environment-file → chains.forge-session');
});

test.run();
