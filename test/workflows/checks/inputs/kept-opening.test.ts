import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inputAction } from '../../../../workflows/checks/inputs/input-request.ts';
import { openInput, openInputOnce, sendInput } from '../../../../workflows/checks/inputs/open-input.ts';
import type { InputSurface } from '../../../../workflows/model/surface.ts';
import { newTrialValues } from '../../../../workflows/proof/template.ts';
import { html, startSite } from '../../../fixtures/site.ts';
import { openTestProbes } from '../../support/checks.ts';

const test = suite('what a page gives for its form');

const sends = 60;

type Way = {
  /** How many requests of a session the site takes. */
  uses: number;
  open?: typeof openInput;
  fields?: string[];
};

/** Sends values by the form of a page that gives a cookie and a token for it. */
async function sendMany({
  uses,
  open = (context, input) => openInputOnce({ ...context, surface }, input),
  fields = [],
}: Way) {
  const sessions = new Map<string, { token: string; uses: number }>();
  const counts = { opened: 0, answered: 0 };
  const site = await startSite(({ path, body, cookies }) => {
    if (path === '/form') {
      counts.opened += 1;
      const [sid, token] = [`${sessions.size}-session`, `${sessions.size}-token`];
      sessions.set(sid, { token, uses });
      const form = `<form method="post" action="/look"><input type="hidden" name="t" value="${token}"><input name="q"></form>`;
      return { ...html(form), headers: { 'set-cookie': `sid=${sid}`, 'content-type': 'text/html' } };
    }
    if (path !== '/look') return undefined;
    const session = sessions.get(cookies.sid ?? '');
    const sent = new URLSearchParams(body);
    if (!session || session.token !== sent.get('t') || session.uses-- <= 0) return html('The form has ended', 403);
    return html(`<p>Nothing for ${sent.get('q')}</p>`);
  });
  const probes = openTestProbes(site.url, new AbortController().signal);
  // The gate knows of no form there.
  const context = { http: probes.licensed('credentials') };
  const input: InputSurface = {
    ...{ method: 'POST', url: `${site.url}/look`, route: '/look', parameter: 'q', in: 'body', sample: 'lamp' },
    ...{ contentType: 'application/x-www-form-urlencoded' },
    page: { url: `${site.url}/form`, tokens: [{ field: 't' }] },
    others: [{ name: 't', value: '' }, ...fields.map((name) => ({ name, value: '' }))],
  };
  try {
    for (let index = 0; index < sends; index += 1) {
      const opened = await open(context, input);
      const values = newTrialValues(() => `nonce${index}`);
      const answer = await sendInput(context, opened, inputAction(opened, 'a ‹nonce›'), values);
      if (answer.text.includes(`Nothing for a nonce${index}`)) counts.answered += 1;
    }
  } finally {
    await probes.close();
    await site.close();
  }
  return counts;
}

const surface = {};

test('is used for some requests where the site takes it again', async () => {
  const { opened, answered } = await sendMany({ uses: Infinity });
  assert.is(answered, sends);
  assert.ok(opened <= 12, `${opened}`);
});

test('is taken anew for each where the site takes it once', async () => {
  assert.equal(await sendMany({ uses: 1 }), { opened: sends + 1, answered: sends });
});

test('is taken anew where the site takes it some times', async () => {
  const { opened, answered } = await sendMany({ uses: 5 });
  assert.is(answered, sends);
  assert.ok(opened > 12 && opened < sends / 2, `${opened}`);
});

test('is taken anew for each login, and for each request of a check that has a session of its own', async () => {
  for (const way of [{ fields: ['password'] }, { open: openInput }]) {
    const { opened, answered } = await sendMany({ uses: Infinity, ...way });
    assert.is(answered, sends);
    assert.ok(opened > sends, `${opened}`);
  }
});

test.run();
