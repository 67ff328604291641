import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Check } from '../../../../workflows/checks/contract.ts';
import { fileExistence } from '../../../../workflows/checks/injection/file-existence.check.ts';
import { pathTraversal } from '../../../../workflows/checks/injection/path-traversal.check.ts';
import { programArguments } from '../../../../workflows/checks/injection/program-arguments.check.ts';
import { html, json, startSite } from '../../../fixtures/site.ts';
import { runOn } from '../harness.ts';

const test = suite('names of files that something is stored under');

const root = '/srv/notes';

/** A site that stores a text under a name, and only notes where it would. */
function storing(answer: (name: string, text: string) => ReturnType<typeof html>) {
  const stored: string[] = [];
  const handler = ({ path, body, method }: { path: string; body: string; method: string }) => {
    if (path === '/')
      return html(
        '<form method="post" action="/keep"><input name="file" value="list.txt"><textarea name="text">milk</textarea><button>Preview</button></form>',
      );
    if (path !== '/keep' || method !== 'POST') return undefined;
    const fields = new URLSearchParams(body);
    const name = fields.get('file') ?? '';
    stored.push(join(root, name), name);
    return answer(name, fields.get('text') ?? '');
  };
  return { stored, handler };
}

/** Files of the machine's that whoever runs the site could lose; nobody can write to those of the kernel. */
const losable = (paths: readonly string[]) =>
  paths.filter((path) => path.startsWith('/') && !path.startsWith('/proc/') && existsSync(path));

const checks: readonly Check[] = [pathTraversal, fileExistence, programArguments];

for (const [what, answer] of [
  ['shows the text', (_name: string, text: string) => html(`<pre>${text.replace(/</g, '&lt;')}</pre>`)],
  ['says what it did', (name: string) => html(`<p>Kept as ${name.length} letters</p>`)],
  [
    'takes names with an ending only',
    (name: string) => (/\.\w+$/.test(name) ? json({ kept: true }) : json({ error: 'name' }, 400)),
  ],
] as const)
  for (const check of checks)
    test(`${check.id} names no file that could be lost where what is stored ${what}`, async () => {
      const { stored, handler } = storing(answer);
      const site = await startSite(handler);
      try {
        await runOn(site.url, check, { depth: 'deep', writes: 'create' });
        assert.ok(stored.length > 0, 'the form was sent');
        assert.equal(losable(stored), []);
      } finally {
        await site.close();
      }
    });

test.run();
