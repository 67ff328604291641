import { runInNewContext } from 'node:vm';
import { DOMParser } from '@xmldom/xmldom';
import ldap from 'ldapjs';
import { Query } from 'mingo';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import xpath from 'xpath';
import type { Check } from '../../../../workflows/checks/contract.ts';
import { ldapInjection } from '../../../../workflows/checks/injection/ldap.check.ts';
import { nosqlInjection } from '../../../../workflows/checks/injection/nosql.check.ts';
import { sqlBoolean } from '../../../../workflows/checks/injection/sql-boolean.check.ts';
import { xpathInjection } from '../../../../workflows/checks/injection/xpath.check.ts';
import { escapeHtml } from '../../../fixtures/site.ts';
import { firstOfKinds, firstRows, further } from '../../../support/further.ts';
import { places } from '../harness.ts';
import { resultOn, type Show } from './interpreter-sites.ts';

const test = suite('query languages');

const people = [
  { name: 'ada', office: 'north', age: '36' },
  { name: 'bob', office: 'south', age: '41' },
  { name: 'cleo', office: 'north', age: '29' },
];
const list = (rows: readonly Partial<(typeof people)[number]>[]): string =>
  `<ul>${rows.map(({ name, office }) => `<li>Colleague ${name}</li><li>Office ${office}</li>`).join('')}</ul>`;
/** Errors look like nothing found. */
const quietly = async (read: () => Promise<string> | string): Promise<string> => {
  try {
    return await read();
  } catch {
    return list([]);
  }
};

const document = new DOMParser().parseFromString(
  `<people>${people.map(({ name, office, age }) => `<person age="${age}"><name>${name}</name><office>${office}</office></person>`).join('')}</people>`,
  'text/xml',
);
type Found = { getElementsByTagName(name: string): { textContent: string }[] };
/** The types of the package leave out what binds variables. */
const { parse } = xpath as unknown as {
  parse(expression: string): { select(options: { node: unknown; variables: Record<string, string> }): Found[] };
};
const select = (expression: string, variables: Record<string, string> = {}): string => {
  const found = parse(expression).select({ node: document, variables });
  const textOf = (node: Found, name: string) => node.getElementsByTagName(name)[0]?.textContent ?? '';
  return list(found.map((node) => ({ name: textOf(node, 'name'), office: textOf(node, 'office') })));
};

const names = (expression: string): string =>
  `<ul>${(xpath.select(expression, document as unknown as Node) as Node[]).map((node) => `<li>Entry ${node.textContent}</li>`).join('')}</ul>`;

/** A directory on a socket of its own. */
const directory = ldap.createServer();
directory.search('o=holm', (request: ldap.SearchRequest, response: { send(entry: object): void; end(): void }) => {
  for (const { name, office } of people) {
    const attributes = { cn: name, l: office, objectClass: 'person' };
    if (request.filter.matches(attributes)) response.send({ dn: `cn=${name},o=holm`, attributes });
  }
  response.end();
});
let client: ldap.Client;
test.before(async () => {
  await new Promise<void>((resolve) => directory.listen(0, '127.0.0.1', () => resolve()));
  client = ldap.createClient({ url: `ldap://127.0.0.1:${(directory as unknown as { port: number }).port}` });
});
test.after(async () => {
  await new Promise((resolve) => client.unbind(resolve));
  await new Promise<void>((resolve) => directory.close(() => resolve()));
});
const search = (filter: string | ldap.Filter): Promise<string> =>
  new Promise((resolve, reject) => {
    const rows: { name: string; office: string }[] = [];
    client.search('o=holm', { filter, scope: 'sub' }, (error, answer) => {
      if (error) return reject(error);
      answer.on('searchEntry', ({ pojo }) => {
        const of = (type: string) =>
          pojo.attributes.find((each: { type: string }) => each.type === type)?.values[0] ?? '';
        rows.push({ name: of('cn'), office: of('l') });
      });
      answer.on('error', reject);
      answer.on('end', () => resolve(list(rows)));
    });
  });
/** A filter of one condition as directories read it (RFC 4515 §3), which this library does not. */
const findOnly = (value: string): string => {
  if (/[()]|\\(?![\da-f]{2})/i.test(value)) throw new Error('bad filter');
  const pattern = value.replaceAll('*', '.*').replace(/\\([\da-f]{2})/gi, '\\x$1');
  return list(people.filter(({ name }) => new RegExp(`^${pattern}$`).test(name)));
};
const find = (condition: Record<string, unknown>): string =>
  list(new Query(condition).find<(typeof people)[number]>(people).all());

type Site = [what: string, check: Check, link: string, show: Show];

const vulnerable: Site[] = [
  [
    'XPath: a text whose own value finds nothing',
    xpathInjection,
    '/who?name=nobody',
    (name) => select(`//person[name='${name}']`),
  ],
  [
    'LDAP: the beginning of a name',
    ldapInjection,
    '/who?name=ad',
    (name) => quietly(() => search(`(&(objectClass=person)(cn=${name}*))`)),
  ],
  [
    'LDAP: a condition of which another one is enough',
    ldapInjection,
    '/who?name=ada',
    (name) => search(`(&(objectClass=person)(|(cn=${name})(l=south)))`),
  ],
  ['XPath: a text', xpathInjection, '/who?name=ada', (name) => quietly(() => select(`//person[name='${name}']`))],
  [
    'XPath: an argument',
    xpathInjection,
    '/who?name=ada',
    (name) => quietly(() => select(`//person[contains(name,"${name}")]`)),
  ],
  [
    'XPath: a search without a value of the site, whose errors look like nothing found',
    xpathInjection,
    '/who?name=',
    (name) => quietly(() => select(`//person[@age and contains(name,'${name || '-'}')]`)),
  ],
  ['XPath: a number', xpathInjection, '/who?age=36', (age) => select(`//person[@age=${age}]`)],
  [
    'XPath: a number, where quotes are refused',
    xpathInjection,
    '/who?age=36',
    (age) => quietly(() => (/['"]/.test(age) ? '<p>No quotes</p>' : select(`//person[@age=${age}]`))),
  ],
  [
    'XPath: a text, where spaces are refused',
    xpathInjection,
    '/who?name=ada',
    (name) => quietly(() => (/\s/.test(name) ? '<p>No spaces</p>' : select(`//person[name='${name}']`))),
  ],
  ['XPath: a path', xpathInjection, '/who?part=office', (part) => quietly(() => names(`//person/${part}`))],
  [
    'LDAP: a condition of two',
    ldapInjection,
    '/who?name=ada',
    (name) => quietly(() => search(`(&(objectClass=person)(cn=${name}))`)),
  ],
  [
    'LDAP: a word beside a name, of which nothing is known',
    ldapInjection,
    '/who?name=',
    (pin) => quietly(() => search(`(&(cn=cleo)(cn=${pin || '-'}))`)),
  ],
  ['LDAP: the only condition', ldapInjection, '/who?name=ada', (name) => quietly(() => findOnly(name))],
  ['LDAP: errors are shown', ldapInjection, '/who?name=ada', (name) => search(`(&(cn=${name})(objectClass=person))`)],
  [
    'NoSQL: operators',
    nosqlInjection,
    '/who?name=ada',
    (_name, { query }) => quietly(() => find({ name: query.name })),
  ],
  [
    'NoSQL: operators of a store that knows none for what is equal',
    nosqlInjection,
    '/who?name=ada',
    (_name, { query }) =>
      quietly(() =>
        JSON.stringify(query.name).includes('$eq') ? '<p>Unknown operator</p>' : find({ name: query.name }),
      ),
  ],
  [
    'NoSQL: a condition in JavaScript',
    nosqlInjection,
    '/who?name=ada',
    (name) => quietly(() => list(people.filter((person) => runInNewContext(`this.name == '${name}'`, { ...person })))),
  ],
];

for (const [what, check, link, show] of firstOfKinds(vulnerable, ([, check]) => check, 1)) {
  test(`${what} is found`, async () => {
    const result = await resultOn(check, link, show);
    assert.equal([result.outcome.kind, places(result).length], ['found', 1], result.outcome.reason);
  });
}

test('operators are found where no value finds anything, and a demanded text is clean', async () => {
  const page = (code: unknown) =>
    quietly(() => (people.some((each) => new Query({ name: code }).test(each)) ? '<p>A valid code</p>' : list([])));
  const found = await resultOn(nosqlInjection, '/check?code=', (_code, { query }) => page(query.code));
  assert.equal([found.outcome.kind, places(found).length], ['found', 1], found.outcome.reason);
  const mended = await resultOn(nosqlInjection, '/check?code=', (_code, { query }) => page(String(query.code)));
  assert.equal(mended.outcome.kind, 'clean');
});

further(test)('none of them is taken for SQL', async () => {
  for (const [, , link, show] of vulnerable) assert.is((await resultOn(sqlBoolean, link, show)).findings.length, 0);
});

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[a-z0-9]+/g) ?? [];
const clean: [what: string, show: Show, link?: string][] = [
  [
    'a search for a part of names, with its text in the field',
    (name) =>
      `<form><input name="name" value="${escapeHtml(name)}"></form>${list(people.filter((person) => name !== '' && person.name.includes(name)))}`,
    '/who?name=',
  ],
  ['a part that is one of a list', (part) => (part === 'ada' ? names('//person/office') : list([]))],
  [
    'a search by a variable of XPath, without a value of the site',
    (name) => select('//person[contains(name, $name)]', { name: name || '-' }),
    '/who?name=',
  ],
  ['a variable of XPath', (name) => select('//person[name=$name]', { name })],
  [
    'an escaped condition of LDAP',
    (name) =>
      search(
        new ldap.AndFilter({
          filters: [
            new ldap.EqualityFilter({ attribute: 'objectClass', value: 'person' }),
            new ldap.EqualityFilter({ attribute: 'cn', value: name }),
          ],
        }),
      ),
  ],
  [
    'an escaped condition of LDAP, of which another one is enough',
    (name) =>
      search(
        new ldap.OrFilter({
          filters: [
            new ldap.EqualityFilter({ attribute: 'l', value: 'south' }),
            new ldap.EqualityFilter({ attribute: 'cn', value: name }),
          ],
        }),
      ),
  ],
  [
    'an escaped word of LDAP beside a name, of which nothing is known',
    (pin) =>
      search(
        new ldap.AndFilter({
          filters: [
            new ldap.EqualityFilter({ attribute: 'cn', value: 'cleo' }),
            new ldap.EqualityFilter({ attribute: 'cn', value: pin || '-' }),
          ],
        }),
      ),
    '/who?name=',
  ],
  ['an escaped condition of LDAP alone', (name) => search(new ldap.EqualityFilter({ attribute: 'cn', value: name }))],
  ['a text without its backslashes', (name) => find({ name: name.replaceAll('\\', '') })],
  ['a text that is demanded', (_name, { query }) => find({ name: String(query.name) })],
  [
    'the first value of whatever came',
    (_name, { query }) =>
      find({
        name: [query.name].flatMap((each) => (typeof each === 'object' && each ? Object.values(each) : [each]))[0],
      }),
  ],
  [
    'the value of one of the parameters whose names begin so',
    (_name, { query }) => {
      const [, value] = Object.entries(Object(query.name)).toSorted(
        ([one], [other]) => one.length - other.length || one.localeCompare(other),
      )[0] ?? ['', query.name];
      return find({ name: typeof query.name === 'string' ? query.name : String(value) });
    },
  ],
  ['a search for any of the words', (name) => list(people.filter((person) => wordsOf(name).includes(person.name)))],
  [
    'a search that knows wildcards',
    (name) =>
      list(
        people.filter((person) =>
          new RegExp(`^${name.replace(/[^\w*]/g, '').replaceAll('*', '.*')}$`).test(person.name),
        ),
      ),
  ],
  ['a firewall', (name) => (/[()'"|&$]|and/.test(name) ? '<h1>Request blocked</h1>' : find({ name }))],
  ['a page that repeats the value', (name) => `<h1>${escapeHtml(name)}</h1>`],
];

for (const [what, show, link = '/who?name=ada'] of firstRows(clean, 4)) {
  further(test)(`${what} is clean`, async () => {
    for (const check of [xpathInjection, ldapInjection, nosqlInjection]) {
      const result = await resultOn(check, link, show);
      assert.equal([result.outcome.kind, places(result)], ['clean', []], `${check.id}: ${result.outcome.reason}`);
    }
  });
}

test.run();
