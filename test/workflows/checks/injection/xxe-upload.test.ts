import { ParseOption, XmlDocument } from 'libxml2-wasm';
import { xmlRegisterFsInputProviders } from 'libxml2-wasm/lib/nodejs.mjs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { xxeUpload } from '../../../../workflows/checks/injection/xxe-upload.check.ts';
import { escapeHtml, type Handler, html, startSite } from '../../../fixtures/site.ts';
import { type AuditOptions, check, openAudit, places } from '../harness.ts';

const test = suite('injection.xxe-upload');
test.before(() => void xmlRegisterFsInputProviders());

async function result(handler: Handler, options: AuditOptions = {}) {
  const site = await startSite(handler);
  const audit = await openAudit(site.url, { depth: 'deep', writes: 'create', ...options });
  try {
    return { ...(await check(audit, xxeUpload)), lasting: audit.lasting };
  } finally {
    await audit.close();
    await site.close();
  }
}

const form =
  '<form method="post" action="/icon" enctype="multipart/form-data"><input name="title"><input type="file" name="icon" accept=".svg"><button>Upload</button></form>';

const drawings =
  (show: (file: string) => string): Handler =>
  ({ path, method, body }) => {
    if (path === '/') return html(form);
    if (path !== '/icon' || method !== 'POST') return undefined;
    return html(`<pre>${escapeHtml(show(/<\?xml.*<\/svg>/s.exec(String(body))?.[0] ?? ''))}</pre>`);
  };

function title(file: string, option: ParseOption): string {
  try {
    using document = XmlDocument.fromString(file, { option });
    return document.root.content;
  } catch {
    return 'Broken file.';
  }
}

const entities = ParseOption.XML_PARSE_NOENT;

test('a parser of drawings that opens what they name is found, and what was sent is recorded', async () => {
  const found = await result(drawings((file) => title(file, entities | ParseOption.XML_PARSE_DTDLOAD)));
  assert.equal([found.outcome.kind, places(found)], ['found', ['POST /icon icon']], found.outcome.reason);
  assert.ok(found.lasting.length >= 4 && found.lasting.length <= 6, String(found.lasting.length));
});

const clean: Record<string, (file: string) => string> = {
  'is read without external entities': (file) => title(file, entities | ParseOption.XML_PARSE_NO_XXE),
  'is repeated': (file) => file,
  'is answered with an example of a file anyway': () => 'root:x:0:0:root:/root:/bin/sh',
};

for (const [what, show] of Object.entries(clean))
  test(`a drawing that ${what} is clean`, async () => {
    const found = await result(drawings(show));
    assert.equal([found.outcome.kind, places(found)], ['clean', []], found.outcome.reason);
    assert.ok(found.lasting.length <= 2, String(found.lasting.length));
  });

test('no drawing is sent where what stays is not allowed', async () => {
  const found = await result(
    drawings((file) => file),
    { writes: 'reversible' },
  );
  assert.equal([found.outcome.kind, found.lasting.length], ['not-applicable', 0]);
});

test.run();
