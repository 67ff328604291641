import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { nothingShown } from '../../../workflows/activities/nothing-shown.ts';
import { type Site, surveyOf } from '../probe/survey-site.ts';

const test = suite('a site that shows nothing');

const leftOf = async (site: Site) => nothingShown(await surveyOf(site)).map(({ code, text }) => [code, text]);
const failing = { status: 500, body: '' };
const missing = { status: 404, body: '<h1>Not found</h1>' };

for (const [what, answer, advice] of [
  ['fails', failing, 'scan again when the application works'],
  ['has no page there', missing, 'scan the address where the application is, or give the domain its API description'],
  ['lets nobody in', { status: 403, body: 'no' }, 'give the domain a test identity, and scan in depth'],
] as const) {
  test(`is a gap where it ${what}`, async () => {
    const text = `the start page was answered with HTTP ${answer.status}, and no other page was seen: ${advice}`;
    assert.equal(await leftOf(() => answer), [['nothing_shown', text]]);
  });
}

test('is a gap where only robots.txt is shown', async () => {
  const robots = { type: 'text/plain', body: 'User-agent: *\nDisallow:' };
  assert.is((await leftOf((path) => (path === '/robots.txt' ? robots : failing)))[0]?.[0], 'nothing_shown');
});

test('is none where any page is shown, one that the start page does not lead to as well', async () => {
  assert.equal(await leftOf((path) => (path === '/' ? '<h1>Shop</h1>' : missing)), []);
  const robots = { type: 'text/plain', body: 'Disallow: /shop' };
  const site: Site = (path) => (path === '/robots.txt' ? robots : path === '/shop' ? '<h1>Shop</h1>' : missing);
  assert.equal(await leftOf(site), []);
});

test.run();
