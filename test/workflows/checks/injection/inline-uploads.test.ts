import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { upload } from '../../../../workflows/checks/injection/upload.check.ts';
import { html, json, startSite } from '../../../fixtures/site.ts';
import { firstRows } from '../../../support/further.ts';
import { check, openAudit, places, testBrowsers } from '../harness.ts';

const test = suite('files in the text of a request');
const browsers = testBrowsers();
test.after(() => browsers.close());

type Kept = { name: string; content: Buffer };
type Way = { send: string; read: (body: string) => Kept | undefined };

const endingOf = (type: string): string => type.replace(/^.*\//s, '').replace(/\+xml$/, '');
let count = 0;
const fromAddress = (address = ''): Kept | undefined => {
  const [, type, content] = /^data:([\w+/]+);base64,([\w+/=]+)$/.exec(address) ?? [];
  count += 1;
  return type && content ? { name: `p${count}.${endingOf(type)}`, content: Buffer.from(content, 'base64') } : undefined;
};

const ways: Record<string, Way> = {
  'an address with its content, as JSON': {
    send: `{ headers: { 'content-type': 'application/json' }, body: JSON.stringify({ title: 'a', picture: reader.result }) }`,
    read: (body) => fromAddress(JSON.parse(body).picture),
  },
  'an address with its content, as a form': {
    send: `{ body: new URLSearchParams({ picture: reader.result }) }`,
    read: (body) => fromAddress(new URLSearchParams(body).get('picture') ?? ''),
  },
  'a name and base64': {
    send: `{ headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ fileName: field.files[0].name, data: reader.result.split(',')[1] }) }`,
    read: (body) => {
      const { fileName, data } = JSON.parse(body);
      return { name: fileName.replaceAll('/', ''), content: Buffer.from(data, 'base64') };
    },
  },
};

const jsonType = { 'content-type': 'application/json' };
const types: Record<string, string> = { html: 'text/html', svg: 'image/svg+xml', png: 'image/png' };

async function result({ send, read }: Way, isTaken: (name: string) => boolean) {
  const files = new Map<string, Buffer>();
  const page = `<h1>Album</h1><input type=file id=field><button id=go>Send the picture</button><p id=answer></p><script>
    go.onclick = () => {
      const reader = new FileReader();
      reader.onload = () => fetch('/api/pictures', { method: 'POST', ...${send} })
        .then((r) => r.json()).then((r) => { answer.textContent = r.url });
      reader.readAsDataURL(field.files[0]);
    }</script>`;
  const site = await startSite(({ path, method, body }) => {
    if (path === '/') return html(page);
    const file = files.get(path);
    if (file)
      return {
        status: 200,
        headers: { 'content-type': types[path.replace(/^.*\./s, '')] ?? 'application/octet-stream' },
        body: file.toString(),
      };
    if (path !== '/api/pictures' || method !== 'POST') return undefined;
    const kept = read(body);
    if (!kept || !isTaken(kept.name)) return json({ error: 'a picture, please' }, 422);
    files.set(`/kept/${kept.name}`, kept.content);
    // As PHP writes JSON.
    return { status: 200, headers: jsonType, body: `{"url":"\\/kept\\/${kept.name}"}` };
  });
  const audit = await openAudit(site.url, { browsers, depth: 'deep', writes: 'create' });
  try {
    return { ...(await check(audit, upload)), lasting: audit.lasting };
  } finally {
    await audit.close();
    await site.close();
  }
}

for (const [what, way] of firstRows(Object.entries(ways), 1))
  test(`${what}, are kept and opened as a page, and clean where pictures alone are taken`, async () => {
    const found = await result(way, () => true);
    assert.match(places(found).join(), /^POST \/api\/pictures (?:picture|data)$/, found.outcome.reason);
    assert.ok(found.lasting.length >= 4, String(found.lasting.length));
    const patched = await result(way, (name) => /\.(?:png|jpe?g|gif)$/.test(name));
    assert.equal([patched.outcome.kind, places(patched)], ['clean', []], patched.outcome.reason);
  });

test.run();
