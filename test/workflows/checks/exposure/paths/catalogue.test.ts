import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { exposedPaths } from '../../../../../workflows/checks/exposure/paths/catalogue.ts';
import { loadRegistry } from '../../../../../workflows/checks/registry.ts';
import { parseCvss } from '../../../../../workflows/checks/severity.ts';
import { makeExchange } from '../../../../../workflows/probe/http/exchange.ts';
import { holds } from '../../../../../workflows/proof/assertions.ts';
import { subjectValue } from '../../../../../workflows/proof/subjects.ts';
import { further } from '../../../../support/further.ts';

const test = suite('the catalogue of paths');

const readings = exposedPaths.flatMap(({ readings: all, paths }) =>
  all.map((reading) => ({ ...reading, path: paths[0] })),
);

further(test)('names checks that exist, and each of them is asked for something', async () => {
  const { families } = await loadRegistry();
  const ids = new Set(families.flatMap(({ checks }) => checks.map(({ id }) => id)));
  for (const { check } of exposedPaths) assert.ok(ids.has(`exposure.${check}`), check);
});

test('has paths that stay below the root and are written once for a check', () => {
  for (const { paths } of exposedPaths) for (const path of paths) assert.not.match(path, /^\/|\.\.|[\s#]/, path);
  for (const { check, paths } of exposedPaths) assert.is(new Set(paths).size, paths.length, `${check} ${paths[0]}`);
});

test('names no page by which small programs of PHP make their data anew as soon as it is opened', () => {
  const making =
    /^(?:(?:re)?set-?up|(?:re)?install|reset|init|seed|migrate|(?:create|init|reset)_?(?:db|database))\.php$/;
  for (const { paths, stacks = ['php'] } of exposedPaths)
    for (const path of stacks.includes('php') ? paths : []) assert.not.match(path, making, path);
});

further(test)('has readings whose claims can be looked at and hold of no empty answer', () => {
  const exchange = makeExchange({
    request: { method: 'GET', url: 'https://shop.example/x', headers: [], body: '' },
    status: 200,
    httpVersion: '1.1',
    headers: [],
    body: Buffer.from('<!doctype html><html><head><title>Shop</title></head><body><form></form></body></html>'),
    truncated: false,
    remoteAddress: '192.0.2.1',
    elapsedMs: 1,
    redirects: [],
  });
  for (const { claims, cvss, path } of readings) {
    assert.ok(claims.length > 0);
    if (cvss) assert.ok(parseCvss(cvss).score >= 0);
    const held = claims.map((each) => holds(each, subjectValue({ kind: 'http', exchange }, each.subject), new Date()));
    assert.ok(held.includes(false), `${path} is found in an ordinary page`);
  }
});

test('is not asked for more than the budget of a family', () => {
  const certain = exposedPaths.filter(({ stacks }) => stacks === undefined).flatMap(({ paths }) => paths);
  assert.ok(exposedPaths.length > 150);
  assert.ok(certain.length < 520, String(certain.length));
});

test.run();
