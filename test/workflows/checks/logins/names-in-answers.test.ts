import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { namesInAnswers } from '../../../../workflows/checks/logins/names-in-answers.ts';
import { type Answer, startSite } from '../../../fixtures/site.ts';
import { further } from '../../../support/further.ts';
import { openAudit } from '../harness.ts';

const test = suite('names of users in the answers of an interface');

const json = (value: unknown): Answer => ({
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(value),
});
const page = (script: string): Answer => ({
  headers: { 'content-type': 'text/html' },
  body: `<main></main><script>${script}</script>`,
});
const posts = [
  { id: 1, title: 'low water', author: { login: 'mette' } },
  { id: 2, title: 'ropes', author: { login: 'jonas.k', mail: 'jonas@quay.example' } },
];

/** @param call text that a page sends to the interface's one address */
async function namesOn(script: string, { isMail = false, call }: { isMail?: boolean; call?: string } = {}) {
  const sent: string[] = [];
  const site = await startSite(({ path, method, body }) => {
    if (method === 'POST') sent.push(body);
    if (path === '/') return page(script);
    if (path === '/api/posts') return json({ posts, place: { name: 'harbour', user: 'not a name' } });
    if (path === '/api/tides') return json({ login: 'nobody' });
    if (path === '/graphql') return json({ data: { posts } });
    return undefined;
  });
  const audit = await openAudit(site.url, {});
  try {
    const { surface } = audit.context;
    const seen = { method: 'POST', url: `${site.url}/graphql`, pageUrl: site.url };
    const calls = call === undefined ? surface.calls : [{ ...seen, body: call }];
    return { names: await namesInAnswers({ ...audit.context, surface: { ...surface, calls } }, { isMail }), sent };
  } finally {
    await audit.close();
    await site.close();
  }
}

further(test)('are read from what a page fetches about people, and not from the rest', async () => {
  const { names } = await namesOn("fetch('/api/posts'); fetch('/api/tides')");
  assert.equal(names.sort(), ['jonas.k', 'mette']);
});

test('are read from the answers to queries, which are asked for again', async () => {
  const query = JSON.stringify({ query: 'query Posts { posts { title author { login } } }' });
  const { names, sent } = await namesOn('', { call: query });
  assert.equal(names.sort(), ['jonas.k', 'mette']);
  assert.equal(sent.at(-1), query);
});

test('are not asked for by what would change something', async () => {
  const query = JSON.stringify({ query: 'mutation Post { post(text: "x") { author { login } } }' });
  assert.equal((await namesOn('', { call: query })).names, []);
});

test('are mail addresses where those let somebody in', async () => {
  const { names } = await namesOn("fetch('/api/posts')", { isMail: true });
  assert.equal(names, ['jonas@quay.example']);
});

test.run();
