import { ParseOption, XmlDocument } from 'libxml2-wasm';
import { xmlRegisterFsInputProviders } from 'libxml2-wasm/lib/nodejs.mjs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { xxeUpload } from '../../../../workflows/checks/injection/xxe-upload.check.ts';
import { startCallbacks } from '../../../fixtures/callbacks.ts';
import { escapeHtml, type Handler, html, startSite } from '../../../fixtures/site.ts';
import { storedFiles } from '../../../fixtures/stored-zip.ts';
import { firstRows, further } from '../../../support/further.ts';
import { type AuditOptions, check, openAudit, places, stored } from '../harness.ts';

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

const tracks =
  (option: ParseOption): Handler =>
  ({ path, method, body }) => {
    const form = `<form method=post action=/import enctype=multipart/form-data><input type=file name=file accept=.gpx><button>Import</button></form>`;
    if (path === '/') return html(form);
    if (path !== '/import' || method !== 'POST') return undefined;
    if (!/filename="[^"]+\.gpx"/.test(String(body))) return html('<p>Tracks only</p>', 400);
    try {
      using document = XmlDocument.fromString(/<\?xml.*<\/gpx>/s.exec(String(body))?.[0] ?? '', { option });
      const space = { g: 'http://www.topografix.com/GPX/1/1' };
      const shown = document.get('/g:gpx/g:trk[g:trkseg/g:trkpt]/g:name', space)?.content;
      return html(`<p>${escapeHtml(shown ?? 'No track')}</p>`);
    } catch {
      return html('<p>Broken file</p>', 400);
    }
  };

further(test)('a form that imports tracks and shows the name of one is found, and not when it is mended', async () => {
  const found = await result(tracks(entities | ParseOption.XML_PARSE_DTDLOAD));
  assert.equal(places(found), ['POST /import file'], found.outcome.reason);
  const patched = await result(tracks(entities | ParseOption.XML_PARSE_NO_XXE));
  assert.equal(places(patched), [], patched.outcome.reason);
});

/** Subscriptions of a reader of feeds, of which it shows one title. */
const subscriptions =
  (ending: string, root: string, path: string, option: ParseOption): Handler =>
  ({ path: asked, method, body }) => {
    if (asked === '/')
      return html(
        `<form method=post action=/import enctype=multipart/form-data><input type=file name=file accept=".${ending}"><button>Import</button></form>`,
      );
    if (asked !== '/import' || method !== 'POST') return undefined;
    const text = String(body);
    if (!new RegExp(`filename="[^"]+\\.${ending}"`).test(text)) return html('<p>Another file, please</p>', 400);
    try {
      using document = XmlDocument.fromString(new RegExp(`<\\?xml.*</${root}>`, 's').exec(text)?.[0] ?? '', { option });
      return html(`<ul><li>${escapeHtml(document.get(path)?.content ?? 'nothing')}</ul>`);
    } catch {
      return html('<p>Broken file</p>', 400);
    }
  };

for (const [ending, root, path] of [
  ['opml', 'opml', '/opml/body/outline/title'],
  ['rss', 'rss', '/rss/channel/item/title'],
] as const)
  test(`a form that takes .${ending} and shows a title is found, and not when it is mended`, async () => {
    const open = entities | ParseOption.XML_PARSE_DTDLOAD;
    assert.equal(places(await result(subscriptions(ending, root, path, open))), ['POST /import file']);
    const closed = entities | ParseOption.XML_PARSE_NO_XXE;
    assert.equal(places(await result(subscriptions(ending, root, path, closed))), []);
  });

const complaints =
  (option: ParseOption): Handler =>
  ({ path, method, body }) => {
    if (path === '/')
      return html(
        '<form method=post action=/hand-in enctype=multipart/form-data><input type=file name=paper><button>Hand in</button></form>',
      );
    if (path !== '/hand-in' || method !== 'POST') return undefined;
    const text = String(body);
    if (!/filename="[^"]+\.xml"/.test(text)) return { status: 204 };
    return html(
      `<h1>No longer taken: ${escapeHtml(title(/<\?xml.*<\/root>/s.exec(text)?.[0] ?? '', option))}</h1>`,
      410,
    );
  };

further(test)(
  'a field that names no kind of file is sent a document, whose refusal may show what was read',
  async () => {
    assert.equal(places(await result(complaints(entities))), ['POST /hand-in paper']);
    assert.equal(places(await result(complaints(ParseOption.XML_PARSE_DEFAULT))), []);
  },
);

further(test)('a form that refuses the word and the scheme of one way is found by the other one', async () => {
  const guarded =
    (option: ParseOption): Handler =>
    (request) =>
      /SYSTEM|file:/.test(String(request.body)) ? html('<p>Rejected</p>', 400) : tracks(option)(request);
  const found = await result(guarded(entities | ParseOption.XML_PARSE_DTDLOAD));
  assert.equal(places(found), ['POST /import file'], found.outcome.reason);
  const patched = await result(guarded(entities | ParseOption.XML_PARSE_NO_XXE));
  assert.equal(places(patched), [], patched.outcome.reason);
});

const clean: Record<string, (file: string) => string> = {
  'is read without external entities': (file) => title(file, entities | ParseOption.XML_PARSE_NO_XXE),
  'is repeated': (file) => file,
  'is answered with an example of a file anyway': () => 'root:x:0:0:root:/root:/bin/sh',
};

for (const [what, show] of firstRows(Object.entries(clean), 1))
  test(`a drawing that ${what} is clean`, async () => {
    const found = await result(drawings(show));
    assert.equal([found.outcome.kind, places(found)], ['clean', []], found.outcome.reason);
    assert.ok(found.lasting.length <= 2, String(found.lasting.length));
  });

/** A site that takes an archive, reads one of its parts, and shows or hides what is in it. */
const documents =
  (accept: string, part: string, show: (xml: string) => string): Handler =>
  ({ path, method, bytes }) => {
    if (path === '/')
      return html(
        `<form method="post" action="/papers" enctype="multipart/form-data"><input type="file" name="file" accept="${accept}"><button>Upload</button></form>`,
      );
    if (path !== '/papers' || method !== 'POST') return undefined;
    const start = bytes.indexOf('PK\x03\x04');
    if (start === -1) return html('<p>No archive.</p>');
    const xml = storedFiles(bytes.subarray(start, bytes.lastIndexOf('\r\n--'))).get(part);
    return html(`<p>${escapeHtml(xml === undefined ? 'Nothing in it.' : show(xml))}</p>`);
  };

for (const [accept, part] of [
  ['.docx', 'word/document.xml'],
  ['.docx,.doc', 'docProps/core.xml'],
  ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'xl/sharedStrings.xml'],
] as const)
  test(`a parser of ${part} that shows what is in it is found, and with external entities off it is clean`, async () => {
    const open = await result(documents(accept, part, (xml) => title(xml, entities | ParseOption.XML_PARSE_DTDLOAD)));
    assert.equal([open.outcome.kind, places(open)], ['found', ['POST /papers file']], open.outcome.reason);
    const patched = await result(documents(accept, part, (xml) => title(xml, entities | ParseOption.XML_PARSE_NO_XXE)));
    assert.equal([patched.outcome.kind, places(patched)], ['clean', []], patched.outcome.reason);
  });

const wellFormed = (xml = ''): boolean => {
  try {
    using document = XmlDocument.fromString(xml, { option: ParseOption.XML_PARSE_NO_XXE | entities });
    return !/<!ENTITY x (?:SYSTEM|PUBLIC)/.test(xml) && document.root.name !== '';
  } catch {
    return false;
  }
};

/** Looks parts up by their types, reads the sheet by a parser that refuses what is external, and shows the title, which another one reads. */
const workbooks =
  (option: ParseOption): Handler =>
  ({ path, method, bytes }) => {
    if (path === '/')
      return html(
        '<form method="post" action="/books" enctype="multipart/form-data"><input type="file" name="book" accept=".xlsx"><button>Upload</button></form>',
      );
    if (path !== '/books' || method !== 'POST') return undefined;
    const files = storedFiles(bytes.subarray(bytes.indexOf('PK\x03\x04'), bytes.lastIndexOf('\r\n--')));
    const isComplete =
      /PartName="\/xl\/sharedStrings\.xml"/.test(files.get('[Content_Types].xml') ?? '') &&
      /<workbookPr\b/.test(files.get('xl/workbook.xml') ?? '');
    if (!isComplete || !wellFormed(files.get('xl/sharedStrings.xml'))) return html('<p>Broken file</p>', 400);
    return html(`<h1>${escapeHtml(title(files.get('docProps/core.xml') ?? '', option))}</h1>`);
  };

test('a workbook whose sheets are read strictly, and whose properties are not, is found, and not when it is mended', async () => {
  const found = await result(workbooks(entities | ParseOption.XML_PARSE_DTDLOAD));
  assert.equal(places(found), ['POST /books book'], found.outcome.reason);
  const patched = await result(workbooks(entities | ParseOption.XML_PARSE_NO_XXE));
  assert.equal(places(patched), [], patched.outcome.reason);
});

const example =
  '<goods><thing><name>Lamp</name><code>23</code><words>A lamp</words></thing><thing><name>Chair</name><code>7</code><words>A chair</words></thing></goods>';

/** Takes documents like the one that its page shows, keeps what fits into short columns, and leads to the list of it. */
function goodsImport(option: ParseOption): Handler {
  const kept: string[] = [];
  return ({ path, method, body }) => {
    if (path === '/')
      return html(
        `<form method="post" action="/import" enctype="multipart/form-data"><input type="file" name="goods" accept=".xml"><button>Upload</button></form><pre>${escapeHtml(example)}</pre>`,
      );
    if (path === '/goods') return html(`<ul>${kept.map((each) => `<li>${escapeHtml(each)}</li>`).join('')}</ul>`);
    if (path !== '/import' || method !== 'POST') return undefined;
    const file = /<\?xml.*<\/goods>/s.exec(String(body))?.[0] ?? '<goods/>';
    try {
      using document = XmlDocument.fromString(file, { option });
      const rows = document.find('/goods/thing').map((thing) => [...thing.find('*')].map(({ content }) => content));
      if (rows.length === 0 || rows.some((row) => row.length !== 3)) throw new Error('no goods');
      const names = rows.flat().filter((text) => text.length <= 60 && !kept.includes(text));
      if (names.length < rows.flat().length) throw new Error('too long, or there already');
      kept.push(...names);
      return { status: 302, headers: { location: '/goods' } };
    } catch {
      return { status: 500, body: 'Broken file.' };
    }
  };
}

further(test)(
  'a file that is imported like an example of the page and shown by the page that the answer leads to is found',
  async () => {
    const found = await result(goodsImport(entities | ParseOption.XML_PARSE_DTDLOAD));
    assert.equal([found.outcome.kind, places(found)], ['found', ['POST /import goods']], found.outcome.reason);
    const patched = await result(goodsImport(entities | ParseOption.XML_PARSE_NO_XXE));
    assert.equal([patched.outcome.kind, places(patched)], ['clean', []], patched.outcome.reason);
  },
);

/** As a parser would open what the document names, which shows nothing. */
const opening = async (xml: string): Promise<void> => {
  const [, url] = /SYSTEM "(http:[^"]+)"/.exec(xml) ?? [];
  if (url !== undefined) await fetch(url);
};

further(test)(
  'a parser that shows nothing and calls what a document names is found, as no more than a call',
  async () => {
    const callbacks = await startCallbacks();
    try {
      const silent = (read: (xml: string) => unknown) =>
        documents('.xlsx', 'xl/workbook.xml', (xml) => (read(xml) === undefined ? '' : 'Thank you.'));
      const found = await result(silent(opening), { callbacks: callbacks.probe });
      assert.equal([found.outcome.kind, places(found)], ['found', ['POST /papers file']], found.outcome.reason);
      assert.match(stored(found), /was not shown/);
      const patched = await result(
        silent((xml) => xml),
        { callbacks: callbacks.probe },
      );
      assert.equal([patched.outcome.kind, places(patched)], ['clean', []], patched.outcome.reason);
    } finally {
      await callbacks.close();
    }
  },
);

test('no drawing is sent where what stays is not allowed', async () => {
  const found = await result(
    drawings((file) => file),
    { writes: 'reversible' },
  );
  assert.equal([found.outcome.kind, found.lasting.length], ['not-applicable', 0]);
});

test.run();
