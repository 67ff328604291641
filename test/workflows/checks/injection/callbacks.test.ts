import { exec, execFile } from 'node:child_process';
import { ParseOption, XmlDocument, xmlRegisterInputProvider } from 'libxml2-wasm';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Check } from '../../../../workflows/checks/contract.ts';
import { osCommand } from '../../../../workflows/checks/injection/os-command.check.ts';
import { xxe } from '../../../../workflows/checks/injection/xxe.check.ts';
import { startCallbacks, type TestCallbacks } from '../../../fixtures/callbacks.ts';
import { type Handler, html, startSite } from '../../../fixtures/site.ts';
import { firstRows } from '../../../support/further.ts';
import { sideBySide } from '../../../support/side-by-side.ts';
import { check, openAudit, places, stored } from '../harness.ts';

const suiteOfAll = suite('injection by callback');
let callbacks: Promise<TestCallbacks> | undefined;
const listener = () => {
  callbacks ??= startCallbacks();
  return callbacks;
};
suiteOfAll.before(() => {
  // What a document names is asked for as libxml2 would, of which this build has no network; what comes back is never read.
  xmlRegisterInputProvider({
    match: (name) => name.startsWith('http:'),
    open: (name) => {
      fetch(name).catch(() => {});
      return 7;
    },
    read: () => 0,
    close: () => true,
  });
});
suiteOfAll.after(async () => (await callbacks)?.close());
const test = sideBySide(suiteOfAll, 8);

async function result<D>(subject: Check<D>, handler: Handler) {
  const { probe } = await listener();
  const site = await startSite(handler);
  const audit = await openAudit(site.url, { callbacks: probe });
  try {
    return await check(audit, subject as Check);
  } finally {
    await audit.close();
    await site.close();
  }
}

/** Takes a value, does something with it later, and says nothing of that. */
const queue =
  (use: (value: string) => void, parameter: string, sample: string): Handler =>
  ({ path, query }) => {
    if (path === '/') return html(`<a href="/queue?${parameter}=${encodeURIComponent(sample)}">Queue</a>`);
    if (path !== '/queue') return undefined;
    const value = query.get(parameter) ?? '';
    setImmediate(() => use(value));
    return html('Queued');
  };

const run = (line: string): void => void exec(line, { timeout: 5_000 }, () => {});
const host = (use: (value: string) => void) => queue(use, 'host', 'localhost');

const commands: Record<string, Handler> = {
  'a value without quotes': host((value) => run(`: ${value}`)),
  'a value in single quotes': host((value) => run(`printf '%s' '${value}' >/dev/null`)),
  'a value in double quotes, without semicolons': host((value) => run(`: "${value.replaceAll(';', '')}"`)),
};
for (const [what, handler] of firstRows(Object.entries(commands), 1))
  test(`${what} of a command that runs later is found`, async () => {
    const found = await result(osCommand, handler);
    assert.equal([found.outcome.kind, places(found)], ['found', ['GET /queue host']], found.outcome.reason);
    assert.match(stored(found), /callback:protocols/);
  });

const harmless: Record<string, Handler> = {
  'a value that is an argument of a program': host((value) => void execFile('true', [value], () => {})),
  'a value that is quoted': host((value) => run(`: '${value.replaceAll("'", `'\\''`)}'`)),
  'a value whose addresses are fetched': host((value) => {
    for (const [url] of value.matchAll(/https?:\/\/[^\s|;&]+/g)) fetch(url).catch(() => {});
  }),
};
for (const [what, handler] of firstRows(Object.entries(harmless), 1))
  test(`${what} is no command`, async () => {
    const found = await result(osCommand, handler);
    assert.equal([found.outcome.kind, found.findings.length], ['clean', 0], found.outcome.reason);
  });

const open = ParseOption.XML_PARSE_NOENT | ParseOption.XML_PARSE_DTDLOAD;
const closed = ParseOption.XML_PARSE_NONET | ParseOption.XML_PARSE_NO_XXE;

function parse(text: string, option: ParseOption): void {
  try {
    using document = XmlDocument.fromString(text, { option });
    document.root.name;
  } catch {
    // The job fails, and nobody sees it.
  }
}

const order = '<order><item>lamp</item></order>';
const documents: Record<string, Handler> = {
  'that names addresses': queue((text) => parse(text, open), 'xml', order),
  'without general entities': queue((text) => parse(text.replaceAll(/<!ENTITY y[^>]*>|&y;/g, ''), open), 'xml', order),
};
for (const [what, handler] of firstRows(Object.entries(documents), 1))
  test(`a document ${what} and is parsed later is found`, async () => {
    const found = await result(xxe, handler);
    assert.equal([found.outcome.kind, places(found)], ['found', ['GET /queue xml']], found.outcome.reason);
    assert.match(stored(found), /callback:protocols/);
  });

const closedDocuments: Record<string, Handler> = {
  'by a parser that opens nothing': queue((text) => parse(text, closed), 'xml', order),
  'not at all': queue(() => {}, 'xml', order),
};
for (const [what, handler] of firstRows(Object.entries(closedDocuments), 1))
  test(`a document that is parsed later ${what} is clean`, async () => {
    const found = await result(xxe, handler);
    assert.equal([found.outcome.kind, found.findings.length], ['clean', 0], found.outcome.reason);
  });

suiteOfAll.run();
