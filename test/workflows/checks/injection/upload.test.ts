import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { upload } from '../../../../workflows/checks/injection/upload.check.ts';
import type { ScoreSite } from '../../../scorecard/case.ts';
import {
  anywhereInName,
  byContent,
  byType,
  galleries,
  harmlessGalleries,
  startNumberedGallery,
  startPhpPhotos,
  withoutEnding,
} from '../../../scorecard/sites/upload-sites.ts';
import { firstRows, further } from '../../../support/further.ts';
import { isHere } from '../../../support/programs.ts';
import { check, openAudit, places, testBrowsers } from '../harness.ts';

const test = suite('injection.upload');
const browsers = testBrowsers();
test.after(() => browsers.close());

async function result(started: Promise<ScoreSite>, options: Parameters<typeof openAudit>[1] = {}) {
  const site = await started;
  const audit = await openAudit(site.url, { browsers, ...site.options, ...options });
  try {
    return { ...(await check(audit, upload)), lasting: audit.lasting };
  } finally {
    await audit.close();
    await site.close();
  }
}

for (const [what, start] of firstRows(Object.entries(galleries), 1))
  further(test)(`a ${what} opens a file of ours as a page, and not when it is mended`, async () => {
    const found = await result(start('vulnerable'));
    assert.equal(places(found), ['POST /gallery picture'], found.outcome.reason);
    assert.ok(found.lasting.length >= 5 && found.lasting.length <= 8, String(found.lasting.length));
    const patched = await result(start('patched'));
    assert.equal([patched.outcome.kind, places(patched)], ['clean', []], patched.outcome.reason);
  });

further(test)(
  'a file that is called by an identifier without an ending is found as the answer links to it, and not when it is kept apart',
  async () => {
    const found = await result(startNumberedGallery('vulnerable'));
    assert.equal(places(found), ['POST /gallery picture'], found.outcome.reason);
    const patched = await result(startNumberedGallery('patched'));
    assert.equal([patched.outcome.kind, places(patched)], ['clean', []], patched.outcome.reason);
  },
);

if (isHere('php'))
  test('a file that PHP runs is found by what it calculates, and not where only pictures are kept', async () => {
    const found = await result(startPhpPhotos('vulnerable'));
    assert.equal(places(found), ['POST /photo.php uploaded'], found.outcome.reason);
    assert.match(found.findings[0]?.description ?? '', 'as PHP');
    const patched = await result(startPhpPhotos('patched'));
    assert.equal([patched.outcome.kind, places(patched)], ['clean', []], patched.outcome.reason);
  });

if (isHere('php'))
  test('a file is run past a filter that looks for the ending of a picture anywhere in its name', async () => {
    const found = await result(startPhpPhotos('vulnerable', anywhereInName));
    assert.equal(places(found), ['POST /photo.php uploaded'], found.outcome.reason);
    assert.ok(found.lasting.length <= 11, String(found.lasting.length));
  });

if (isHere('php'))
  further(test)('a file is run past a filter that believes the type that the browser says', async () => {
    const found = await result(startPhpPhotos('vulnerable', byType));
    assert.equal(places(found), ['POST /photo.php uploaded'], found.outcome.reason);
  });

if (isHere('php'))
  test('a file is run past a filter that looks at the picture, and for the usual way to begin code', async () => {
    const found = await result(startPhpPhotos('vulnerable', byContent));
    assert.equal(places(found), ['POST /photo.php uploaded'], found.outcome.reason);
  });

if (isHere('php'))
  further(test)('a file is run past a filter that takes the ending of scripts out of names, once', async () => {
    const found = await result(startPhpPhotos('vulnerable', withoutEnding));
    assert.equal(places(found), ['POST /photo.php uploaded'], found.outcome.reason);
    assert.match(found.findings[0]?.description ?? '', 'as PHP');
  });

for (const [which, start] of firstRows(Object.entries(harmlessGalleries), 1))
  test(`a gallery ${which} is clean`, async () => {
    const found = await result(start());
    assert.equal([found.outcome.kind, places(found)], ['clean', []], found.outcome.reason);
  });

test('no file is sent where what stays is not allowed', async () => {
  const found = await result(startPhpless(), { writes: 'reversible' });
  assert.equal([found.outcome.kind, found.lasting.length], ['not-applicable', 0]);
});

function startPhpless() {
  const [start] = Object.values(galleries);
  if (!start) throw new Error('there is no gallery');
  return start('vulnerable');
}

test.run();
