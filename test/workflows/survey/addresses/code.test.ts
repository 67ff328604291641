import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { addressesInCode } from '../../../../workflows/survey/addresses/code.ts';

const test = suite('addresses in code');

test('are read from templates without values, as minifiers write all strings', () => {
  const { routes, madeRoutes, urls } = addressesInCode(
    'r({routes:[{path:`/login`,component:a},{path:`/jobs/:id`,component:()=>b(()=>import(`./Job-x1.js`),[])}]});get(`/api/tags`)',
  );
  assert.equal([routes, madeRoutes], [['/login'], ['/jobs/1']]);
  assert.ok(urls.includes('/api/tags'));
});

test('are read from comments, of many the first few', () => {
  const noted = addressesInCode('// todo: move the back office away from /oven-room\nrun("/api/tags")');
  assert.equal(noted.guesses, ['/oven-room']);
  const many = Array.from({ length: 30 }, (_, at) => `/* see /topic${'abcdefghij'.charAt(at % 10)}${at} */`).join('\n');
  assert.is(addressesInCode(many).guesses.length, 5);
  assert.equal(addressesInCode('/* "and/or", a /b/ c, </div> */').guesses, []);
});

test('of modules are distinguished: they are relative to the file', () => {
  const { modules, urls } = addressesInCode(
    'import{a}from"./b.js";export*from"./c.js";import"./d.js";const e=()=>import("../f.js");get("./list")',
  );
  assert.equal(modules, ['./b.js', './c.js', './d.js', '../f.js']);
  assert.equal(urls, ['./list']);
});

for (const [what, code] of [
  [
    'named',
    '"function"==typeof define&&define.amd?define("ui/effect",["jquery","./version","./v1/color.php"],f):f(jQuery)',
  ],
  ['nameless', 'define(["./version", `../keycode`, "https://cdn.test/a.js"], function (v, k) { $.get("/part") })'],
  ['asked for', 'require(["./version"], function (v) { v("/part") }); requirejs(["./keycode"])'],
] as const)
  test(`are none where a loader is given modules (${what})`, () => {
    const { urls, guesses } = addressesInCode(`${code};get("./list");x=["./rows", "./cells"]`);
    assert.equal(
      urls.filter((url) => url !== '/part' && !url.startsWith('https:')),
      ['./list', './rows', './cells'],
    );
    assert.equal(guesses, []);
  });

test('are read behind a template that stands in a call within another', () => {
  const { modules, urls } = addressesInCode(
    // biome-ignore lint/suspicious/noTemplateCurlyInString: code that is read
    'x=`a=${f(`b=${g(t)}`)}`;y=`${k(`c${d}`)}`;import(`./z.js`);get("/api/late")',
  );
  assert.equal(modules, ['./z.js']);
  assert.ok(urls.includes('/api/late'));
});

const client = (found: object) => ({ bases: [], wrapped: [], asked: [], others: [], left: 0, ...found });
const hole = '\uE000';
const [inFetch, methodFirst, inCall, ofMember] = [
  // biome-ignore lint/suspicious/noTemplateCurlyInString: code that is read
  'q=(p,o)=>fetch(`/api${p}`,o);q("/jobs")',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: code that is read
  'r="/api/v1";q=(m,p)=>fetch(r+p,{method:m});q("GET","/jobs");q("POST","/bids");q("GET",`/jobs/${i}`);x.open("GET","/file")',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: code that is read
  'i.get(`/bills/${u}`);i.post("/bills",b)',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: code that is read
  'this.http.get(this.root+"/x");fetch(`${e.apiUrl}/y`)',
];
for (const [what, code, found] of [
  ['a client made with one', 'h=x.create({baseURL:"/api/"});', { bases: ['/api'] }],
  ['a setting with a default', 'h=x.create({baseURL:e.ROOT??"/backend"})', { bases: ['/backend'] }],
  ['an environment', 'e={apiUrl:`https://api.example.test/v1`}', { bases: ['https://api.example.test/v1'] }],
  ['a function around fetch', inFetch, { wrapped: ['/api'], others: ['/jobs'] }],
  [
    'a function that is given the method first',
    methodFirst,
    { wrapped: ['/api/v1'], others: ['/jobs', `/jobs/${hole}`] },
  ],
  ['calls, but for what is only sent to', inCall, { asked: [`/bills/${hole}`] }],
  ['calls that name it', ofMember, { asked: ['/x', '/y'] }],
  ['no client', '$.get("/part");s.push("/go");fetch("/one");fetch("/find"+q);p.get("topic")', {}],
] as const)
  test(`the base of an API's client, and its calls, are read from ${what}`, () => {
    assert.equal(addressesInCode(code).client, client(found));
  });

test.run();
