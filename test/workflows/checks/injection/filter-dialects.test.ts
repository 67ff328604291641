import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  bodyDialects,
  type FilterDialect,
  queryDialects,
} from '../../../../workflows/checks/injection/filter-dialects.ts';
import { filteringAction } from '../../../../workflows/checks/injection/filtered-lists.ts';
import { hiddenFields, type ShownFields } from '../../../../workflows/checks/injection/hidden-fields.ts';
import type { OpenedInput } from '../../../../workflows/checks/inputs/input-request.ts';
import { createGate } from '../../../../workflows/probe/gate/gate.ts';

const test = suite('filters as frameworks write them');

const url = 'https://shop.example/api/lamps?page=2';
const input: OpenedInput = {
  ...{ method: 'POST', url: 'https://shop.example/api/lamps/search', route: '/api/lamps/search', parameter: 'name' },
  ...{ in: 'body', sample: 'desk', others: [], contentType: 'application/json' },
  json: { body: '{"where":{"name":"desk"},"limit":5}', pointer: '/where/name' },
};
const requestOf = (dialect: FilterDialect, path: string[], pair = 0) => {
  const operators = dialect.operators[pair];
  if (!operators) throw new Error('no such operators');
  const isBody = dialect.in === 'body';
  const list = { method: 'GET' as const, url, route: '/api/lamps', dialects: [], offered: new Set<string>() };
  return filteringAction(isBody ? { ...list, method: 'POST', input } : list, [
    { dialect, conditions: [{ path, ...operators.none }] },
  ]);
};

test('stand in addresses and bodies beside what is there', () => {
  const written = [...queryDialects(['conditions'], new Set(['q'])), ...bodyDialects([])]
    .flat()
    .map((dialect) => requestOf(dialect, ['author', 'password']))
    .map((action) => action.body ?? decodeURIComponent(new URL(action.url).search));
  assert.equal(written, [
    '?page=2&author__password__gte=zzzz‹nonce›',
    '?page=2&author[password][gte]=zzzz‹nonce›',
    '?page=2&filter[author][password][gte]=zzzz‹nonce›',
    '?page=2&filters[author][password][gte]=zzzz‹nonce›',
    '?page=2&where[author][password][gte]=zzzz‹nonce›',
    '?page=2&conditions[author][password][gte]=zzzz‹nonce›',
    '?page=2&filter[where][author][password][gte]=zzzz‹nonce›',
    "?page=2&$filter=author/password ge 'zzzz‹nonce›'",
    '?page=2&author.password=like.zzzz‹nonce›*',
    '?page=2&where={"author":{"password":{"gte":"zzzz‹nonce›"}}}',
    '?page=2&filter={"author":{"password":{"gte":"zzzz‹nonce›"}}}',
    '?page=2&s={"author":{"password":{"gte":"zzzz‹nonce›"}}}',
    '?page=2&query={"author":{"password":{"gte":"zzzz‹nonce›"}}}',
    '?page=2&filters={"author":{"password":{"gte":"zzzz‹nonce›"}}}',
    '{"where":{"name":"desk"},"limit":5,"author":{"password":{"gte":"zzzz‹nonce›"}}}',
    '{"where":{"name":"desk","author":{"password":{"gte":"zzzz‹nonce›"}}},"limit":5}',
    '{"where":{"name":"desk"},"limit":5,"filter":{"author":{"password":{"gte":"zzzz‹nonce›"}}}}',
    '{"where":{"name":"desk"},"limit":5,"filters":{"author":{"password":{"gte":"zzzz‹nonce›"}}}}',
    '{"where":{"name":"desk"},"limit":5,"query":{"author":{"password":{"gte":"zzzz‹nonce›"}}}}',
    '{"where":{"name":"desk"},"limit":5,"filters":[{"field":"author.password","operator":"gte","value":"zzzz‹nonce›"}]}',
    '{"where":{"name":"desk"},"limit":5,"conditions":[{"field":"author.password","operator":"gte","value":"zzzz‹nonce›"}]}',
  ]);
});

test('pass the write gate, whoever sends them', () => {
  const shown: ShownFields = {
    ...{ names: new Set(), texts: [], relations: ['created_by'], headings: [], spelling: 'any', showsMail: false },
    isData: true,
  };
  const fields = hiddenFields(shown, new Set());
  const gate = createGate({ depth: 'deep', writes: 'reversible' });
  gate.noteSession(['session-of-anna'], 'user');
  const refused: string[] = [];
  for (const cookies of [[], [['Cookie', 's=session-of-anna'] as const]])
    for (const dialect of [...queryDialects(['conditions'], new Set()), ...bodyDialects([])].flat())
      for (const { path } of fields.filter(({ path: [name = ''] }) => !dialect.avoids?.test(name)))
        for (const pair of dialect.operators.keys()) {
          const { method = 'GET', headers = [], ...action } = requestOf(dialect, [...path], pair);
          const { url, body } = JSON.parse(JSON.stringify(action).replaceAll('‹nonce›', 'k3v7n1x9ab'));
          const decision = gate.decide({ method, url, body, headers: [...headers, ...cookies] });
          if (!decision.allowed) refused.push(`${dialect.name} ${path.join('.')}: ${decision.reason}`);
        }
  assert.equal(refused, []);
});

test.run();
