import { toBinary } from '@bufbuild/protobuf';
import { suite, type Test } from 'uvu';
import * as assert from 'uvu/assert';
import { ProofSchema } from '../../../proto/gen/scanaudit/v1/findings_pb.ts';
import { stealSession } from '../../../workflows/chains/steal-session.step.ts';
import { stealToken } from '../../../workflows/chains/steal-token.step.ts';
import { domXss } from '../../../workflows/checks/client/dom-xss.check.ts';
import { tokenInStorage } from '../../../workflows/checks/client/token-in-storage.check.ts';
import type { Check } from '../../../workflows/checks/contract.ts';
import { inParallel } from '../../../workflows/checks/inputs/parallel.ts';
import type { BrowserPool } from '../../../workflows/probe/browser/launch.ts';
import { type Handler, html, startSite } from '../../fixtures/site.ts';
import { type AppDesign, appUsers, tokenApp } from '../../fixtures/token-app.ts';
import { chainsOn } from '../checks/chain-harness.ts';
import { testBrowsers } from '../checks/harness.ts';

/** An app that keeps a token in the browser, and the ways on which an audit with these checks takes it over. */
export type TokenCase = {
  design: AppDesign;
  checks: readonly Check[];
  /** A page whose server puts a term into it. */
  show?: (term: string) => string;
  ways: string[];
};

type Chains = Awaited<ReturnType<typeof held>>;
type Context = { browsers: BrowserPool; chains: ReadonlyMap<string, Chains> };

export const byPage: readonly Check[] = [domXss, tokenInStorage];
export const viaDom = 'dom-xss > token-in-storage > steal-token';
/** A script of the page that makes markup of its fragment. */
export const asMarkup = 'out.innerHTML = decodeURIComponent(location.hash.slice(1))';

/** Tests that each app is taken over on its ways and no other, and that no proof holds what was taken. */
export function testTokenChains(name: string, cases: Record<string, TokenCase>): Test<Context> {
  const test = suite<Context>(name);
  test.before(async (context) => {
    context.browsers = testBrowsers();
    // Each waits a part of its time, so a few sites are looked at side by side.
    const found = await inParallel(Object.entries(cases), 4, async ([what, each]) => {
      return [what, await held(context.browsers, each)] as const;
    });
    context.chains = new Map(found);
  });
  test.after(({ browsers }) => browsers.close());
  for (const [what, { ways }] of Object.entries(cases)) {
    test(`${ways.length === 0 ? 'there is no chain' : 'an account is taken over'} where ${what}`, ({ chains }) => {
      assert.equal(waysOf(chains.get(what)), ways);
      for (const { goal } of chains.get(what) ?? []) assert.is(goal, 'account takeover');
    });
    if (!ways.includes(viaDom)) continue;
    test(`no proof holds a token, a password or a mail address where ${what}`, ({ chains }) => {
      const proofs = (chains.get(what) ?? []).flatMap(({ replayed }) => replayed.map(({ place }) => place.proof));
      const kept = proofs.map((proof) => Buffer.from(toBinary(ProofSchema, proof)).toString('latin1')).join();
      assert.match(kept, /Storage\.getItem/);
      assert.not.match(kept, /t[\w-]{26,}9|s[0-9a-f]{32}|correct-horse|dora@northwind/);
    });
  }
  return test;
}

async function held(browsers: BrowserPool, { design, checks, show }: TokenCase) {
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
