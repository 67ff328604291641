import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { storedXss } from '../../../../workflows/checks/injection/stored-xss.check.ts';
import { type Answer, escapeHtml, html, redirect, startSite } from '../../../fixtures/site.ts';
import type { ScoreSite } from '../../../scorecard/case.ts';
import { startDutyBook } from '../../../scorecard/sites/duty-book.ts';
import {
  startAddressBook,
  startCatalogue,
  startFilteredLinks,
  startFilteredWall,
  startFormattedNotes,
  startHelpDesk,
  startQuotations,
  startRenderedNotes,
  startTextTags,
} from '../../../scorecard/sites/filtering-stores.ts';
import { startMarkedOffers } from '../../../scorecard/sites/listed-entries.ts';
import { startMemberList } from '../../../scorecard/sites/member-lists.ts';
import { startDropBox } from '../../../scorecard/sites/named-files.ts';
import {
  honestSites,
  startBoard,
  startGuestBook,
  startLinkedComments,
  startPrivateNotes,
  startRepairRequests,
  startTaskList,
  startTeam,
} from '../../../scorecard/sites/storing-sites.ts';
import { startTaskPages } from '../../../scorecard/sites/task-pages.ts';
import { startVisitLog } from '../../../scorecard/sites/visit-log.ts';
import { firstRows, further } from '../../../support/further.ts';
import { check, openAudit, places, testBrowsers } from '../harness.ts';

const test = suite('injection.stored-xss');
const browsers = testBrowsers();
test.after(() => browsers.close());

async function result(started: Promise<ScoreSite>, options: Parameters<typeof openAudit>[1] = {}) {
  const site = await started;
  const audit = await openAudit(site.url, { browsers, ...site.options, ...options });
  try {
    const found = await check(audit, storedXss);
    const { writes, undone, lasting } = audit;
    return { ...found, writes, undone, lasting };
  } finally {
    await audit.close();
    await site.close();
  }
}

/** Comments whose authors are encoded before they are stored, in a column that is short for that: the database refuses the row. */
const shortAuthors = (isEncoded: boolean) => {
  const encoded = (text: string) => text.replace(/[<>"'&]/g, (sign) => `&#${sign.charCodeAt(0)};`);
  const clean = (text: string) =>
    text.replace(/<\s*\/?\s*(?:script|img|svg|iframe|body|input|style|audio)[^>]*>/gi, '');
  const rows: string[] = [];
  return startSite(({ path, method, body }) => {
    if (path !== '/') return undefined;
    const given = new URLSearchParams(body);
    const [author, text] = [encoded(given.get('author') ?? ''), given.get('text') ?? ''];
    if (method === 'POST' && author.length > 60) return html('<h1>Error</h1>', 500);
    if (method === 'POST') rows.push(`<b>${author}</b><p>${isEncoded ? encoded(text) : clean(text)}</p>`);
    return html(
      `<title>Crumbs</title>${rows.join('')}<form method=post action=/><input name=author><textarea name=text></textarea><button>Comment</button></form>`,
    );
  });
};

further(test)(
  'a text is found beside a field that is too short for what is tried in it, and not where it is encoded',
  async () => {
    for (const [isEncoded, expected] of [
      [false, ['POST / text']],
      [true, []],
    ] as const) {
      const site = await shortAuthors(isEncoded);
      const audit = await openAudit(site.url, { browsers, depth: 'deep', writes: 'create' });
      try {
        const found = await check(audit, storedXss);
        assert.equal(places(found), expected, found.outcome.reason);
        assert.ok(audit.lasting.length <= 8 + 1, String(audit.lasting.length));
      } finally {
        await audit.close();
        await site.close();
      }
    }
  },
);

/** A large site: what a form keeps is on a page that only the form's page leads to, and the forms of many others say nothing of it. */
const largeSite = (show: (text: string) => string) => {
  const names: string[] = [];
  return startSite(({ path, method, body }) => {
    const parts = Array.from({ length: 60 }, (_, index) => `/parts/page-${'abcdefghij'[index % 10]}${index}.html`);
    if (path === '/')
      return html(`${parts.map((part) => `<a href="${part}">x</a>`).join('')}<a href="/club/join">Us</a>`);
    if (parts.includes(path)) return html(`<p>Part ${path}</p>`);
    if (path === '/club/members')
      return html(`<title>Us</title>${names.map((name) => `<li>${show(name)}</li>`).join('')}`);
    if (path !== '/club/join') return undefined;
    if (method === 'POST') names.push(new URLSearchParams(body).get('nick') ?? '');
    return html('<form method=post><input name=nick><button>Send</button></form><a href="/club/members">See all</a>');
  });
};

further(test)('pages that only the page of a form leads to are read on large sites', async () => {
  for (const [show, expected] of [
    [(text: string) => text, ['POST /club/join nick']],
    [escapeHtml, []],
  ] as const) {
    const site = await largeSite(show);
    const audit = await openAudit(site.url, { browsers, depth: 'deep', writes: 'create' });
    try {
      const found = await check(audit, storedXss);
      assert.equal(places(found), expected, found.outcome.reason);
    } finally {
      await audit.close();
      await site.close();
    }
  }
});

const keeping = {
  'a catalogue with short columns and unique codes': [startCatalogue, 'POST /entries title'],
  'a guest book': [startGuestBook, 'POST /book who'],
  'a board with a page for each question': [startBoard, 'POST /board topic'],
  'an application of script': [startTaskList, 'POST /api/tasks title'],
  'an application of script, behind a tab,': [
    (variant: 'vulnerable' | 'patched') => startTaskList(variant, 'in a tab'),
    'POST /api/tasks title',
  ],
  'an application whose script draws a page for each list': [startTaskPages, 'POST /api/tasks title'],
  'an application whose components draw a page for each list': [
    (variant: 'vulnerable' | 'patched') => startTaskPages(variant, 'in components'),
    'POST /api/tasks title',
  ],
  'an application behind "#" whose script keeps the token': [startDutyBook, 'POST /api/notes note'],
  'a list of names of files': [startDropBox, 'POST /add item'],
  'comments that a link makes': [startLinkedComments, 'GET / comment'],
  'a help desk that encodes two of three fields': [startHelpDesk, 'POST /entries message'],
  'an address book that encodes addresses': [startAddressBook, 'POST /entries site'],
  'a list of addresses with a filter by hand': [startFilteredLinks, 'POST /entries site'],
  'a wall with a filter by hand': [startFilteredWall, 'POST /entries words'],
  'a wall that leaves tags of plain text with their attributes': [startTextTags, 'POST /entries words'],
  'a list of quotations with single quotes': [startQuotations, 'POST /entries who'],
  'a list of notes in Markdown': [startFormattedNotes, 'POST /entries words'],
  'a list of notes whose renderer leaves HTML': [startRenderedNotes, 'POST /entries words'],
} as const;
for (const list of firstRows(['open', 'scripted', 'administration'] as const, 1)) {
  further(test)(
    `script in the name of an account is found in a list of members (${list}), and not where it is encoded`,
    async () => {
      const found = await result(startMemberList('vulnerable', { list }));
      assert.equal(places(found), ['POST /register fullname'], found.outcome.reason);
      assert.ok(found.lasting.length <= 8, String(found.lasting.length));
      const patched = await result(startMemberList('patched', { list }));
      assert.equal(places(patched), []);
    },
  );
}

for (const [what, [start, place]] of firstRows(Object.entries(keeping), 1)) {
  test(`script that ${what} keeps is found, recorded before it is sent, and not where the text is encoded`, async () => {
    const found = await result(start('vulnerable'));
    assert.equal(places(found), [place], found.outcome.reason);
    assert.ok(found.lasting.length >= 4 && found.lasting.length <= 8 * 3, String(found.lasting.length));
    const patched = await result(start('patched'));
    assert.equal([patched.outcome.kind, places(patched)], ['clean', []], patched.outcome.reason);
  });
}

further(test)(
  'script in an entry is found on the page that a new link of a list leads to, and not where that page encodes it',
  async () => {
    const found = await result(startMarkedOffers('vulnerable'));
    assert.equal(places(found), ['POST /offers words'], found.outcome.reason);
    const patched = await result(startMarkedOffers('patched'));
    assert.equal([patched.outcome.kind, places(patched)], ['clean', []], patched.outcome.reason);
  },
);

further(test)(
  'script in a header that a log keeps runs for the administrator who reads it, and not where the log is encoded',
  async () => {
    const found = await result(startVisitLog('vulnerable'));
    assert.equal(places(found), ['GET / User-Agent'], found.outcome.reason);
    assert.ok(found.lasting.length >= 4);
    const patched = await result(startVisitLog('patched'));
    assert.equal([patched.outcome.kind, places(patched)], ['clean', []], patched.outcome.reason);
  },
);

further(test)(
  'no header is tried on a page that a cache may keep, since others would be given what it makes of them',
  async () => {
    const tried: string[] = [];
    const site = await startSite(({ path, headers }) => {
      if (/^[a-z0-9]{10}$/.test(String(headers['user-agent']))) tried.push(path);
      return path === '/' ? html('<h1>Lamps</h1>', 200, { 'cache-control': 'public, max-age=60' }) : undefined;
    });
    const found = await result(Promise.resolve({ ...site, options: { depth: 'deep', writes: 'create' } }));
    assert.equal([found.outcome.kind, tried], ['not-applicable', []], found.outcome.reason);
  },
);

further(test)('script in a profile is shown to another member, and each change is put back', async () => {
  const site = await startTeam('vulnerable');
  const before = site.motto();
  const found = await result(Promise.resolve(site));
  assert.equal(places(found), ['POST /profile about'], found.outcome.reason);
  assert.ok(found.writes.length >= 6 && found.writes.length <= 16 && found.lasting.length === 0);
  assert.is(site.motto(), before);
  const patched = await result(startTeam('patched'));
  assert.equal([patched.outcome.kind, places(patched)], ['clean', []], patched.outcome.reason);
});

further(test)(
  'a text of a profile that script puts into the page of all members is found, although the own form shows it, too',
  async () => {
    const found = await result(startTeam('vulnerable', 'script'));
    assert.equal(places(found), ['POST /profile about'], found.outcome.reason);
    const patched = await result(startTeam('patched', 'script'));
    assert.equal([patched.outcome.kind, places(patched)], ['clean', []], patched.outcome.reason);
  },
);

test('nothing that stays is stored where the scope does not say so', async () => {
  const found = await result(startGuestBook('vulnerable'), { writes: 'reversible' });
  assert.equal([found.outcome.kind, found.lasting.length, found.writes.length], ['not-applicable', 0, 0]);
});

further(test)('script that runs for nobody but who wrote it is no finding', async () => {
  const found = await result(startPrivateNotes());
  assert.equal([found.outcome.kind, places(found)], ['clean', []], found.outcome.reason);
});

test('script in a request is found that its sender and those who run the site are shown', async () => {
  const found = await result(startRepairRequests('vulnerable'));
  assert.equal(places(found), ['POST /requests/new damage'], found.outcome.reason);
  assert.match(found.findings[0]?.description ?? '', /those who run the site/);
  const patched = await result(startRepairRequests('patched'));
  assert.equal([patched.outcome.kind, places(patched)], ['clean', []], patched.outcome.reason);
});

for (const [which, start] of firstRows(Object.entries(honestSites), 1))
  further(test)(`a site ${which} is clean`, async () => {
    const found = await result(start());
    assert.equal([found.outcome.kind, places(found)], ['clean', []], found.outcome.reason);
  });

const turnedAway: Record<string, Answer> = {
  'a status': html('Members only', 403),
  'its login': redirect('/sign-in'),
};
for (const [how, answer] of Object.entries(turnedAway))
  further(test)(
    `a form that everybody is shown, and that turns away by ${how} who is no member, is sent as a member`,
    async () => {
      const tips: string[] = [];
      const site = await startSite(({ path, method, body, cookies }) => {
        const isMember = cookies.tide === 'member-5521';
        if (method === 'POST' && path === '/tips') {
          if (!isMember) return answer;
          tips.push(new URLSearchParams(body).get('tip') ?? '');
          return redirect('/tips');
        }
        if (path === '/') return html(`<a href="/tips">Tips</a>${isMember ? '<p>Aboard as Lone</p>' : ''}`);
        if (path === '/sign-in') return html('<p>Members sign in here.</p>');
        const form = '<form method="post" action="/tips"><input name="tip"><button>Leave a tip</button></form>';
        return path === '/tips' ? html(form + tips.map((each) => `<p>${each}</p>`).join('')) : undefined;
      });
      const member = { name: 'lone', cookies: { tide: 'member-5521' }, checkPath: '/', marker: 'Aboard as Lone' };
      const audit = await openAudit(site.url, { browsers, depth: 'deep', writes: 'create', identities: [member] });
      try {
        const found = await check(audit, storedXss);
        assert.equal(places(found), ['POST /tips tip'], found.outcome.reason);
        assert.match(found.findings[0]?.description ?? '', /"lone" stores/);
      } finally {
        await audit.close();
        await site.close();
      }
    },
  );

further(test)('a form that gives no answer to markup keeps no other form from being tried', async () => {
  const names: string[] = [];
  const words: string[] = [];
  const site = await startSite(({ path, method, body }) => {
    const sent = new URLSearchParams(body);
    if (method === 'POST' && path === '/guests') {
      const name = sent.get('name') ?? '';
      if (/onerror|onload/.test(name)) return { closes: true };
      names.push(name);
      return { status: 303, headers: { location: '/guests' } };
    }
    if (method === 'POST' && path === '/wall') words.push(sent.get('words') ?? '');
    const form = (action: string, field: string) =>
      `<form method="post" action="${action}"><input name="${field}"><button>Sign</button></form>`;
    if (path === '/') return html('<a href="/guests">Guests</a> <a href="/wall">Wall</a>');
    if (path === '/guests') return html(form('/guests', 'name') + names.map((name) => `<li>${name}`).join(''));
    return path === '/wall' ? html(form('/wall', 'words') + words.map((each) => `<p>${each}</p>`).join('')) : undefined;
  });
  const audit = await openAudit(site.url, { browsers, depth: 'deep', writes: 'create' });
  try {
    const found = await check(audit, storedXss);
    assert.equal(places(found), ['POST /wall words'], found.outcome.reason);
  } finally {
    await audit.close();
    await site.close();
  }
});

test.run();
