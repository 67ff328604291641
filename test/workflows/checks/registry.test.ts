import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { loadRegistry, RegistryError } from '../../../workflows/checks/registry.ts';

const registry = suite<{ folder: string }>('registry');
registry.before.each(async (context) => {
  context.folder = await mkdtemp(join(tmpdir(), 'scan-audit-checks-'));
});
registry.after.each(({ folder }) => rm(folder, { recursive: true, force: true }));

const vector = 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:L/I:N/A:N';

const explain = { description: 'D', impact: 'I', sends: 'S', proves: 'P', remedy: 'R', references: ['RFC 1'] };

/** Source of a check file. */
function source(given: Record<string, unknown> = {}): string {
  const fields = {
    id: 'headers.example',
    title: 'Example',
    cwe: 319,
    owasp: 'A02:2025',
    cvss: vector,
    risk: 'safe',
    depth: 'standard',
    explain,
    ...given,
  };
  const gives = given.gives ? `gives: { kinds: ${JSON.stringify(given.gives)}, facts: () => [] },` : '';
  return `export const it = { ...${JSON.stringify(fields)}, ${gives} detect: () => [], confirm: () => undefined };`;
}

async function load(folder: string, files: Record<string, string>) {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  return loadRegistry(pathToFileURL(`${folder}/`));
}

async function faultOf(folder: string, files: Record<string, string>): Promise<string> {
  try {
    await load(folder, files);
  } catch (error) {
    assert.instance(error, RegistryError);
    return error instanceof Error ? error.message : '';
  }
  return 'no fault';
}

registry('checks are found by their folders and grouped into families in order', async ({ folder }) => {
  const found = await load(folder, {
    'checks/headers/example.check.ts': source({ gives: ['a'] }),
    'checks/headers/another.check.ts': source({ id: 'headers.another' }),
    'checks/headers/third.check.ts': source({ id: 'headers.third', depth: 'deep' }),
    'chains/forge.step.ts': source({
      id: 'chains.forge',
      depth: undefined,
      needs: [{ kind: 'a' }],
      cost: 2,
      goal: 'code',
    }),
  });
  assert.equal(
    found.families.map(({ id, checks }) => [id, checks.map((check) => check.id)]),
    [
      ['deep/headers', ['headers.third']],
      ['headers', ['headers.another', 'headers.example']],
    ],
  );
  assert.is(found.step('chains.forge')?.goal, 'code');
  assert.is(found.check('headers.third')?.depth, 'deep');
  assert.is(found.family('nothing'), undefined);
});

registry('checks that each identity looks with are a family of each', async ({ folder }) => {
  const found = await load(folder, {
    'checks/headers/example.check.ts': source(),
    'checks/headers/another.check.ts': source({ id: 'headers.another', visitors: 'each' }),
    'checks/mail/third.check.ts': source({ id: 'mail.third' }),
  });
  const [own, ...others] = found.familiesOf('anna:b');
  assert.equal([own?.id, own?.depth, own?.visitor, others], ['headers:anna:b', 'deep', 'anna:b', []]);
  assert.equal(
    found.family('headers:anna:b')?.checks.map(({ id }) => id),
    ['headers.another'],
  );
  assert.is(found.family('mail:anna:b'), undefined);
});

registry('checks whose logins a site may count come last in their family', async ({ folder }) => {
  const found = await load(folder, {
    'checks/auth/bypass.check.ts': source({ id: 'auth.bypass', depth: 'deep', triesLogins: true }),
    'checks/auth/fixation.check.ts': source({ id: 'auth.fixation', depth: 'deep' }),
    'checks/headers/example.check.ts': source({ visitors: 'each' }),
    'checks/headers/another.check.ts': source({ id: 'headers.another' }),
  });
  const idsIn = (family: string) => found.family(family)?.checks.map(({ id }) => id);
  assert.equal(idsIn('deep/auth'), ['auth.fixation', 'auth.bypass']);
  assert.equal(idsIn('logins'), ['headers.example']);
});

registry('what may close an account is in a family that runs last of all', async ({ folder }) => {
  const found = await load(folder, {
    'checks/auth/guesses.check.ts': source({ id: 'auth.guesses', depth: 'deep', mayLockOut: true }),
    'checks/auth/fixation.check.ts': source({ id: 'auth.fixation', depth: 'deep' }),
  });
  assert.equal(
    found.families.map(({ id, checks }) => [id, checks.map((check) => check.id)]),
    [
      ['deep/auth', ['auth.fixation']],
      ['deep/lockout', ['auth.guesses']],
    ],
  );
});

registry('a folder without checks gives an empty registry', async ({ folder }) => {
  const found = await load(folder, {});
  assert.equal(found.families, []);
});

const faults: [what: string, path: string, text: string, says: RegExp][] = [
  [
    'an id that is not that of its file',
    'checks/headers/other.check.ts',
    source(),
    /belongs in checks\/headers\/example\.check\.ts/,
  ],
  ['a name that is not that of its file', 'checks/mail/example.check.ts', source(), /belongs in checks/],
  [
    'a vector that is not one',
    'checks/headers/example.check.ts',
    source({ cvss: 'CVSS:3.1/AV:N' }),
    /cvss: must be a CVSS 3\.1/,
  ],
  [
    'no reference',
    'checks/headers/example.check.ts',
    source({ explain: { ...explain, references: [] } }),
    /explain\.references/,
  ],
  [
    'a check that does not say what it sends',
    'checks/headers/example.check.ts',
    source({ explain: { ...explain, sends: undefined } }),
    /explain\.sends/,
  ],
  [
    'a chain step that does not say what proves it',
    'chains/forge.step.ts',
    source({ id: 'chains.forge', needs: [{ kind: 'a' }], cost: 1, explain: { ...explain, proves: ' ' } }),
    /explain\.proves/,
  ],
  [
    'more than 300 characters on what it sends',
    'checks/headers/example.check.ts',
    source({ explain: { ...explain, sends: 'S'.repeat(301) } }),
    /explain\.sends: .*300/,
  ],
  ['an OWASP category that is none', 'checks/headers/example.check.ts', source({ owasp: 'A2' }), /owasp/],
  ['no export', 'checks/headers/example.check.ts', 'export {};', /must have one export, has 0/],
  [
    'two exports',
    'checks/headers/example.check.ts',
    `${source()} export const more = 1;`,
    /must have one export, has 2/,
  ],
  ['a syntax error', 'checks/headers/example.check.ts', 'export const = 1;', /could not be loaded/],
  [
    'a standard check that changes the target',
    'checks/headers/example.check.ts',
    source({ risk: 'caution' }),
    /must be deep/,
  ],
  [
    'a deep check that says that each identity looks',
    'checks/headers/example.check.ts',
    source({ depth: 'deep', visitors: 'each' }),
    /visitors: a deep check chooses/,
  ],
  ['visitors that are none', 'checks/headers/example.check.ts', source({ visitors: 'some' }), /visitors/],
  [
    'a chain step that needs a fact which nothing gives',
    'chains/forge.step.ts',
    source({ id: 'chains.forge', depth: undefined, needs: [{ kind: 'session(root)' }], cost: 1 }),
    /no check and no step gives the fact "session\(root\)"/,
  ],
  ['a chain step without needs', 'chains/forge.step.ts', source({ id: 'chains.forge', needs: [], cost: 1 }), /needs/],
];
for (const [what, path, text, says] of faults) {
  registry(`${what} stops the start and names the file`, async ({ folder }) => {
    const message = await faultOf(folder, { [path]: text });
    assert.match(message, says);
    assert.ok(message.includes(path), message);
  });
}

registry('the same id twice stops the start and names both files', async ({ folder }) => {
  const message = await faultOf(folder, {
    'checks/headers/example.check.ts': source(),
    'checks/mail/example.check.ts': source(),
  });
  assert.match(
    message,
    /checks\/mail\/example\.check\.ts: id headers\.example is already that of checks\/headers\/example\.check\.ts/,
  );
});

registry('the checks that come with the project are well formed', async () => {
  const shipped = await loadRegistry();
  assert.ok(shipped.families.length > 0);
});

registry.run();
