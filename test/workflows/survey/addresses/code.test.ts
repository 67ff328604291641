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

test('of modules are distinguished: they are relative to the file', () => {
  const { modules, urls } = addressesInCode(
    'import{a}from"./b.js";export*from"./c.js";import"./d.js";const e=()=>import("../f.js");get("./list")',
  );
  assert.equal(modules, ['./b.js', './c.js', './d.js', '../f.js']);
  assert.equal(urls, ['./list']);
});

test('are read behind a template that stands in a call within another', () => {
  const { modules, urls } = addressesInCode(
    // biome-ignore lint/suspicious/noTemplateCurlyInString: code that is read
    'x=`a=${f(`b=${g(t)}`)}`;y=`${k(`c${d}`)}`;import(`./z.js`);get("/api/late")',
  );
  assert.equal(modules, ['./z.js']);
  assert.ok(urls.includes('/api/late'));
});

test.run();
