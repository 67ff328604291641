import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readObjects } from '../../../../workflows/checks/injection/read-objects.ts';
import { inputsToProbe } from '../../../../workflows/checks/inputs/probe-inputs.ts';
import { type Handler, html, startSite } from '../../../fixtures/site.ts';
import { further } from '../../../support/further.ts';
import { openAudit } from '../harness.ts';

const test = suite('cookies that hold an object');

const settings = Buffer.from('a:2:{s:4:"tint";s:6:"indigo";s:4:"font";s:5:"serif";}').toString('base64');
const names = ['berths', 'crew', 'docks', 'events', 'ferries', 'gates', 'harbour'];

/** The first page gives the object, and the last one shows what it holds; what cannot be read counts as that. */
const site =
  (shown: (look: string | undefined) => string, object = settings): Handler =>
  ({ path, cookies: { look } }) => {
    const links = names.map((name) => `<a href=/${name}>${name}</a>`).join(' ');
    if (path === '/') return { ...html(links), headers: { 'set-cookie': `look=${encodeURIComponent(object)}` } };
    const name = names.find((each) => path === `/${each}`);
    return name === undefined ? undefined : html(`<h1>${name}</h1><p>${name === 'harbour' ? shown(look) : 'None'}</p>`);
  };

async function readOn(shown: (look: string | undefined) => string, object = settings): Promise<string[]> {
  const server = await startSite(site(shown, object));
  const audit = await openAudit(server.url);
  try {
    const whole = inputsToProbe(audit.context.surface).filter((input) => input.in === 'cookie' && !input.encoded);
    const found = await readObjects(audit.context, whole);
    return found.map(({ url }) => new URL(url).pathname);
  } finally {
    await audit.close();
    await server.close();
  }
}

further(test)('are read by the page that shows what they hold, also where it shows the same without them', async () => {
  assert.equal(await readOn(() => 'Your tint is indigo, your font is serif'), ['/harbour']);
});

test('are read by the page that shows something else without them', async () => {
  assert.equal(
    await readOn((look) => (look?.startsWith(settings.slice(0, 20)) ? 'Your tint: indigo' : 'No such tint')),
    ['/harbour'],
  );
});

test('are read by the page that shows something else with other values in them', async () => {
  const object = Buffer.from('{"done":0,"right":0}').toString('base64');
  const steps = (look = '') => {
    const [, done = '0'] = /"done":(\d+)/.exec(Buffer.from(look, 'base64').toString()) ?? [];
    return ['Which river is right?', 'Which metal is right?'][Number(done)] ?? 'No more';
  };
  assert.equal(await readOn(steps, object), ['/harbour']);
});

further(test)('stay with the page that gave them where no page shows anything of them', async () => {
  assert.equal(await readOn(() => 'Nothing to see'), ['/']);
});

test('stay with the form that is posted with them', async () => {
  const server = await startSite(site(() => 'Your tint is indigo, your font is serif'));
  const audit = await openAudit(server.url);
  try {
    const [input] = inputsToProbe(audit.context.surface).filter(
      ({ in: place, encoded }) => place === 'cookie' && !encoded,
    );
    assert.ok(input);
    const posted = { ...input, method: 'POST', url: `${server.url}/crew` };
    assert.equal(await readObjects(audit.context, [posted]), [posted]);
    assert.equal(
      server.requests.filter((each) => each.startsWith('POST')),
      [],
    );
  } finally {
    await audit.close();
    await server.close();
  }
});

test.run();
