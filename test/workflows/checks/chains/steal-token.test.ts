import { toBinary } from '@bufbuild/protobuf';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ProofSchema } from '../../../../proto/gen/scanaudit/v1/findings_pb.ts';
import { stealSession } from '../../../../workflows/checks/chains/steal-session.ts';
import { stealToken } from '../../../../workflows/checks/chains/steal-token.ts';
import type { Check } from '../../../../workflows/checks/contract.ts';
import { tokenInStorage } from '../../../../workflows/checks/deep/client/token-in-storage.ts';
import { sessionReadableByScript } from '../../../../workflows/checks/deep/cookies/session-readable-by-script.ts';
import { domXss } from '../../../../workflows/checks/standard/client/dom-xss.ts';
import { reflectedXss } from '../../../../workflows/checks/standard/injection/reflected-xss.ts';
import { inParallel } from '../../../../workflows/checks/support/parallel.ts';
import type { BrowserPool } from '../../../../workflows/probe/browser/launch.ts';
import { escapeHtml, type Handler, html, startSite } from '../../../fixtures/site.ts';
import { type AppDesign, appUsers, keeper, mirror, spa, tokenApp } from '../../../fixtures/token-app.ts';
import { chainsOn } from '../chain-harness.ts';
import { testBrowsers } from '../harness.ts';

type Case = { design: AppDesign; checks: readonly Check[]; show?: (term: string) => string };
type Chains = Awaited<ReturnType<typeof held>>;
type Context = { browsers: BrowserPool; chains: ReadonlyMap<string, Chains> };

const test = suite<Context>('the chain from a link to a stored token');
test.before(async (context) => {
  context.browsers = testBrowsers();
  // Each is mostly waiting, so a few sites are looked at side by side.
  const found = await inParallel(Object.entries(cases), 4, async ([what, each]) => {
    return [what, await held(context.browsers, each)] as const;
  });
  context.chains = new Map(found);
});
test.after(({ browsers }) => browsers.close());

async function held(browsers: BrowserPool, { design, checks, show }: Case) {
  const app = tokenApp(design);
  const site = await startSite(show ? withSearch(show)(app) : app);
  try {
    const { held: chains, notLooked } = await chainsOn(site.url, checks, [stealSession, stealToken], {
      browsers,
      identities: appUsers(design, 1),
      timeLimitMs: 400_000,
    });
    assert.equal(notLooked, []);
    return chains;
  } finally {
    await site.close();
  }
}

const waysOf = (chains: Chains = []): string[] =>
  chains.map(({ links }) => links.map(({ actionId }) => actionId.replace(/^.*\./, '')).join(' > ')).sort();

/** A page whose server puts a term into it. */
const withSearch =
  (show: (term: string) => string) =>
  (app: Handler): Handler =>
  (request) => {
    if (request.path === '/find') return html(show(request.query.get('q') ?? ''));
    const answer = app(request);
    return request.path === '/' && answer
      ? { ...answer, body: `${String(answer.body)}<a href="/find?q=lamp">Lamps</a>` }
      : answer;
  };

const asMarkup = 'out.innerHTML = decodeURIComponent(location.hash.slice(1))';
const viaDom = 'dom-xss > token-in-storage > steal-token';
const byPage = [domXss, tokenInStorage];

const taken: Record<string, Case> = {
  'its fragment, and keeps the token as it is': { design: { ...keeper, show: asMarkup }, checks: byPage },
  'its query, and keeps JSON at a login by script': {
    design: {
      ...spa,
      show: "out.innerHTML = '<b>' + (new URLSearchParams(location.search).get('note') ?? '') + '</b>'",
    },
    checks: byPage,
  },
  'its fragment, and keeps the session for the tab': { design: { ...mirror, show: asMarkup }, checks: byPage },
};

const repaired: Record<string, Case> = {
  'the fragment is put in as text': {
    design: { ...keeper, show: asMarkup.replace('innerHTML', 'textContent') },
    checks: [...byPage, reflectedXss],
    show: (term) => `<p>${escapeHtml(term)}</p>`,
  },
  'the token is kept in a variable': {
    design: { ...keeper, show: asMarkup, script: 'window.kept = await token()' },
    checks: byPage,
  },
  'the token is worth nothing without the cookie': {
    design: { ...keeper, show: asMarkup, api: 'both' },
    checks: byPage,
  },
};

const cases: Record<string, Case> = {
  ...taken,
  ...repaired,
  reflected: { design: keeper, checks: [reflectedXss, tokenInStorage], show: (term) => `<p>${term}</p>` },
  readable: {
    design: { ...keeper, show: asMarkup, attributes: 'Path=/' },
    checks: [...byPage, sessionReadableByScript],
  },
};

for (const what of Object.keys(taken)) {
  test(`an account is taken over where a page makes markup of ${what}`, ({ chains }) => {
    assert.equal(waysOf(chains.get(what)), [viaDom]);
    assert.is(chains.get(what)?.[0]?.goal, 'account takeover');
  });

  test(`no proof holds a token, a password or a mail address where a page makes markup of ${what}`, ({ chains }) => {
    const proofs = (chains.get(what) ?? []).flatMap(({ replayed }) => replayed.map(({ place }) => place.proof));
    const kept = proofs.map((proof) => Buffer.from(toBinary(ProofSchema, proof)).toString('latin1')).join();
    assert.match(kept, /Storage\.getItem/);
    assert.not.match(kept, /t[\w-]{26,}9|s[0-9a-f]{32}|correct-horse|dora@northwind/);
  });
}

test('script that the server lets through takes the token as well', ({ chains }) => {
  assert.equal(waysOf(chains.get('reflected')), ['reflected-xss > token-in-storage > steal-token']);
});

test('script of the page takes a readable session as well', ({ chains }) => {
  assert.equal(waysOf(chains.get('readable')), ['dom-xss > session-readable-by-script > steal-session', viaDom]);
});

for (const what of Object.keys(repaired)) {
  test(`there is no chain where ${what}`, ({ chains }) => {
    assert.equal(waysOf(chains.get(what)), []);
  });
}

test.run();
