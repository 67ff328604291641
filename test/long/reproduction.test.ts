import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startDemo } from '../../dev/demo/demo.ts';
import { readersVariables } from '../../dev/demo/reader.ts';
import { missingIn, paste } from '../dev/demo/printed.ts';
import { auditDemo, meansOf, type Proven, type Reproduction } from '../dev/demo/reproduction.ts';
import { testBrowsers } from '../workflows/checks/harness.ts';

/** What a reader sees in a browser alone: no answer of the site shows it. */
const inBrowserAlone = {
  'client.dom-xss': 'a script of the page puts in the fragment, which is never sent',
  'client.vulnerable-library': 'the version is that of what runs in the page',
  'injection.reflected-xss': 'the answer holds the payload, a browser runs it',
};

/** What a browser decides in the end, with an answer before it that a command shows. */
const withAnswer = {
  'chains.cross-origin-read': 'the answer lets another site read it, a browser does',
  'cors.reflected-origin-with-credentials': 'the answer lets another site read it, a browser does',
  'headers.csp-bypassable': 'the answer has the policy, a browser applies it',
  'headers.framing-allowed': 'the answer lacks the policy, a browser frames it',
};

/** What the reader takes out of a browser first. */
const keptInBrowser = {
  'chains.steal-token': 'a script shows the token that the browser keeps',
  'client.token-in-storage': 'the token is in the storage of a browser',
};

/** What a browser does or does not, while the answers are the same. */
const sameAnswers = {
  'cookies.session-sent-across-sites': 'the cookie is sent from other sites, or is not',
  'guessing.password-guessing': 'the wrong passwords before the right one are for the reader to send',
};

const test = suite<Reproduction>('what a deep audit of the demo prints for a shell, browser included');
test.before(async (context) => {
  const browsers = testBrowsers();
  const { close, ...audited } = await auditDemo(browsers);
  const closeAll = async () => {
    await close();
    await browsers.close();
  };
  Object.assign(context, audited, { close: closeAll });
});
test.after(async ({ close }) => close?.());

const isSeenInBrowser = (proven: Proven): boolean => meansOf(proven) === 'browser';
const idsOf = (proven: readonly Proven[]) => [...new Set(proven.map(({ id }) => id))].sort();

test('a browser decides these and no others', ({ proven }) => {
  const expected = [...Object.keys(inBrowserAlone), ...Object.keys(withAnswer)].sort();
  assert.equal(idsOf(proven.filter(isSeenInBrowser)), expected);
});

/** What the reader would copy out of the browser. */
function keptBy({ id, experiment, values }: Proven): Record<string, string> {
  if (!(id in keptInBrowser)) return {};
  const captures = experiment.steps.flatMap((step) => ('browser' in step ? (step.capture ?? []) : []));
  return { SECRET_1: values.get(captures.find(({ secret }) => secret)?.name ?? '') ?? '' };
}

test('nothing else is asked of the reader but what a browser keeps', ({ proven }) => {
  const asking = proven.filter(({ proof }) => proof.curl.includes('# Set SECRET_'));
  assert.equal(idsOf(asking), Object.keys(keptInBrowser));
  for (const { id, proof } of asking) assert.match(proof.curl, /\n# Open in a browser that is logged in as \w+: /, id);
});

test('each command shows what its finding claims, as far as an answer can', async ({ proven }) => {
  const shown = proven.filter((each) => meansOf(each) !== 'name' && !(each.id in inBrowserAlone));
  for (const each of shown) {
    const printed = await paste(each.proof.curl, { ...readersVariables, ...keptBy(each) });
    assert.is(missingIn(printed, each), undefined, `${each.id}\n${each.proof.curl}`);
    assert.is(printed.stderr, '', each.id);
  }
});

test('none shows it of the patched twin', async ({ demo, proven }) => {
  const folder = await mkdtemp(join(tmpdir(), 'demo-reproduction-'));
  const twin = await startDemo({ folder, port: 0, patched: true });
  try {
    const [host, other] = [demo, twin].map(({ url }) => new URL(url).host);
    for (const each of proven.filter((one) => meansOf(one) === 'request' && !(one.id in sameAnswers))) {
      const script = each.proof.curl.replaceAll(host ?? '', other ?? '');
      const printed = await paste(script);
      assert.ok(missingIn(printed, each), `${each.id}\n${script}`);
    }
  } finally {
    await twin.close();
    await rm(folder, { recursive: true });
  }
});

test('what a browser alone shows comes with the address to open', async ({ demo, proven }) => {
  for (const { id, proof } of proven.filter((each) => each.id in inBrowserAlone)) {
    assert.match(proof.curl, `# Open in a browser: `, id);
    assert.match(proof.curl, demo.url, id);
  }
  const reflected = proven.find(({ id }) => id === 'injection.reflected-xss');
  const { stdout } = await paste(reflected?.proof.curl ?? '');
  assert.match(stdout, /<svg onload=alert\(\/[a-z]\w+\/\.source\)>/);
});

test.run();
