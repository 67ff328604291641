import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { run } from '../../cli/run.ts';
import { Printer, printable, type Stream, styled, table, wrap } from '../../cli/terminal.ts';
import { createOrg } from '../contract/support/orgs.ts';
import { begin, complete, start } from '../contract/support/scans.ts';
import { startWorld, type World } from '../contract/support/world.ts';
import { further } from '../support/further.ts';
import { eventually } from '../support/processes.ts';
import { envOf, workOn } from './support.ts';

const unit = suite('text for a terminal');

const hidden: [name: string, text: string, shown: string][] = [
  ['an escape sequence', '\u001b[31mred', '\\u{1b}[31mred'],
  ['a C1 control', 'a\u009bb', 'a\\u{9b}b'],
  ['a newline', 'a\r\nb', 'a\\u{d}\\u{a}b'],
  ['a change of direction', 'a\u202eb\u2066', 'a\\u{202e}b\\u{2066}'],
  ['a character that shows nothing', 'a\u200bb\ufeff', 'a\\u{200b}b\\u{feff}'],
  ['a line separator', 'a\u2028b', 'a\\u{2028}b'],
  ['half a surrogate pair', 'a\ud800b', 'a\ufffdb'],
  ['a command to a runner', '##[error]x', '# #[error]x'],
  ['writing of any language', 'Größe 大小 😀', 'Größe 大小 😀'],
];
for (const [name, text, shown] of hidden)
  unit(`${name} is shown as ${JSON.stringify(shown)}`, () => assert.is(printable(text), shown));

unit('no line begins as a command to a runner, however it is put together', () => {
  const printer = new Printer({ write: () => true }, true);
  for (const parts of [['::error::x'], ['  ', '::error::x'], [styled('red', '  :'), ':error::x']])
    assert.match(printer.render(parts), /^> /);
  assert.is(printer.render(['at ::1']), 'at ::1');
});

unit('styles are written only where there are colours, and never from a text', () => {
  const part = styled('red', 'a\u001b[0m');
  assert.is(new Printer({ write: () => true }, true).render([part]), '\u001b[31ma\\u{1b}[0m\u001b[0m');
  assert.is(new Printer({ write: () => true }, false).render([part]), 'a\\u{1b}[0m');
});

unit('wraps at spaces, and keeps long words whole', () => {
  assert.equal(wrap('one two three', 7), ['one two', 'three']);
  assert.equal(wrap('one\n\ntwo', 7), ['one', 'two']);
  assert.equal(wrap('', 7), []);
  assert.equal(wrap('abcdefghij k', 4), ['abcdefghij', 'k']);
});

unit('a table has columns', () => {
  assert.equal(
    table([
      ['A', 'B'],
      ['long', '\u001b'],
    ]),
    ['A     B', 'long  \\u{1b}'],
  );
});

unit.run();

/** A terminal, or a pipe, that keeps what is written. */
function streamOf(isTTY: boolean, columns = 80): Stream & { written: string } {
  const stream = {
    isTTY,
    columns,
    written: '',
    write(data: string | Uint8Array) {
      stream.written += typeof data === 'string' ? data : Buffer.from(data).toString();
    },
  };
  return stream;
}

const test = suite('a terminal and a pipe', {} as World);
test.before(async (context) => {
  Object.assign(context, await startWorld());
});
test.after((world) => world.close());

/** A gate of a scan that a worker works on, in front of these streams. */
async function gateOn(world: World, stderr: Stream & { written: string }, env: Record<string, string> = {}) {
  const org = await createOrg(world);
  const runId = await start(world, org);
  const stdout = streamOf(stderr.isTTY ?? false);
  const { signal } = new AbortController();
  const all = { ...envOf(world.baseUrl, org.key), ...env };
  const ended = run(['gate', '--run', runId], { env: all, stdout, stderr, signal });
  await eventually('it shows that the scan waits', async () => stderr.written.includes('waiting for its turn'));
  await workOn(world, runId, { findings: [{ severity: 'high' }] });
  return { code: await ended, stdout: stdout.written, stderr: stderr.written };
}

test('a terminal gets one line that is rewritten, colours, and no remains of the bar', async (world) => {
  const { code, stdout, stderr } = await gateOn(world, streamOf(true, 60));
  assert.is(code, 2);
  assert.match(stderr, '░');
  assert.not.match(stderr, '\n');
  for (const line of stderr.split('\r\u001b[K')) assert.ok(line.length < 60, line);
  assert.ok(stderr.endsWith('\r\u001b[K'));
  assert.match(stdout, '\u001b[31mFAIL\u001b[0m');
});

for (const [name, isTTY, env] of [
  ['a pipe', false, {}],
  ['a terminal of a pipeline', true, { CI: 'true', NO_COLOR: '1' }],
  ['a terminal that can do nothing', true, { TERM: 'dumb' }],
] as const) {
  test(`${name} gets whole lines, each state once`, async (world) => {
    const { stdout, stderr } = await gateOn(world, streamOf(isTTY), env);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
    assert.not.match(stdout + stderr, /[\u0000-\u0009\u000b-\u001f]/);
    const lines = stderr.trimEnd().split('\n');
    assert.is(lines.filter((line) => line.includes('waiting for its turn')).length, 1);
    assert.match(lines.at(-1) ?? '', /^100 % {2}done/);
  });
}

further(test)('CI=false is no pipeline, and NO_COLOR takes the colours only', async (world) => {
  const { stdout, stderr } = await gateOn(world, streamOf(true), { CI: 'false', NO_COLOR: '1' });
  assert.match(stderr, '\r\u001b[K');
  assert.not.match(stdout, '\u001b');
});

test('an unencrypted address gets a warning, loopback none', async (world) => {
  const org = await createOrg(world);
  await complete(world, org);
  const written = async (api: string) => {
    const stderr = streamOf(false);
    const env = { ...envOf(api, org.key) };
    await run(['scans', 'show', 'x'], { env, stdout: streamOf(false), stderr, signal: AbortSignal.timeout(5_000) });
    return stderr.written;
  };
  assert.not.match(await written(world.baseUrl), 'unencrypted');
  assert.match(await written('http://audit.invalid'), 'warning: the API key goes to this address unencrypted');
});

test('begins a scan that is shown by its phase', async (world) => {
  const org = await createOrg(world);
  const runId = await start(world, org);
  await begin(world, runId);
  await world.work('RunService/ReportProgress', { runId, phase: 'survey', progress: 0.25 });
  const stderr = streamOf(false);
  const controller = new AbortController();
  const ended = run(['scans', 'watch', runId], {
    env: envOf(world.baseUrl, org.key),
    stdout: streamOf(false),
    stderr,
    signal: controller.signal,
  });
  await eventually('the phase shows', async () => stderr.written.includes('surveying the site'));
  controller.abort();
  assert.is(await ended, 1);
  assert.match(stderr.written, /^ 25 % {2}surveying the site, 0 verified/m);
  assert.match(
    stderr.written,
    `error: Interrupted. The scan goes on: cancel it with "scan-audit scans cancel ${runId}".`,
  );
});

test('watching for as long as was said ends with what can be done', async (world) => {
  const org = await createOrg(world);
  const runId = await start(world, org);
  const stderr = streamOf(false);
  const ended = run(['scans', 'watch', runId, '--timeout', '2'], {
    env: envOf(world.baseUrl, org.key),
    stdout: streamOf(false),
    stderr,
    signal: AbortSignal.timeout(60_000),
  });
  assert.is(await ended, 1);
  assert.match(stderr.written, `cancel it with "scan-audit scans cancel ${runId}", or allow more with --timeout.`);
});

test.run();
