import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { logPoisoning } from '../../../workflows/chains/log-poisoning.step.ts';
import { pathTraversal } from '../../../workflows/checks/injection/path-traversal.check.ts';
import { html, startSite } from '../../fixtures/site.ts';
import { chainsOn } from '../checks/chain-harness.ts';

const test = suite('the chain from a reading of files to code in a log');

type Museum = { log?: string; includes?: boolean; isMended?: boolean };

const passwd = 'root:x:0:0:root:/root:/bin/bash\ndaemon:x:1:1:daemon:/usr/sbin:/usr/sbin/nologin\n';
const run = (text: string): string =>
  text.replace(/<\?php echo (\d+)\*(\d+);\?>/g, (_whole, one, other) => String(Number(one) * Number(other)));

/** Includes pages by their names, as PHP does, and keeps a log of visits as web servers do. */
function museum({ log = 'var/log/apache2/access.log', includes = true, isMended = false }: Museum) {
  const lines: string[] = [];
  return startSite(({ method, path, target, query, headers }) => {
    lines.push(`127.0.0.1 - - "${method} ${target} HTTP/1.1" 200 "${headers['user-agent']}"`);
    if (path !== '/') return undefined;
    const page = query.get('page') ?? 'home.html';
    if (page === 'home.html') return html('<h1>Museum</h1><a href="/?page=visit.html">Visit</a>');
    if (page === 'visit.html') return html('<h1>Visit us</h1>');
    const name = page.replace(/^(?:\.\.\/|\/)+/, '');
    const text =
      isMended || name === page
        ? undefined
        : name === 'etc/passwd'
          ? passwd
          : name === log
            ? lines.join('\n')
            : undefined;
    return html(text === undefined ? '<p>No such page.</p>' : includes ? run(text) : text.replaceAll('<', '&lt;'));
  });
}

async function chainsFor(parts: Museum, writes: 'create' | 'reversible' = 'create') {
  const site = await museum(parts);
  try {
    const { held } = await chainsOn(site.url, [pathTraversal], [logPoisoning], { writes });
    return held.map(({ goal, links }) => [goal, ...links.map(({ actionId }) => actionId)].join(' '));
  } finally {
    await site.close();
  }
}

const whole = ['code injection.path-traversal chains.log-poisoning'];

test('code in a header of a visit is run from the log', async () => {
  assert.equal(await chainsFor({}), whole);
  assert.equal(await chainsFor({ log: 'proc/self/cwd/logs/access.log' }), whole);
});

test('a log that is shown and not included, one that is not read, and a mended input are no chain', async () => {
  assert.equal(await chainsFor({ includes: false }), []);
  assert.equal(await chainsFor({ log: 'var/log/other' }), []);
  assert.equal(await chainsFor({ isMended: true }), []);
});

test('nothing is written into a log where nothing may stay', async () => {
  assert.equal(await chainsFor({}, 'reversible'), []);
});

test.run();
