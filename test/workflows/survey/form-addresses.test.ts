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

const pressed = async (form: string, button: string) => {
  const page = `<form ${form} id="all"><input type="hidden" name="session" value="7"><button ${button} formaction="/?part=all&to=old">All</button></form>`;
  const { asked: all } = await surveyOf((path) => (path === '/' ? page : 'page'));
  return all.some((line) => line.includes('to=old'));
};

test('are not asked for where a button alone does something', async () => {
  for (const [form, button] of [
    ['method="post"', ''],
    ['method="post"', 'form="all"'],
    ['', 'formmethod="post"'],
  ] as const)
    assert.is(await pressed(form, button), false, form + button);
  assert.is(await pressed('', ''), true);
});

test.run();
