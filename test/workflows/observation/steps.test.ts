import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startSite } from '../../fixtures/site.ts';
import { openAudit } from '../checks/harness.ts';

const test = suite('a form that goes on from page to page');

const steps = [
  '<select name=age><option value="">-</option><option value=child>Child</option></select>',
  '<label><input type=radio name=kind value=calm>calm</label><input type=number name=most>',
  '<input name=likes>',
];
const needed = [['age'], ['kind', 'most'], ['likes']];

/** Each step is shown to the session alone that has taken those before; nothing is kept. */
async function stepped(form: (fields: string, index: number) => string) {
  const taken = new Map<string, number>();
  /** Given anew whenever a step is shown; only the last one counts. */
  const tokens = new Map<string, string>();
  const sent: string[] = [];
  let counter = 0;
  const site = await startSite(({ path, method, cookies, body }) => {
    const cookie = cookies.s;
    const session = cookie ?? `n${taken.size}`;
    const done = taken.get(session) ?? 0;
    taken.set(session, done);
    const given: Record<string, string> = cookie === undefined ? { 'set-cookie': `s=${session}; Path=/` } : {};
    const page = (text: string) => ({
      headers: { 'content-type': 'text/html', ...given },
      body: `<!doctype html>${text}`,
    });
    if (path === '/') return page('<a href="/guide">Guide</a>');
    const index = path === '/guide' ? 0 : Number(/^\/guide\/(\d)$/.exec(path)?.[1] ?? '9');
    if (index > done || index > 3) return { status: 302, headers: { ...given, location: '/guide' } };
    if (method === 'POST') {
      sent.push(`${path} ${body}`);
      const fields = new URLSearchParams(body);
      if (fields.get('token') !== tokens.get(session)) return page('outdated');
      if (!needed[index]?.every((name) => fields.get(name))) return page('fill in');
      taken.set(session, index + 1);
      return { status: 302, headers: { ...given, location: `/guide/${index + 1}` } };
    }
    tokens.set(session, `${index}a7c1e9d3b5f02846${tokens.size}${counter++}`);
    return page(
      index === 3
        ? 'done'
        : form(`<input type=hidden name=token value=${tokens.get(session)}>${steps[index] ?? ''}`, index),
    );
  });
  const audit = await openAudit(site.url, { depth: 'deep', followsLeads: true });
  try {
    const { forms } = audit.context.surface;
    return { names: forms.flatMap(({ fields }) => fields.map(({ name }) => name)), sent };
  } finally {
    await audit.close();
    await site.close();
  }
}

test('is followed in the session that has taken the steps before', async () => {
  const { names } = await stepped((fields) => `<form method=post>${fields}<button>Continue</button></form>`);
  for (const name of ['age', 'kind', 'most', 'likes']) assert.ok(names.includes(name), name);
});

test('is not where a step chooses what is done', async () => {
  const { sent } = await stepped(
    (fields, index) =>
      `<form method=post>${index === 0 ? fields.replace('child', 'delete_all') : fields}<button>Continue</button></form>`,
  );
  assert.not(sent.some((line) => line.includes('delete_all')));
});

test.run();
