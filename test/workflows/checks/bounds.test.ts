import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { hiddenRoute } from '../../../workflows/chains/hidden-route.step.ts';
import { forcedBrowsing } from '../../../workflows/checks/access/forced-browsing.check.ts';
import { idsIn } from '../../../workflows/checks/access/own-ids.ts';
import { privilegeOf } from '../../../workflows/checks/access/privileged-page.ts';
import { importNamesIn, membersIn, namesIn } from '../../../workflows/checks/client/address-names.ts';
import { domXss } from '../../../workflows/checks/client/dom-xss.check.ts';
import { integrityMissing } from '../../../workflows/checks/client/integrity-missing.check.ts';
import { messageVisits } from '../../../workflows/checks/client/message-visits.ts';
import { spelledVisits } from '../../../workflows/checks/client/spelled-visits.ts';
import { tokensIn } from '../../../workflows/checks/client/stored-tokens.ts';
import { createSheetReader } from '../../../workflows/checks/client/style-sheets.ts';
import type { CheckContext } from '../../../workflows/checks/contract.ts';
import { hiddenRoutes } from '../../../workflows/checks/exposure/hidden-routes.ts';
import type { Repository } from '../../../workflows/checks/git/repository.ts';
import { walkFiles } from '../../../workflows/checks/git/walk.ts';
import { permissionsPolicyMissing } from '../../../workflows/checks/headers/parts/permissions-policy-missing.ts';
import { cookieInputs } from '../../../workflows/checks/inputs/cookie-inputs.ts';
import { namedPaths } from '../../../workflows/checks/inputs/path-inputs.ts';
import { missingTargets } from '../../../workflows/checks/names/missing-targets.ts';
import { united } from '../../../workflows/checks/omitted.ts';
import { routesInDescription, routesInSources } from '../../../workflows/checks/pages/route-templates.ts';
import { textsShown } from '../../../workflows/checks/sessions/private-text.ts';
import type { Exchange } from '../../../workflows/model/http.ts';
import type { Omitted } from '../../../workflows/model/omission.ts';
import type { PageSurface, Surface } from '../../../workflows/model/surface.ts';
import { shownIn } from '../../../workflows/observation/shown.ts';
import type { GitObject } from '../../../workflows/proof/git-pack.ts';
import { pagesAround } from '../../../workflows/survey/pages-around.ts';
import { type Handler, html, startSite } from '../../fixtures/site.ts';
import { further } from '../../support/further.ts';
import { checkLike } from '../support/checks.ts';
import { fact, places, runOn, stored, testBrowsers } from './harness.ts';

const browsers = testBrowsers();
const test = suite('the bounds of checks');
test.after(() => browsers.close());

function teller() {
  const reported: Omitted[] = [];
  return { reported, leave: (omitted: Omitted) => void reported.push(omitted), nonce: () => 'qword' };
}
type Teller = ReturnType<typeof teller>;

const codes = ({ reported }: Pick<Teller, 'reported'>) => reported.map(({ code, count }) => [code, count]);
const many = (count: number, make: (index: number) => string): string[] =>
  Array.from({ length: count }, (_, index) => make(index));
const site = 'https://shop.example';
const page = (path: string, more: Partial<PageSurface> = {}): PageSurface => ({
  ...{ url: site + path, status: 200, contentType: 'text/html', headers: [], setCookies: [], title: '' },
  ...{ scripts: [], source: '', ...more },
});

async function resultOf(handler: Handler, subject: Parameters<typeof runOn>[1]) {
  const server = await startSite(handler);
  try {
    return await runOn(server.url, subject, { browsers });
  } finally {
    await server.close();
  }
}

const asking = (count: number) => many(count, (index) => `new URLSearchParams(location.search).get("n${index}")`);

const guesses: Record<string, [look: (context: CheckContext) => unknown, left: number]> = {
  'names of parameters that scripts ask for': [(context) => namesIn(context, asking(35)), 5],
  'mentions of names in one script': [(context) => namesIn(context, [many(210, () => '.get("q")').join(';')]), 1],
  'members of JSON in the address': [
    (context) =>
      membersIn(
        context,
        many(11, (index) => `JSON.parse(decodeURIComponent(location.hash)).m${'abcdefghijk'[index]}`),
      ),
    3,
  ],
  'modules that scripts load': [(context) => importNamesIn(context, [many(203, () => 'import(name);').join(' ')]), 1],
  'members and kinds of messages': [
    (context) => {
      const members = many(12, (index) => `use(event.data.m${'abcdefghijkl'[index]})`);
      const kinds = many(6, (index) => `if (type === "k${index}") {}`);
      messageVisits(context, site, [`addEventListener("message", (event) => { ${[...members, ...kinds].join(';')} })`]);
    },
    4,
  ],
  'names and routes of the fragment': [
    (context) => {
      const routes = many(5, (index) => `"/r${'abcde'[index]}"`).join(';');
      const reading = [`location.hash.split("?"); ${routes}`];
      const names = many(9, (index) => `n${index}`);
      spelledVisits(context, { pageUrl: site, reading, names, members: [] });
    },
    5,
  ],
  'names whose values may be in base64': [
    (context) => {
      const names = many(4, (index) => `n${index}`);
      spelledVisits(context, { pageUrl: site, reading: ['atob(location.hash)'], names, members: [] });
    },
    2,
  ],
  'tokens in the storage of a page': [
    (context) => {
      const tokens = many(9, (index) => `${index}Zk3vTq8Lw1Xc9Rf5Ny7Hd2Bg6Mp4Js0Va`);
      const local = Object.fromEntries(tokens.map((token, index) => [`token${index}`, token]));
      tokensIn(context, { local, session: {} });
    },
    3,
  ],
};

for (const [what, [look, left]] of Object.entries(guesses))
  test(`${what} beyond a bound are a limit`, () => {
    const context = teller();
    look(context as never);
    const all = context.reported.every(({ code }) => code === 'guessed');
    assert.equal([all, context.reported.reduce((sum, { count }) => sum + count, 0)], [true, left]);
  });

test('routes beyond the limit of a fact are reported by the step that goes through it', async () => {
  const found = routesInSources([many(120, (index) => `"/api/kind${index}/{id}"`).join(';')], site);
  assert.equal([found.routes.length, found.left], [100, 20]);
  const api = Object.fromEntries(many(120, (index) => `/kind${index}/{id}`).map((path) => [path, { get: {} }]));
  assert.is(routesInDescription(JSON.stringify({ paths: api }), `${site}/openapi.json`).left, 20);
  const long = found.routes.map((route) => route + 'x'.repeat(60));
  const [document] = hiddenRoutes(`${site}/app.js.map`, { routes: long, left: found.left });
  assert.ok(document);
  const named = document.attributes.routes?.split(' ').length ?? 0;
  const context = {
    ...teller(),
    surface: { url: `${site}/`, pages: [], forms: [], inputs: [], calls: [], explored: [], skipped: [] },
    surfaces: {},
    identities: {},
  };
  await hiddenRoute.detect(context as never, [fact(document)]);
  assert.equal(codes(context), [
    ['too_many', 120 - named],
    ['too_many', named - 25],
  ]);
});

test('routes below an address beyond the limit are counted with the others', () => {
  const bases = many(5, (index) => `const apiUrl${index} = "/v${index}";`);
  const found = routesInSources([`${bases.join('')} "/orders/{id}"; "/carts/{id}"`], site);
  assert.equal([found.routes.length, found.left], [8, 4]);
});

test('files, folders and commits of a repository that are not read are a gap', async () => {
  const objects = new Map<string, GitObject>();
  let next = 0;
  const idOf = (index: number) => index.toString(16).padStart(40, '0');
  const put = (type: GitObject['type'], content: Buffer) => {
    next += 1;
    objects.set(idOf(next), { type, content });
    return idOf(next);
  };
  const entry = (mode: string, name: string, id: string) =>
    Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(id, 'hex')]);
  const files = many(125, (index) => put('blob', Buffer.from(index === 0 ? 'x'.repeat(300_000) : `${index}`)));
  const folders = many(63, () => put('tree', Buffer.alloc(0)));
  const tree = Buffer.concat([
    ...files.map((id, index) => entry('100644', `f${index}.ts`, id)),
    ...folders.map((id, index) => entry('40000', `d${index}`, id)),
  ]);
  const parent = put('commit', Buffer.from(`tree ${put('tree', tree)}\n\nold`));
  const head = put('commit', Buffer.from(`tree ${put('tree', tree)}\nparent ${parent}\n\nnew`));
  const repository: Repository = {
    head: async () => head,
    packs: async () => [],
    async read(id) {
      const object = objects.get(id);
      return object && { ...object, id, place: { url: `${site}/${id}`, subject: 'body:inflate' } };
    },
  };
  const context = teller();
  let read = 0;
  for await (const _file of walkFiles(context, repository)) read += 1;
  assert.is(read, 119);
  assert.equal(
    context.reported.map(({ code, count, text }) => [code, count, text.replace(/ of the repository.*/, '')]),
    [
      ['too_many', 6, '6 files'],
      ['too_many', 4, '4 folders'],
      ['too_many', 1, '1 older commit'],
    ],
  );
});

test('names that records lead to, and style sheets, are a gap beyond their bound', async () => {
  const dns = { query: async () => ({ rcode: 'NOERROR', answers: [], authority: [] }) };
  const names = teller();
  const hosts = many(62, (index) => `mx${index}.shop.example`);
  await missingTargets({ ...names, dns } as never, hosts);
  assert.equal(codes(names), [['too_many', 2]]);
  const sheets = teller();
  const http = { get: async () => ({ status: 200, header: () => 'text/css', text: '' }) };
  const addresses = many(103, (index) => `${site}/${index}.css`);
  await createSheetReader({ ...sheets, http } as never)(addresses, site);
  assert.is(sheets.reported.length, 3);
});

test('names in paths, and cookies, are inputs without a bound of their own', () => {
  const paths = many(45, (index) => `/kind${'abcdefghijklmno'[Math.floor(index / 3)]}/${'xyz'[index % 3]}`);
  assert.is(namedPaths({ pages: paths.map((path) => page(path)) }).length, 15);
  const setCookies = many(15, (index) => `taste${index}=blue`);
  assert.is(cookieInputs({ pages: [page('/', { setCookies })] }).length, 15);
});

test('a cookie is an input as long as browsers keep it', () => {
  const setCookies = [`taste=${'b'.repeat(4_000)}`];
  assert.is(cookieInputs({ pages: [page('/', { setCookies })] }).length, 1);
});

test('identifiers in a long or deep answer of JSON are looked at up to a bound, and those beyond it are counted', () => {
  const items = (count: number) => many(count, (index) => `{"id":${index}}`).join(',');
  const all = idsIn(JSON.parse(`[${items(5_000)}]`));
  assert.equal([all.ids.get('id')?.values.size, all.left], [5_000, 0]);
  assert.is(idsIn(JSON.parse(`[${items(15_000)}]`)).left, 30_001 - 20_000);
  assert.is(idsIn(JSON.parse(`${'{"a":'.repeat(25)}{"id":7}${'}'.repeat(25)}`)).left, 1);
});

further(test)('accounts in the thousandth row of a page are seen, and rows that are not read whole are counted', () => {
  const account = (index: number) => `<tr><td>ann${index}@northwind.shop<td><a href="/edit/${index}">Edit</a></tr>`;
  const at = (rows: string) =>
    ({
      ...{ status: 200, text: `<table>${rows}</table>`, header: () => 'text/html', headerValues: () => ['text/html'] },
      request: { url: `${site}/admin/users`, method: 'GET', headers: [] },
    }) as unknown as Exchange;
  const empty = (count: number) => '<tr><td>none</tr>'.repeat(count);
  const seen = teller();
  assert.is(privilegeOf(at(empty(1_000) + many(3, account).join('')), seen)?.kind, 'accounts');
  assert.equal(seen.reported, []);
  const beyond = teller();
  assert.is(privilegeOf(at(empty(3_000) + many(3, account).join('')), beyond), undefined);
  assert.equal(codes(beyond), [['page_cut', 3]]);
  const long = teller();
  const wide = `<tr>${'<td>1'.repeat(600)}</tr>`;
  assert.is(privilegeOf(at(wide + empty(2)), long), undefined);
  assert.equal(codes(long), [['page_cut', 1]]);
});

test('pieces of text beyond those of a page that are compared are a limit', () => {
  const context = teller();
  const answer = {
    ...{ text: many(2_010, (index) => `<p>Harbour Street ${index}</p>`).join(''), header: () => 'text/html' },
    request: { url: `${site}/list` },
  } as unknown as Exchange;
  assert.is(textsShown(context, answer).size, 2_000);
  assert.equal(codes(context), [['alike', 10]]);
});

test('pages around a form beyond the limit are counted', () => {
  const pages = Array.from({ length: 9 }, (_, index) =>
    page(`/api/items/${index}`, { contentType: 'application/json' }),
  );
  const surface = { url: `${site}/`, pages: [page('/'), ...pages], calls: [] } as unknown as Surface;
  const around = pagesAround(surface, { url: `${site}/api/items`, pageUrl: `${site}/` });
  assert.equal([around.pages.length, around.left], [6, 4]);
});

further(test)('what shows more than is read of it proves nothing by staying the same', () => {
  const shown = (text: string, type: string) => shownIn({ text, header: () => type }).isCut;
  assert.equal(
    [shown('<p>a</p>'.repeat(9_000), 'text/html'), shown('<p>a</p>'.repeat(11_000), 'text/html')],
    [false, true],
  );
  const deep = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
  assert.equal([shown(deep(12), 'application/json'), shown(deep(13), 'application/json')], [false, true]);
});

test('omissions of one code are reported with each of their texts, and those beyond the limit are counted', () => {
  const omitted = (text: string): Omitted => ({ code: 'too_many', count: 2, text });
  assert.equal(
    united([omitted('2 files were not read'), omitted('2 forms were not sent'), omitted('2 files were not read')]),
    [{ code: 'too_many', count: 6, text: '2 files were not read; 2 forms were not sent' }],
  );
  const [long] = united([omitted('a'.repeat(250)), omitted('b'.repeat(50)), omitted('c'.repeat(20))]);
  assert.is(long?.text, `${'a'.repeat(250)}; ${'c'.repeat(20)} (and 1 more)`);
  const [cut] = united([omitted('a'.repeat(500)), omitted('b')]);
  assert.match(cut?.text ?? '', /^a{279}… \(and 1 more\)$/);
});

test('of the pages without a header those that are not proven are a limit', async () => {
  const context = { ...teller(), surface: { pages: [page('/a'), page('/b'), page('/c'), page('/d')] } };
  const found = await permissionsPolicyMissing.detect(context as never);
  assert.is(Array.isArray(found) && found.length, 3);
  assert.equal(context.reported, [
    {
      code: 'alike',
      count: 1,
      text: '1 of 4 places of the weakness was not looked at: headers are set for the whole site, and 3 were looked at',
    },
  ]);
});

further(test)('every page for administrators is a place of the finding, the sixth too', async () => {
  const paths = many(7, (index) => `/admin/${'abcdefg'[index]}list`);
  const rows = many(4, (index) => `<tr><td>7<td>ann${index}@northwind.shop<td>2026-03-01</tr>`).join('');
  const table = `<table><tr><th>No.<th>Customer<th>Last order</tr>${rows}</table>`;
  const found = await resultOf(
    ({ path }) =>
      path === '/'
        ? html(paths.map((path) => `<a href="${path}">x</a>`).join(''))
        : paths.includes(path)
          ? html(path + table)
          : undefined,
    forcedBrowsing,
  );
  const locations = found.findings.flatMap((finding) => finding.locations ?? []);
  assert.is(locations.length, paths.length, places(found).join(', '));
});

further(test)('all files of a page without a hash are proven, however many', async () => {
  const scripts = many(11, (index) => `<script src="https://unpkg.com/a${index}@1.2.3/a.js"></script>`);
  const found = await resultOf(() => html(scripts.join('')), integrityMissing);
  const proofs = stored(found);
  assert.equal(
    many(11, (index) => `unpkg.com/a${index}@1.2.3`).filter((name) => !proofs.includes(name)),
    [],
  );
});

further(test)('controls that are not pressed are a limit', async () => {
  const buttons = many(9, (index) => `<button type="button" onclick="show(${index})">Tab ${index}</button>`);
  const script =
    '<script>document.title = location.hash; document.body.onclick = () => {}; function show() {} // click</script>';
  const { outcome } = await resultOf(
    ({ path }) => (path === '/' ? html(`${buttons.join('')}${script}`) : undefined),
    domXss,
  );
  assert.equal(
    outcome.omitted.map(({ code, count }) => [code, count]),
    [['guessed', 3]],
  );
});

further(test)('a page that the browser could read in part only is reported once, whatever looks at it', async () => {
  const keep = 'for (let i = 0; i < 300; i++) localStorage.setItem("k" + i, i)';
  const visiting = checkLike({
    detect: async ({ browser, surface }) => {
      for (const query of ['', '?again=1']) await browser.visit({ url: surface.url + query });
      return [];
    },
  });
  const { outcome } = await resultOf(() => html(`<script>${keep}</script>`), visiting);
  assert.equal(codes({ reported: outcome.omitted }), [['page_cut', 1]]);
});

test.run();
