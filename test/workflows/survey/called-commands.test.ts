import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { surveyOf } from '../probe/survey-site.ts';

const test = suite('commands that script calls');

const asked = async (page: string) =>
  (await surveyOf((path) => (path === '/' ? page : { body: 'ok', status: path.includes('.php') ? 200 : 404 }))).asked;
const script = (text: string) => `<script>box.onchange = () => { $.get(${text} + "&lane_id=" + box.value) }</script>`;

test('are left out where they change something: what shows a form has a link', async () => {
  for (const address of [
    'lanes.php?action=signal_change&header=false',
    '/lanes.php?tab=all&action=update_data',
    '/lanes.php?op=saveOrder',
    '/lanes.php?cmd=add',
  ]) {
    const all = await asked(script(JSON.stringify(address)));
    assert.not.ok(
      all.some((line) => line.includes('lanes.php?')),
      all.join('\n'),
    );
  }
});

test('are asked for where they read, or where a link leads there', async () => {
  for (const address of [
    '/lanes.php?action=get_update',
    '/lanes.php?action=list&header=false',
    '/lanes.php?action=edit',
  ]) {
    const all = await asked(script(JSON.stringify(address)));
    assert.ok(all.includes(`GET ${address}`), all.join('\n'));
  }
  const address = '/lanes.php?action=signal_change';
  const linked = await asked(`${script(JSON.stringify(address))}<a href="${address}">Signals</a>`);
  assert.ok(linked.includes(`GET ${address}`), linked.join('\n'));
});

test.run();
