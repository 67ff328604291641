import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { storedTemplate } from '../../../../workflows/checks/injection/stored-template.check.ts';
import type { ScoreSite } from '../../../scorecard/case.ts';
import { startLetters } from '../../../scorecard/sites/answered-entries.ts';
import { startCutHeadings } from '../../../scorecard/sites/cut-headings.ts';
import { startCampaigns, startCardApi } from '../../../scorecard/sites/linked-previews.ts';
import { startTemplateOffers } from '../../../scorecard/sites/listed-entries.ts';
import { startCardOfSinger } from '../../../scorecard/sites/stored-choices.ts';
import {
  startBracedEntries,
  startEntryTemplates,
  startGreeting,
  startMailDesk,
  startNotices,
  startPlates,
  startReplacedTemplates,
  startSumsInBrowser,
} from '../../../scorecard/sites/stored-templates.ts';
import { further } from '../../../support/further.ts';
import { check, openAudit, places, testBrowsers } from '../harness.ts';

const test = suite('injection.stored-template');
const browsers = testBrowsers();
test.after(() => browsers.close());

async function result(started: Promise<ScoreSite>, options: Parameters<typeof openAudit>[1] = {}) {
  const site = await started;
  const audit = await openAudit(site.url, { ...site.options, ...options });
  try {
    const found = await check(audit, storedTemplate);
    const { writes, undone, lasting } = audit;
    return { ...found, writes, undone, lasting };
  } finally {
    await audit.close();
    await site.close();
  }
}

further(test)(
  'a name in a profile that becomes part of a template is found, put back each time, and not where it is data',
  async () => {
    const found = await result(startMailDesk('vulnerable'));
    assert.equal(places(found), ['POST /profile display'], found.outcome.reason);
    assert.equal([found.lasting.length, found.undone.length], [0, found.writes.length]);
    assert.ok(found.writes.length <= 8, String(found.writes.length));
    const patched = await result(startMailDesk('patched'));
    assert.equal([patched.outcome.kind, places(patched)], ['clean', []], patched.outcome.reason);
  },
);

test('an entry that is evaluated with the page is found, recorded before it is sent, and not where it is data', async () => {
  const found = await result(startEntryTemplates('vulnerable'));
  assert.equal(places(found), ['POST /book words'], found.outcome.reason);
  assert.ok(found.lasting.length >= 6 && found.lasting.length <= 8, String(found.lasting.length));
  const patched = await result(startEntryTemplates('patched'));
  assert.equal([patched.outcome.kind, places(patched)], ['clean', []], patched.outcome.reason);
  assert.ok(patched.lasting.length <= 4, String(patched.lasting.length));
});

further(test)(
  'a text that a script replaces is found where its preview is made of it, put back each time, and not where it is data',
  async () => {
    const found = await result(startReplacedTemplates('vulnerable'), { browsers });
    assert.equal(places(found), ['PUT /api/letters/1 body'], found.outcome.reason);
    assert.equal([found.lasting.length, found.undone.length], [0, found.writes.length]);
    const patched = await result(startReplacedTemplates('patched'), { browsers });
    assert.equal([patched.outcome.kind, places(patched)], ['clean', []], patched.outcome.reason);
    assert.is(patched.undone.length, patched.writes.length);
    const reversible = await result(startReplacedTemplates('vulnerable'), { browsers, writes: 'reversible' });
    assert.equal([reversible.outcome.kind, reversible.writes.length], ['not-applicable', 0]);
  },
);

further(test)('a text is found beside a heading that is cut, and not where it is data', async () => {
  const found = await result(startCutHeadings('vulnerable'));
  assert.equal(places(found), ['POST /cards text'], found.outcome.reason);
  const patched = await result(startCutHeadings('patched'));
  assert.equal([patched.outcome.kind, places(patched)], ['clean', []], patched.outcome.reason);
});

further(test)('a text that a script replaces with a token of its page is put back with one', async () => {
  const found = await result(startReplacedTemplates('vulnerable', true), { browsers });
  assert.equal(places(found), ['PUT /api/letters/1 body'], found.outcome.reason);
  assert.is(found.undone.length, found.writes.length);
});

further(test)('a text is found beside a choice whose send would replace it, and not where it is data', async () => {
  const found = await result(startCardOfSinger('vulnerable'));
  assert.equal(places(found), ['POST /settings motto'], found.outcome.reason);
  const patched = await result(startCardOfSinger('patched'));
  assert.equal([patched.outcome.kind, places(patched)], ['clean', []], patched.outcome.reason);
});

further(test)('an entry that is evaluated is found where braces of expressions are refused', async () => {
  const found = await result(startBracedEntries('vulnerable'));
  assert.equal(places(found), ['POST /wall words'], found.outcome.reason);
  const patched = await result(startBracedEntries('patched'));
  assert.equal([patched.outcome.kind, places(patched)], ['clean', []], patched.outcome.reason);
});

further(test)(
  'what is kept for who sent it alone is found by the cookies that were given, and not where it is data',
  async () => {
    const found = await result(startGreeting('vulnerable'));
    assert.equal(places(found), ['POST /greeting greeting'], found.outcome.reason);
    const patched = await result(startGreeting('patched'));
    assert.equal([patched.outcome.kind, places(patched)], ['clean', []], patched.outcome.reason);
  },
);

further(test)(
  'a text of the first of several steps is found where the last one leads to a template with it, and not where it is data',
  async () => {
    const found = await result(startPlates('vulnerable'));
    assert.equal(places(found), ['POST /plate/text line'], found.outcome.reason);
    const sent = Map.groupBy(found.lasting, ({ request }) => request.url);
    for (const [path, all] of sent) assert.ok(all.length <= 8, `${path} ${all.length}`);
    const patched = await result(startPlates('patched'));
    assert.equal([patched.outcome.kind, places(patched)], ['clean', []], patched.outcome.reason);
  },
);

further(test)('an entry that is evaluated on a page of its own is found once the answer leads there', async () => {
  const found = await result(startNotices('vulnerable'));
  assert.equal(places(found), ['POST /notices subject'], found.outcome.reason);
  const patched = await result(startNotices('patched'));
  assert.equal([patched.outcome.kind, places(patched)], ['clean', []], patched.outcome.reason);
});

further(test)(
  'an entry that is evaluated on the page that a new link of a list leads to is found, and not where it is data',
  async () => {
    const found = await result(startTemplateOffers('vulnerable'));
    assert.equal(places(found), ['POST /offers words'], found.outcome.reason);
    const patched = await result(startTemplateOffers('patched'));
    assert.equal([patched.outcome.kind, places(patched)], ['clean', []], patched.outcome.reason);
  },
);

further(test)(
  'an entry that is evaluated on a page that only the number in the answer leads to is found, and not where it is data',
  async () => {
    const found = await result(startLetters('vulnerable'));
    assert.equal(places(found), ['POST /api/letters words'], found.outcome.reason);
    const patched = await result(startLetters('patched'));
    assert.equal([patched.outcome.kind, places(patched)], ['clean', []], patched.outcome.reason);
  },
);

further(test)(
  'an entry that is evaluated on a preview to which its own page links is found, and not where it is data',
  async () => {
    const found = await result(startCampaigns('vulnerable'));
    assert.equal(places(found), ['POST /campaigns body'], found.outcome.reason);
    const patched = await result(startCampaigns('patched'));
    assert.equal([patched.outcome.kind, places(patched)], ['clean', []], patched.outcome.reason);
  },
);

further(test)(
  'an entry that is evaluated where an API shows it as data is found below the address that made it',
  async () => {
    const found = await result(startCardApi('vulnerable'), { browsers });
    assert.equal(places(found), ['POST /api/cards words'], found.outcome.reason);
    const patched = await result(startCardApi('patched'), { browsers });
    assert.equal([patched.outcome.kind, places(patched)], ['clean', []], patched.outcome.reason);
  },
);

further(test)('what a script of the page calculates is no finding', async () => {
  const found = await result(startSumsInBrowser());
  assert.is(found.lasting.length, 4);
  assert.equal([found.outcome.kind, places(found)], ['clean', []], found.outcome.reason);
});

test('nothing that stays is stored where the scope does not say so', async () => {
  const found = await result(startEntryTemplates('vulnerable'), { writes: 'reversible' });
  assert.equal([found.outcome.kind, found.lasting.length, found.writes.length], ['not-applicable', 0, 0]);
});

test.run();
