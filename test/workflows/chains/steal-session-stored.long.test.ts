import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { stealSessionStored } from '../../../workflows/chains/steal-session-stored.step.ts';
import { sessionReadableByScript } from '../../../workflows/checks/cookies/session-readable-by-script.check.ts';
import { storedXss } from '../../../workflows/checks/injection/stored-xss.check.ts';
import type { BrowserPool } from '../../../workflows/probe/browser/launch.ts';
import { type MembersDesign, memberOf, membersSite, sound } from '../../fixtures/members.ts';
import { escapeHtml, type Handler, html, redirect, startSite } from '../../fixtures/site.ts';
import { chainsOn } from '../checks/chain-harness.ts';
import { testBrowsers } from '../checks/harness.ts';

const test = suite<{ browsers: BrowserPool }>('the chain from a stored text to a session');
test.before((context) => {
  context.browsers = testBrowsers();
});
test.after(({ browsers }) => browsers.close());

const readable: MembersDesign = { ...sound, attributes: 'Path=/' };

/** The members' site with a guest book that everybody writes in. */
function withGuestBook(design: MembersDesign, show: (text: string) => string): Handler {
  const members = membersSite(design);
  const entries: string[] = [];
  return (request) => {
    if (request.path === '/book' && request.method === 'POST') {
      entries.push(new URLSearchParams(request.body).get('words') ?? '');
      return redirect('/book');
    }
    const form =
      '<form method="post" action="/book"><input name="who"><textarea name="words"></textarea><button>Sign</button></form>';
    if (request.path === '/book') return html(`${entries.map((entry) => `<p>${show(entry)}</p>`).join('')}${form}`);
    const answer = members(request);
    if (request.path !== '/' || !answer) return answer;
    return { ...answer, body: `${String(answer.body)}<a href="/book">Guest book</a>` };
  };
}

async function chainsFor(browsers: BrowserPool, design: MembersDesign, show: (text: string) => string = String) {
  const site = await startSite(withGuestBook(design, show));
  const options = { browsers, identities: [memberOf(design)], depth: 'deep' as const, writes: 'create' as const };
  try {
    const { held } = await chainsOn(site.url, [storedXss, sessionReadableByScript], [stealSessionStored], options);
    return held.map(({ goal, links }) => [goal, ...links.map(({ actionId }) => actionId)].join(' '));
  } finally {
    await site.close();
  }
}

test('a session is taken over by a text that somebody else has stored', async ({ browsers }) => {
  assert.equal(await chainsFor(browsers, readable), [
    'account takeover injection.stored-xss cookies.session-readable-by-script chains.steal-session-stored',
  ]);
});

test('a cookie that script cannot read, or an escaped text, breaks the chain', async ({ browsers }) => {
  assert.equal(await chainsFor(browsers, sound), []);
  assert.equal(await chainsFor(browsers, readable, escapeHtml), []);
});

test.run();
