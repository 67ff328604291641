import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Answer, html, startSite } from '../../fixtures/site.ts';
import { testBrowsers } from '../../support/browsers.ts';
import { further } from '../../support/further.ts';
import { openAudit } from '../checks/harness.ts';

const browsers = testBrowsers();
const test = suite('lists that a page loads by POST');
test.after(() => browsers.close());

const application = `<title>Plans</title><div id=app></div><script>
  const app = document.getElementById('app');
  fetch('/api/plans/log');
  const [, id] = location.pathname.match(/^.plans.(\\d+)/) || [];
  if (id) fetch('/api/plans/' + id).then((answer) => answer.json()).then(({ name }) => { app.textContent = name; });
  else fetch('/api/plans/query', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{"range":{"label":"open"}}' })
    .then((answer) => answer.json())
    .then((all) => { app.innerHTML = all.map((each) => '<a href="/plans/' + each.id + '">' + each.name + '</a>').join(''); });
</script>`;

const json = (value: unknown): Answer => ({
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify(value),
});

/** @returns what was asked for. @param keeps the list grows by what is asked for */
async function askedOf(keeps: boolean): Promise<string[]> {
  const rows = [{ id: 31, name: 'Roof' }];
  const site = await startSite(({ method, path, body }) => {
    if (path === '/api/plans/query' && method === 'POST') {
      if (keeps) rows.push({ id: 32 + rows.length, name: body });
      return json(rows);
    }
    if (path === '/api/plans/log') return json(keeps ? rows : []);
    const id = /^\/api\/plans\/(\d+)$/.exec(path)?.[1];
    if (id !== undefined) return json({ name: `Plan ${id}` });
    return /^\/(?:plans\/\d+)?$/.test(path) ? html(application) : undefined;
  });
  try {
    const audit = await openAudit(site.url, { browsers, depth: 'deep', followsLeads: true });
    await audit.close();
    return site.requests;
  } finally {
    await site.close();
  }
}

further(test)('are filled and followed once the request was seen to read', async () => {
  const asked = await askedOf(false);
  assert.ok(asked.includes('GET /api/plans/31'), asked.join('\n'));
});

test('stay empty where the request keeps what it is sent', async () => {
  const asked = await askedOf(true);
  assert.not(asked.includes('GET /api/plans/31'));
});

test.run();
