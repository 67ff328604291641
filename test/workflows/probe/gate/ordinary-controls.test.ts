import { readFile } from 'node:fs/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createGate } from '../../../../workflows/probe/gate/gate.ts';
import { refusedByControl } from '../../../../workflows/probe/gate/links.ts';

const test = suite('controls of shops, wikis, forums, banks, courses, tickets and consoles');

/** "‹address› | ‹label›" a line. The second file of each kind was drawn after the words were chosen by the first. */
const controlsIn = async (name: string): Promise<[address: string, label: string][]> => {
  const text = await readFile(new URL(`../../../fixtures/controls/${name}.txt`, import.meta.url), 'utf8');
  return text
    .trim()
    .split('\n')
    .map((line) => {
      const [path = '', label = ''] = line.split(' | ');
      return [new URL(path, 'http://site.example').href, label];
    });
};

/** What the gate says of a link of a page, to a user who is logged in. */
function isRefused([url, text]: [string, string]): boolean {
  const gate = createGate({ depth: 'deep', writes: 'reversible' });
  gate.noteSession(['session-of-anna'], 'user');
  if (refusedByControl({ url, text })) return true;
  gate.noteLink(url);
  return !gate.decide({ method: 'GET', url, headers: [['Cookie', 'sid=session-of-anna']] }).allowed;
}

/** Shares of controls that are judged wrongly, with a margin for the words that no list has. */
const mostWrong = { harmless: 0.03, acting: 0.08 };
for (const drawn of ['first', 'second'])
  for (const kind of ['harmless', 'acting'] as const)
    test(`of the ${drawn} ${kind} ones at most ${mostWrong[kind] * 100} % are judged wrongly`, async () => {
      const controls = await controlsIn(`${drawn}-${kind}`);
      const wrong = controls.filter((control) => isRefused(control) !== (kind === 'acting'));
      assert.ok(wrong.length <= controls.length * mostWrong[kind], wrong.join('\n'));
    });

test.run();
