import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { surveyOf } from '../probe/survey-site.ts';

const test = suite('addresses that forms are posted to');

const form = (action: string) => `<form method="post" action="${action}"><textarea name="words"></textarea></form>`;
const asked = async (action: string) =>
  (await surveyOf((path) => (path === '/' ? form(action) : 'page'))).asked.includes(`GET ${action}`);

test('may show a page, too', async () => assert.is(await asked('/answers?lane=2'), true));

test('are not asked for where they say that they change an entry: without values some empty it', async () => {
  assert.is(await asked('/?part=Answers&action=update&lane_id=2'), false);
  assert.is(await asked('/answers/2/update'), false);
});

test.run();
