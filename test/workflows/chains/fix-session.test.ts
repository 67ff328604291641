import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { fixSession } from '../../../workflows/chains/fix-session.step.ts';
import { sessionFixation } from '../../../workflows/checks/auth/session-fixation.check.ts';
import { reflectedXss } from '../../../workflows/checks/injection/reflected-xss.check.ts';
import type { BrowserPool } from '../../../workflows/probe/browser/launch.ts';
import { type MembersDesign, memberOf, membersSite, sound } from '../../fixtures/members.ts';
import { escapeHtml, type Handler, html, startSite } from '../../fixtures/site.ts';
import { chainsOn } from '../checks/chain-harness.ts';
import { testBrowsers } from '../checks/harness.ts';

const test = suite<{ browsers: BrowserPool }>('the chain from a link to a fixed session');
test.before((context) => {
  context.browsers = testBrowsers();
});
test.after(({ browsers }) => browsers.close());

/** The members' site with a search whose page shows the term as `show` does. */
function withSearch(design: MembersDesign, show: (term: string) => string): Handler {
  const members = membersSite(design);
  return (request) => {
    if (request.path === '/find') return html(`<p>${show(request.query.get('q') ?? '')}</p>`);
    const answer = members(request);
    if (request.path !== '/' || !answer) return answer;
    return { ...answer, body: `${String(answer.body)}<a href="/find?q=lamp">Lamps</a>` };
  };
}

async function chainsFor(browsers: BrowserPool, design: MembersDesign, show: (term: string) => string = String) {
  const site = await startSite(withSearch(design, show));
  try {
    const options = { browsers, identities: [memberOf(design)] };
    const { held } = await chainsOn(site.url, [reflectedXss, sessionFixation], [fixSession], options);
    return held.map(({ goal, links }) => [goal, ...links.map(({ actionId }) => actionId)].join(' '));
  } finally {
    await site.close();
  }
}

const kept: MembersDesign = { ...sound, beforeLogin: 'kept' };

test('a session that a script sets, and that stays at login, is taken over', async ({ browsers }) => {
  assert.equal(await chainsFor(browsers, kept), [
    'account takeover injection.reflected-xss auth.session-fixation chains.fix-session',
  ]);
});

test('a new session at login, or an escaped value, breaks the chain', async ({ browsers }) => {
  assert.equal(await chainsFor(browsers, sound), []);
  assert.equal(await chainsFor(browsers, kept, escapeHtml), []);
});

test.run();
