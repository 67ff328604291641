import { readFileSync } from 'node:fs';
import { ParseOption, XmlDocument } from 'libxml2-wasm';
import { xmlRegisterFsInputProviders } from 'libxml2-wasm/lib/nodejs.mjs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Severity } from '../../../../proto/gen/scanaudit/v1/findings_pb.ts';
import { xxe } from '../../../../workflows/checks/injection/xxe.check.ts';
import { type Answer, escapeHtml, type Handler, html, json, startSite } from '../../../fixtures/site.ts';
import { firstRows, further } from '../../../support/further.ts';
import { type AuditOptions, places, runOn, stored, testBrowsers } from '../harness.ts';

const test = suite('injection.xxe');
test.before(() => void xmlRegisterFsInputProviders());

async function result(handler: Handler, options: AuditOptions = {}) {
  const site = await startSite(handler);
  try {
    return { ...(await runOn(site.url, xxe, options)), requests: site.requests };
  } finally {
    await site.close();
  }
}

/** Opens what a document names, as libxml2 does where an application asks for that. */
const open = ParseOption.XML_PARSE_NOENT | ParseOption.XML_PARSE_DTDLOAD;
const closed = ParseOption.XML_PARSE_NONET | ParseOption.XML_PARSE_NO_XXE;

/** The text of a document's root, or what the parser says. */
function parsed(text: string, option: ParseOption, show: (document: XmlDocument) => string): string {
  try {
    using document = XmlDocument.fromString(text, { option });
    return show(document);
  } catch (error) {
    return `XMLSyntaxError: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** As libxml2 reads what says so, with the tables of the system. Source: RFC 2152. */
const fromUtf7 = (text: string): string =>
  /^<\?xml[^>]*encoding="UTF-7"/.test(text)
    ? text
        .replace(' encoding="UTF-7"', '')
        .replace(/\+([A-Za-z\d+/]+)-/g, (_, coded: string) => Buffer.from(coded, 'base64').swap16().toString('utf16le'))
    : text;

const rootText = (document: XmlDocument): string => document.root.content;

const showing =
  (show: (text: string) => Answer, parameter = 'xml', sample = '<order><item>lamp</item></order>'): Handler =>
  ({ path, query }) => {
    if (path === '/') return html(`<a href="/read?${parameter}=${encodeURIComponent(sample)}">Read</a>`);
    return path === '/read' ? show(query.get(parameter) ?? '') : undefined;
  };

const vulnerable: Record<string, Handler> = {
  'whose text comes back in a page': showing((text) => html(`<pre>${escapeHtml(parsed(text, open, rootText))}</pre>`)),
  'whose text comes back in JSON': showing((text) => json({ item: parsed(text, open, rootText) })),
  'of which one element is shown': showing((text) =>
    html(escapeHtml(parsed(text, open, (document) => document.get('/order/item')?.content ?? 'none'))),
  ),
  'that is serialised again, from a parameter that is called something else': showing(
    (text) => html(escapeHtml(parsed(text, open, (document) => document.toString()))),
    'd',
    'lamp',
  ),
  'that is refused when it has a word of entities in it': showing((text) =>
    html(/entity|system|public|xinclude/i.test(text) ? 'refused' : escapeHtml(parsed(fromUtf7(text), open, rootText))),
  ),
  'that is refused when it has a keyword for files, or their scheme, in it': showing((text) =>
    html(/SYSTEM|file:|UTF-7|XInclude/.test(text) ? 'refused' : escapeHtml(parsed(text, open, rootText))),
  ),
};

for (const [what, handler] of firstRows(Object.entries(vulnerable), 3))
  test(`a document ${what} is found`, async () => {
    const found = await result(handler);
    assert.equal([found.outcome.kind, found.findings.length], ['found', 1], found.outcome.reason);
    assert.is(found.findings[0]?.severity, Severity.HIGH);
    assert.match(stored(found), /etc\/passwd|etc%2Fpasswd/);
  });

/** Of a document of the server: what stands for a file is replaced by it, as XInclude demands. */
const inDocument = (write: (value: string) => string): Handler =>
  showing(
    (value) => {
      const text = parsed(`<r><item>${write(value)}</item></r>`, open, (document) => {
        const href = document.get('//i:include/@href', { i: 'http://www.w3.org/2001/XInclude' });
        return href ? readFileSync(new URL(href.content), 'utf8') : document.root.content;
      });
      return html(/^XMLSyntaxError/.test(text) ? '<p>No such item' : `<p>${escapeHtml(text)}</p>`);
    },
    'item',
    'lamp',
  );

test('a value that is put into a document, whose errors nobody sees, is found', async () => {
  const found = await result(inDocument((value) => value));
  assert.equal([found.outcome.kind, places(found)], ['found', ['GET /read item']], found.outcome.reason);
});

for (const [what, write] of Object.entries<(value: string) => string>({
  'a value that is escaped in a document': escapeHtml,
  'a value with markup that is refused': (value) => (value.includes('<') ? '<' : escapeHtml(value)),
}))
  test(`${what} is clean`, async () => {
    const found = await result(inDocument(write));
    assert.equal([found.outcome.kind, places(found)], ['clean', []], found.outcome.reason);
  });

test('a document in base64, which has no other signs, is found', async () => {
  const read = (text: string) =>
    /^[A-Za-z\d+/]+={0,2}$/.test(text)
      ? escapeHtml(parsed(Buffer.from(text, 'base64').toString(), open, rootText))
      : 'This cannot be read.';
  const sample = Buffer.from('<order><item>lamp</item></order>').toString('base64');
  const found = await result(showing((text) => html(read(text)), 'order', sample));
  assert.equal([found.outcome.kind, places(found)], ['found', ['GET /read order']], found.outcome.reason);
});

const searching: Handler = ({ path, method, headers, body }) => {
  if (path === '/')
    return html(
      `<input id=q type=search><p id=r></p><script>
        q.onchange = async () => { r.textContent = await (await fetch('/api/search', { method: 'POST',
          headers: { 'content-type': 'application/json' }, body: JSON.stringify({ query: q.value || 'lamp', page: 1 }) })).text(); };
        q.onchange();
      </script>`,
    );
  if (path !== '/api/search' || method !== 'POST') return undefined;
  const isXml = String(headers['content-type']).includes('xml');
  const member = (name: string) =>
    isXml
      ? parsed(String(body), open, (document) => document.get(`/root/${name}`)?.content ?? '')
      : (JSON.parse(String(body)) as Record<string, unknown>)[name];
  if (!/^\d+$/.test(String(member('page')))) return json({ error: 'page has to be a number' }, 400);
  return json({ query: member('query'), results: [] });
};

further(test)('an interface for JSON that reads XML as well is found', async () => {
  const browsers = testBrowsers();
  try {
    const found = await result(searching, { browsers, depth: 'deep' });
    assert.equal([found.outcome.kind, places(found)], ['found', ['POST /api/search XML']], found.outcome.reason);
  } finally {
    await browsers.close();
  }
});

further(test)('a parser whose error alone names what it cannot open is reported as that', async () => {
  const found = await result(
    showing((text) => {
      const path = /SYSTEM "file:\/\/([^"]+)"/.exec(text)?.[1];
      const shown = parsed(text, open, () => 'Thank you.');
      return html(
        path?.includes('/etc/') || !path ? 'Thank you.' : `failed to load external entity "${path}" ${shown.length}`,
      );
    }),
  );
  assert.equal([found.outcome.kind, found.findings[0]?.severity], ['found', Severity.MEDIUM], found.outcome.reason);
  assert.match(found.findings[0]?.description ?? '', /was not shown/);
});

test('an interface that takes JSON alone, and repeats what it refuses, is not sent every document', async () => {
  const browsers = testBrowsers();
  const documents: string[] = [];
  const jsonAlone: Handler = (request) => {
    if (!String(request.headers['content-type']).includes('xml')) return searching(request);
    documents.push(request.body);
    return json({ detail: 'this is no object', input: request.body }, 422);
  };
  try {
    const found = await result(jsonAlone, { browsers, depth: 'deep' });
    assert.equal([found.outcome.kind, places(found)], ['clean', []], found.outcome.reason);
    assert.ok(documents.length > 0 && documents.length <= 6, String(documents.length));
  } finally {
    await browsers.close();
  }
});

/** A document with what XInclude stands for in it, as a parser puts it there that is told to. */
const including = (text: string): string =>
  text.replace(
    /<(\w+):include xmlns:\1="http:\/\/www\.w3\.org\/2001\/XInclude" parse="text" href="file:\/\/([^"]+)"\/>/g,
    (_, __, path: string) => escapeHtml(readFileSync(path, 'utf8')),
  );

/** Pages under numbers, each of which sends a document of its own by script. */
const desks =
  (readers: readonly ((text: string) => string)[]): Handler =>
  ({ path, method, body }) => {
    if (path === '/') return html(readers.map((_, index) => `<a href="/desk/${index + 1}">Note</a>`).join(' '));
    const read = readers[Number(/^\/desk\/(\d+)$/.exec(path)?.[1]) - 1];
    if (!read) return undefined;
    if (method === 'POST') return html(escapeHtml(read(String(body))));
    return html(`<h1>Note</h1><form id=f><textarea id=v>&lt;note&gt;&lt;item&gt;lamp&lt;/item&gt;&lt;/note&gt;</textarea><button>Look up</button></form>
      <script>f.onsubmit = async (event) => { event.preventDefault();
        await fetch('${path}', { method: 'POST', headers: { 'content-type': 'application/xml' }, body: v.value }); };</script>`);
  };

test('each of the documents that numbered pages send is tried, also with elements that stand for files', async () => {
  const browsers = testBrowsers();
  const [safe, weak] = [
    (text: string) => parsed(text, closed, rootText),
    (text: string) => parsed(text, open, rootText),
  ];
  const withElements = (text: string) => (text.includes('<!DOCTYPE') ? 'refused' : safe(including(text)));
  const of = async (readers: readonly ((text: string) => string)[]) => {
    const found = await result(desks(readers), { browsers, depth: 'deep', writes: 'create' });
    return [found.outcome.kind, places(found).toSorted()];
  };
  try {
    assert.equal(await of([weak, safe, withElements]), ['found', ['POST /desk/1 XML', 'POST /desk/3 XML']]);
    assert.equal(await of([safe, safe, safe]), ['clean', []]);
  } finally {
    await browsers.close();
  }
});

const clean: Record<string, Handler> = {
  'that is parsed without external entities': showing((text) =>
    html(escapeHtml(parsed(text, closed | ParseOption.XML_PARSE_NOENT, rootText))),
  ),
  'that is repeated': showing((text) => html(escapeHtml(text))),
  'whose paths are repeated in an error': showing((text) => html(`File not found: ${escapeHtml(text)}`)),
  'for which a page shows an example of a file anyway': showing(() => html('<pre>root:x:0:0:root:/root:/bin/sh</pre>')),
  'that is parsed without entities at all': showing((text) => html(escapeHtml(parsed(text, closed, rootText)))),
  'that a loader refuses whatever it names': showing((text) =>
    html(/ENTITY x (?:SYSTEM|PUBLIC)/.test(text) ? `failed to load external entity ${escapeHtml(text)}` : 'Thank you.'),
  ),
};

for (const [what, handler] of firstRows(Object.entries(clean), 3))
  test(`a document ${what} is clean`, async () => {
    const found = await result(handler);
    assert.equal([found.outcome.kind, found.findings.length], ['clean', 0], found.outcome.reason);
  });

test('an input that says nothing of XML is sent a word, and what other checks ask as well', async () => {
  const { requests } = await result(showing(() => html('Hello'), 'q', 'lamp'));
  assert.is(requests.filter((request) => /\?q=(?!lamp)/.test(request)).length, 1);
});

test.run();
