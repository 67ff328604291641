import { exec, execFile } from 'node:child_process';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import express from 'express';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { osCommand } from '../../../../workflows/checks/injection/os-command.check.ts';
import { escapeHtml } from '../../../fixtures/site.ts';
import { firstRows, further } from '../../../support/further.ts';
import { isHere } from '../../../support/programs.ts';
import { sideBySide } from '../../../support/side-by-side.ts';
import { places, runOn, stored } from '../harness.ts';
import { resultOn, type Show } from './interpreter-sites.ts';

const suiteOfAll = suite('injection.os-command');
/** Most of the time they wait. */
const test = sideBySide(suiteOfAll, 8);

const inShell = promisify(exec);
const program = promisify(execFile);
const outputOf = async (line: string): Promise<string> => {
  const { stdout } = await inShell(line, { timeout: 8_000 }).catch((error: { stdout: string }) => error);
  return stdout;
};
const pre = (text: string): string => `<pre>${escapeHtml(text)}</pre>`;
const found = (show: Show, link = '/look?host=localhost') => resultOn(osCommand, link, show);

const vulnerable: Record<string, Show> = {
  'a value without quotes': async (host) => pre(await outputOf(`echo looking at ${host} now`)),
  'a value in single quotes': async (host) => pre(await outputOf(`printf '%s' '${host}' | tr a-z A-Z; echo done`)),
  'a value in double quotes': async (host) => pre(await outputOf(`echo "${host}"`)),
  'a value in a substitution': async (host) => pre(await outputOf(`X=$(echo ${host}); echo "$X"`)),
  'a filter that takes out semicolons and pairs of ampersands': async (host) =>
    pre(await outputOf(`echo ${host.replace(/;|&&/g, '')}`)),
  'a filter that refuses spaces': async (host) => pre(/\s/.test(host) ? 'No spaces' : await outputOf(`echo ${host}`)),
  'a short word of a search': async (host) =>
    pre(
      /\s/.test(host) || host.length > 40
        ? 'One word'
        : await outputOf(`printf 'lamp\\nlocalhost\\n' | grep -i '${host}'`),
    ),
  'a filter that refuses the words of programs, and separators': async (host) =>
    pre(/echo|expr|sleep|curl|[;|\n]/.test(host) ? 'No such host' : await outputOf(`printf '%s' 'at ${host}'`)),
  'a filter of all signs but line breaks and tabs': async (host) =>
    pre(/[&|;$()<>` ]/.test(host) ? 'No such host' : await outputOf(`echo ${host}`)),
  'a filter of separators and signs of variables': async (host) =>
    pre(/[&|;$()<>'"\n]/.test(host) ? 'No such host' : await outputOf(`echo ${host}`)),
  'a filter that takes out separators, before a program that shows numbers alone': async (host) => {
    const words = `"${host.replace(/[&|;\n]/g, '')}"`;
    return pre(
      await outputOf(`for w in ${words}; do case $w in *[!0-9]*) ;; *) echo "number $w";; esac; done; echo ok`),
    );
  },
  'a pattern that holds for one line of several': async (host) =>
    pre(/^[a-z.]+$/m.test(host) ? await outputOf(`echo looking at ${host}`) : 'No such host'),
  'a filter of all signs but the pipe': async (host) =>
    pre(await outputOf(`echo ${host.replace(/[&;$()`\n]|\| |\|\|/g, '')}`)),
};

for (const [what, show] of firstRows(Object.entries(vulnerable), 1)) {
  test(`${what} is found by what the command prints`, async () => {
    const result = await found(show);
    assert.equal([result.outcome.kind, places(result)], ['found', ['GET /look host']], result.outcome.reason);
    assert.match(stored(result), /‹product:int:int2›/);
    assert.not.match(stored(result), /timing:/);
  });
}

further(test)('a name of a file that has to end as the site’s own is found, and not without a shell', async () => {
  const note = (show: (name: string) => Promise<string>) => (name: string) =>
    name.endsWith('.json') ? show(name) : 'Documents only';
  const result = await found(
    note(async (name) => pre(await outputOf(`ls ${name}`))),
    '/note?note=package.json',
  );
  assert.equal(places(result), ['GET /note note'], result.outcome.reason);
  const listed = async (name: string) => (await program('ls', ['--', name]).catch(() => ({ stdout: '' }))).stdout;
  const patched = await found(
    note(async (name) => pre(await listed(name))),
    '/note?note=package.json',
  );
  assert.equal(places(patched), [], patched.outcome.reason);
});

if (isHere('ruby'))
  further(test)(
    'a name of a file that Ruby opens as a command is found, and not where it opens files alone',
    async () => {
      const opened =
        (call: string): Show =>
        async (name) => {
          if (name.includes('..') || name.startsWith('/') || !name.endsWith('.txt')) return 'No such note';
          return pre(
            (await program('ruby', ['-e', `print ${call}`, '--', name]).catch(() => ({ stdout: 'No such note' })))
              .stdout,
          );
        };
      const result = await found(opened('open(ARGV[0], &:read)'), '/notes?file=today.txt');
      assert.equal(places(result), ['GET /notes file'], result.outcome.reason);
      const patched = await found(opened('File.open(ARGV[0], &:read)'), '/notes?file=today.txt');
      assert.equal(places(patched), [], patched.outcome.reason);
    },
  );

test('a command whose output nobody sees is found by the time that it takes', async () => {
  const result = await found(async (host) => {
    await outputOf(`echo "${host}" > /dev/null`);
    return '<p>Thank you</p>';
  });
  assert.equal([result.outcome.kind, places(result)], ['found', ['GET /look host']], result.outcome.reason);
  assert.match(stored(result), /timing:slope:/);
});

further(test)('a command whose output nobody sees is found behind a filter of spaces and separators', async () => {
  const result = await found(async (host) => {
    await outputOf(`test -n "${host.replace(/[;|&<> \n]/g, '')}"`);
    return '<p>Thank you</p>';
  });
  assert.equal([result.outcome.kind, places(result)], ['found', ['GET /look host']], result.outcome.reason);
  assert.match(stored(result), /timing:slope:/);
});

further(test)('a command whose output nobody sees is found where spaces are refused and quotes are not', async () => {
  const app = express();
  app.get('/', (_request, response) => response.send('<a href="/print?size=A6">Print</a>'));
  app.get('/print', async ({ query }, response) => {
    const size = String(query.size);
    if (/\s/.test(size)) return void response.status(400).send('<p>Unknown size</p>');
    await outputOf(`: label-${size}.txt`);
    response.send('<p>In the queue</p>');
  });
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const { port } = server.address() as AddressInfo;
    const result = await runOn(`http://shop.localhost:${port}`, osCommand);
    assert.equal(places(result), ['GET /print size'], result.outcome.reason);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

for (const [signs, refused] of Object.entries({
  'line breaks and tabs': /[ ;|&$`<>()"'#]/,
  'pipes and tabs': /[ ;&$`<>()"'#\n]/,
  'backquotes and tabs': /[ ;|&$<>()"'#\n]/,
}))
  further(test)(`a command whose output nobody sees is found where all signs are refused but ${signs}`, async () => {
    const result = await found(async (host) => {
      if (refused.test(host)) return '<p>No such host</p>';
      await outputOf(`tar -cf /dev/null ${host}`);
      return '<p>It is under way</p>';
    });
    assert.equal([result.outcome.kind, places(result)], ['found', ['GET /look host']], result.outcome.reason);
    assert.match(stored(result), /timing:slope:/);
  });

for (const [what, quoted, expected] of firstRows(
  [
    ['without regard to its quotes is found', (agent: string) => agent.replace(/[;`]/g, ''), ['GET /list User-Agent']],
    ['as one word is clean', (agent: string) => agent.replaceAll("'", `'\\''`), []],
  ] as const,
  1,
))
  test(`a header that a command logs ${what}`, async () => {
    const app = express();
    app.get('/', (_request, response) => response.send('<p>Shop</p><a href="/list">My list</a>'));
    app.get('/list', async ({ headers }, response) => {
      const agent = quoted(String(headers['user-agent']).replaceAll('\\', ''));
      await outputOf(`echo 'visit of ${agent}' > /dev/null`);
      response.send('<p>Eggs, milk, bread</p>');
    });
    const server = app.listen(0, '127.0.0.1');
    await once(server, 'listening');
    try {
      const { port } = server.address() as AddressInfo;
      const result = await runOn(`http://shop.localhost:${port}`, osCommand);
      assert.equal(places(result), expected, result.outcome.reason);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });

const clean: Record<string, Show> = {
  'a program that is given the value as an argument': async (host) =>
    pre((await program('echo', ['looking at', host])).stdout),
  'a value that is quoted as one word': async (host) => pre(await outputOf(`echo '${host.replaceAll("'", `'\\''`)}'`)),
  'a value that is repeated': (host) => pre(`Unknown host ${host}`),
  'a value that is repeated without quotes and signs': (host) => `<p>${host.replace(/[^\w*+ ]/g, '')}</p>`,
  'a calculator that takes out the signs of a shell': (host) =>
    pre(host.replace(/[$'"]/g, '').replace(/\(\((\d{4})\*(\d{4})\)\)/g, (_all, x, y) => String(Number(x) * Number(y)))),
  'a calculator that does not mind signs and words': (host) =>
    pre(host.replace(/(\d{4}) ?\\?\*+ ?(\d{4})/g, (_all, x, y) => String(Number(x) * Number(y)))),
  'a short word of a search that is an argument': async (host) =>
    /\s/.test(host) || host.length > 40
      ? pre('One word')
      : pre((await program('grep', ['-c', '-e', host, '/dev/null']).catch(({ stdout }) => ({ stdout }))).stdout),
  'a calculator in dollar signs': (host) =>
    pre(host.replace(/\$\(\((\d+)\*(\d+)\)\)/g, (_all, x, y) => String(Number(x) * Number(y)))),
  'an error page with the words of a shell': (host) =>
    /[;|&'"]/.test(host) ? pre(`sh: 1: Syntax error near ${host}`) : '<p>Reachable</p>',
};

for (const [what, show] of firstRows(Object.entries(clean), 1)) {
  test(`${what} is clean`, async () => {
    const result = await found(show);
    assert.equal([result.outcome.kind, result.findings.length], ['clean', 0], result.outcome.reason);
  });
}

further(test)('a page that is slow by chance is no finding', async () => {
  const result = await found(async () => {
    await pause(Math.random() < 0.4 ? 2_000 : 0);
    return '<p>Thank you</p>';
  });
  assert.is(result.findings.length, 0);
});

further(test)('a page that is slow for what looks like a command is no finding', async () => {
  const result = await found(async (host) => {
    await pause(/[;|&$]/.test(host) ? 1_800 : 0);
    return '<p>Thank you</p>';
  });
  assert.equal([result.outcome.kind, result.findings.length], ['clean', 0], result.outcome.reason);
});

suiteOfAll.run();
