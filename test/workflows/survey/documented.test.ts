import { create } from '@bufbuild/protobuf';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type DocumentedRequest, DocumentedRequestSchema } from '../../../proto/gen/scanaudit/v1/domains_pb.ts';
import { createGate } from '../../../workflows/probe/gate/gate.ts';
import { scopeOf } from '../../../workflows/probe/scope.ts';
import { addDocumented, documentedScope } from '../../../workflows/survey/documented.ts';
import { createFrontier } from '../../../workflows/survey/frontier.ts';
import { createInputList } from '../../../workflows/survey/inputs.ts';
import { createTally } from '../../../workflows/survey/left-out.ts';

const test = suite('what API documents describe');

const gate = createGate({ depth: 'standard', writes: 'reversible' });
const refusalOf = (url: string) => {
  const decision = gate.decide({ method: 'GET', url, headers: [] });
  return decision.allowed ? undefined : decision;
};

type Pair = [place: string, name: string, sample: string];
const described = (method: string, urls: string[], parameters: Pair[] = [], contentType = ''): DocumentedRequest =>
  create(DocumentedRequestSchema, {
    method,
    urls,
    contentType,
    parameters: parameters.map(([place, name, sample]) => ({ in: place, name, sample })),
  });

const target = 'https://shop.example/';

/** What the crawler and the checks are given. */
function given(requests: readonly DocumentedRequest[], excludedPaths: string[] = []) {
  const frontier = createFrontier(scopeOf(target), excludedPaths, createTally(), refusalOf);
  const inputs = createInputList();
  addDocumented(documentedScope(requests, target).inside, 'https://shop.example', frontier, inputs);
  const leads: string[] = [];
  for (let lead = frontier.next(); lead; lead = frontier.next()) leads.push(lead.url);
  return { leads, inputs: inputs.all(), skipped: frontier.left('budget') };
}

test('the first address in scope counts; a path is of whatever is audited; the rest is recognised by host', () => {
  const { inside, outside } = documentedScope(
    [
      described('GET', ['https://api.shop.example/a', 'https://SHOP.example./a']),
      described('GET', ['/b']),
      described('GET', ['https://api.shop.example/c']),
      described('GET', ['https://api.shop.example/d', 'https://elsewhere.example/d']),
      described('GET', ['https://shop.example:8443/e']),
    ],
    target,
  );
  assert.equal(
    inside.map(({ url }) => url),
    ['https://SHOP.example./a', '/b'],
  );
  assert.equal(outside, [
    { host: 'api.shop.example', requests: 2 },
    { host: 'shop.example:8443', requests: 1 },
  ]);
});

test('what is read is fetched, with samples in path and query', () => {
  const { leads } = given([
    described(
      'GET',
      ['/orders/{id}/lines/{line}'],
      [
        ['path', 'id', 'a b'],
        ['query', 'page', '2'],
        ['query', 'none', ''],
      ],
    ),
    described('POST', ['/orders']),
    described('DELETE', ['/orders/{id}']),
  ]);
  assert.equal(leads, ['https://shop.example/orders/a%20b/lines/1?page=2']);
});

test('what may do something and what is excluded is not fetched, and said', () => {
  const { leads, skipped } = given(
    [described('GET', ['/orders/1/delete']), described('GET', ['/private/a'])],
    ['/private'],
  );
  assert.equal(leads, []);
  assert.equal(
    skipped.map(({ code }) => code),
    ['would-act', 'excluded'],
  );
});

test('parameters of reads are places that take input, and those of bodies too', () => {
  const { inputs } = given([
    described(
      'GET',
      ['/v1/orders/{id}'],
      [
        ['path', 'id', 'abc'],
        ['query', 'q', 'lamp'],
        ['query', 'sort', ''],
      ],
    ),
    described(
      'POST',
      ['/search'],
      [
        ['body', 'q', 'lamp'],
        ['body', 'page', '1'],
      ],
      'application/json',
    ),
    described('PUT', ['/orders/{id}'], [['body', 'note', 'x']], 'application/json'),
  ]);
  assert.equal(
    inputs.map(({ method, route, in: place, parameter, sample, others, contentType }) =>
      [method, route, place, parameter, sample, others.map(({ name }) => name).join(), contentType ?? ''].join(' '),
    ),
    [
      'GET /v1/orders/{id} query q lamp sort ',
      'GET /v1/orders/{id} query sort  q ',
      'GET /v1/orders/{id} path 3 abc  ',
      'POST /search body q lamp page application/json',
      'POST /search body page 1 q application/json',
    ],
  );
});

test('a part of a path that is a parameter is one in the route of a body too, also where its sample is a word', () => {
  const { inputs } = given([
    {
      ...described('PUT', ['/members/{name}/note'], [['path', 'name', 'kim']], 'application/json'),
      body: '{"note":"x"}',
    },
  ]);
  assert.equal(
    inputs.map(({ url, route, in: place, parameter }) => [url, route, place, parameter]),
    [['https://shop.example/members/kim/note', '/members/{id}/note', 'body', 'note']],
  );
});

test('a read that acts by its name or its summary is not sent, nor are values', () => {
  const titled = (path: string, title: string, parameters: Pair[] = []) => ({
    ...described('GET', [path], parameters),
    title,
  });
  const id: Pair = ['query', 'id', '3'];
  const acting = given([
    titled('/createdb', 'api.main.populate Fills it with examples'),
    titled('/v1/stock/refresh', '', [id]),
    titled('/v1/samples', 'fillSamples Creates ten samples', [id]),
    titled('/v1/old', 'Deletes what is old'),
  ]);
  assert.equal([acting.leads, acting.inputs], [[], []]);
  assert.equal(
    acting.skipped.map(({ code }) => code),
    ['would-act', 'would-act', 'would-act', 'would-act'],
  );
  const reading = given([
    titled('/store/inventory', 'getInventory Returns what is in store'),
    titled('/runs/new', 'List new runs'),
    titled('/v1/updates', 'api.news.all Gets all updates', [id]),
    titled('/v1/orders', 'List orders'),
  ]);
  assert.equal([reading.leads.length, reading.inputs.length], [4, 1]);
});

test.run();
