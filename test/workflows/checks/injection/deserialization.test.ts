import { spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { deserialization } from '../../../../workflows/checks/injection/deserialization.check.ts';
import { callsFor } from '../../../../workflows/checks/injection/serialized-calls.ts';
import { serializedForm } from '../../../../workflows/checks/inputs/serialized-text.ts';
import { javaSets } from '../../../../workflows/model/java-sets.ts';
import { type Answer, escapeHtml, html, redirect, startSite } from '../../../fixtures/site.ts';
import { revived, revivingShows } from '../../../scorecard/sites/reviving-shows.ts';
import { firstRows, further } from '../../../support/further.ts';
import { isHere } from '../../../support/programs.ts';
import { checkAgain, openAudit, places, runOn, stored, testBrowsers } from '../harness.ts';
import { resultOn } from './interpreter-sites.ts';

const test = suite('injection.deserialization');

for (const [what, { link, show }] of firstRows(Object.entries(revivingShows), 1)) {
  test(`${what}: a function that the value names is found, and not where data is read as data`, async () => {
    const found = await resultOn(deserialization, link, show('vulnerable'));
    assert.equal([found.outcome.kind, found.findings.length], ['found', 1], found.outcome.reason);
    const patched = await resultOn(deserialization, link, show('patched'));
    assert.equal([patched.outcome.kind, patched.findings.length], ['clean', 0], patched.outcome.reason);
  });
}

test('an input of any name is one where what cannot be read fails, and not where data is read as data', async () => {
  const link = '/entry?entry=1';
  const found = await resultOn(deserialization, link, (value) => `<p>${escapeHtml(String(revived(value).name))}</p>`);
  assert.equal([found.outcome.kind, found.findings.length], ['found', 1], found.outcome.reason);
  const patched = await resultOn(
    deserialization,
    link,
    (value) => `<p>${escapeHtml(String(JSON.parse(value).name))}</p>`,
  );
  assert.equal([patched.outcome.kind, patched.findings.length], ['clean', 0], patched.outcome.reason);
});

/** A page whose script sends a document of Java, and what becomes of it. */
async function decoding(answer: (document: string) => Answer) {
  const sample = '<java version="1.8" class="java.beans.XMLDecoder"><string>lamp</string></java>';
  const site = await startSite(({ path, method, body }) => {
    if (path === '/')
      return html(`<textarea id=v>${escapeHtml(sample)}</textarea><button id=b>Look up</button>
        <script>b.onclick = () => fetch('/beans', { method: 'POST', headers: { 'content-type': 'application/xml' }, body: v.value });</script>`);
    return path === '/beans' && method === 'POST' ? answer(body) : undefined;
  });
  const browsers = testBrowsers();
  try {
    const { outcome, findings } = await runOn(site.url, deserialization, { browsers, depth: 'deep', writes: 'create' });
    return [outcome.kind, findings.length];
  } finally {
    await Promise.all([browsers.close(), site.close()]);
  }
}

const called =
  /<object class="java\.lang\.(Math|Thread)" method="(multiplyExact|sleep)">(?:<\w+>(\d+)<\/\w+>)(?:<\w+>(\d+)<\/\w+>)?<\/object>/;

for (const [what, isShown] of [
  ['shown', true],
  ['not shown', false],
] as const)
  test(`a document of XMLDecoder whose result is ${what} is found, and not where it is read as data`, async () => {
    const found = await decoding((document) => {
      const [, name, , first = '0', second = '1'] = called.exec(document) ?? [];
      const shown =
        isShown && name === 'Math' ? html(`<p>${Number(first) * Number(second)}</p>`) : html('<p>Loaded</p>');
      return name === 'Thread' ? { ...shown, afterMs: Number(first) } : shown;
    });
    assert.equal(found, ['found', 1]);
    const patched = await decoding((document) => html(`<p>${escapeHtml(document)}</p>`));
    assert.equal(patched, ['clean', 0]);
  });

const honest: Record<string, (value: string) => string> = {
  'that repeats the value': (value) => `<p>${escapeHtml(value)}</p>`,
  'that refuses what it cannot read': (value) => {
    JSON.parse(value);
    return '<p>Kept</p>';
  },
  'that calculates with all numbers in it': (value) =>
    `<p>${[...value.matchAll(/\d+/g)].reduce((product, [number]) => product * Number(number), 1)}</p>`,
};
for (const [which, show] of firstRows(Object.entries(honest), 3))
  test(`a page ${which} is clean`, async () => {
    const result = await resultOn(deserialization, '/data?data=%7B%7D', show);
    assert.equal([result.outcome.kind, result.findings.length], ['clean', 0], result.outcome.reason);
  });

test('values in base64 are recognised by what they hold, however short', () => {
  assert.equal(['gARdlC4=', 'gAR9lC4=', 'e30K', 'e30gICAg', 'YTowOnt9', 'harbour1'].map(serializedForm), [
    ...['base64', 'base64', undefined, 'base64', 'base64', undefined],
  ]);
});

test('objects of jsonpickle keep their class, and become calls in each text, or wait in one', () => {
  const sample = '{"py/object":"app.Draft","shape":"round","parts":["lid","base"],"width":3}';
  const { calls, delays } = callsFor({ sample, in: 'body' });
  const { value, broken } = calls[0] ?? { value: '', broken: '' };
  const called = { 'py/reduce': [{ 'py/function': 'operator.mul' }, { 'py/tuple': [2, 3] }] };
  const [first, second] = [value, broken].map((text) =>
    JSON.parse(text.replaceAll('‹int›', '2').replaceAll('‹int2›', '3')),
  );
  assert.equal(first, { 'py/object': 'app.Draft', shape: called, parts: [called, called], width: 3 });
  assert.is(second.shape['py/reduce'][0]['py/function'], 'operator.muq');
  const [delay] = delays;
  const waiting = { 'py/reduce': [{ 'py/function': 'time.sleep' }, { 'py/tuple': [2] }] };
  assert.equal(JSON.parse(delay?.value('2') ?? ''), {
    ...{ 'py/object': 'app.Draft', shape: waiting, parts: ['', ''], width: 3 },
  });
  const others = callsFor({ sample: '{"shape":"round"}', in: 'body' });
  assert.not.match(JSON.stringify(others.calls), /py\/reduce/);
});

test('an empty field of any name is one where a page shows what it takes, and not where data is read as data', async () => {
  const resultOf = async (read: (text: string) => { name?: unknown }) => {
    const site = await startSite(({ path, query }) => {
      const exported = Buffer.from('{"name":"Night run","steps":3}').toString('base64');
      if (path === '/') return html('<a href="/save">Save</a> <a href="/load">Load</a>');
      if (path === '/save') return html(`<textarea readonly>${exported}</textarea>`);
      if (path !== '/load') return undefined;
      const form = '<form action="/load"><textarea name="flow"></textarea><button>Check</button></form>';
      const flow = query.get('flow');
      if (!flow) return html(form);
      try {
        const { name } = read(Buffer.from(flow, 'base64').toString());
        return html(`<p>${escapeHtml(String(name))} can be loaded.</p>${form}`);
      } catch {
        return html(`<p>That is none of ours.</p>${form}`);
      }
    });
    try {
      return await runOn(site.url, deserialization, { depth: 'deep', writes: 'create' });
    } finally {
      await site.close();
    }
  };
  const found = await resultOf(revived);
  assert.equal([found.outcome.kind, places(found)], ['found', ['GET /load flow']], found.outcome.reason);
  const patched = await resultOf((text) => JSON.parse(text));
  assert.equal([patched.outcome.kind, places(patched)], ['clean', []], patched.outcome.reason);
});

test('a cookie that is given with the first answer alone is an input', async () => {
  const greet = (value: string): string => {
    try {
      return String(revived(Buffer.from(value, 'base64').toString()).name);
    } catch {
      return 'nobody';
    }
  };
  const site = await startSite(({ path, cookies: { look } }) => {
    if (path !== '/') return undefined;
    const value = look ?? Buffer.from('{"name":"Ann"}').toString('base64');
    const answer = html(`<p>Hello ${escapeHtml(greet(value))}</p>`);
    return look ? answer : { ...answer, headers: { ...answer.headers, 'Set-Cookie': `look=${value}` } };
  });
  try {
    const found = await runOn(site.url, deserialization);
    assert.equal([found.outcome.kind, places(found)], ['found', ['GET / look']], found.outcome.reason);
  } finally {
    await site.close();
  }
});

further(test)('a cookie that only the answer to a form gives is an input of the page that it leads to', async () => {
  const site = await startSite(({ path, method, body, cookies: { look = '' } }) => {
    if (path === '/look' && method === 'POST') {
      const name = new URLSearchParams(String(body)).get('name');
      const value = Buffer.from(JSON.stringify({ name })).toString('base64');
      return redirect('/', 303, { 'Set-Cookie': `look=${value}; Path=/` });
    }
    if (path !== '/') return undefined;
    const form =
      '<form method="post" action="/look"><input name="name" value="Ann"><button>Remember me</button></form>';
    if (look === '') return html(form);
    try {
      return html(`<p>Hello ${escapeHtml(String(revived(Buffer.from(look, 'base64').toString()).name))}</p>${form}`);
    } catch {
      return html(form);
    }
  });
  try {
    const options = { depth: 'deep', writes: 'create', followsLeads: true } as const;
    const found = await runOn(site.url, deserialization, options);
    assert.equal([found.outcome.kind, places(found)], ['found', ['GET / look']], found.outcome.reason);
  } finally {
    await site.close();
  }
});

if (isHere('php'))
  further(test)('an object of PHP that a login keeps in a cookie is found', async () => {
    const user = Buffer.from('O:8:"stdClass":2:{s:4:"name";s:3:"Ann";s:5:"level";i:0;}').toString('base64');
    const code = '$o = @unserialize(base64_decode($argv[1])); if (is_object($o)) echo "Hello ", $o->name;';
    const greeting = (cookie: string) =>
      spawnSync('php', ['-r', code, '--', decodeURIComponent(cookie)]).stdout.toString();
    const site = await startSite(({ path, cookies: { auth = '' } }) =>
      path === '/' ? html(`<p>${escapeHtml(greeting(auth))}</p>`) : undefined,
    );
    const identities = [{ name: 'ann', cookies: { auth: user }, checkPath: '/', marker: 'Hello Ann' }];
    const audit = await openAudit(site.url, { depth: 'deep', identities });
    try {
      const found = await checkAgain(audit, deserialization, 'ann');
      assert.equal([found.outcome.kind, places(found)], ['found', ['GET / auth']], found.outcome.reason);
    } finally {
      await audit.close();
      await site.close();
    }
  });

/** What `new ObjectInputStream(…).readObject()` does with sets in sets: it works out so many hash codes, a million in 25 ms. */
function hashesOf(stream: Buffer): number {
  if (!stream.includes('java.util.HashSet')) throw new Error('ClassNotFoundException');
  const sets = stream.toString('hex').split('770c00000010').length - 1;
  const copies = stream.readUInt32BE(stream.indexOf('7870', 0, 'hex') + 2) - 1;
  return copies * 2 ** ((sets - copies - 1) / 2);
}

const ofJava = Buffer.from('aced0005737200055072656673', 'hex').toString('base64');

/** A site whose first page gives a cookie that another one reads. */
async function resultOfJava(reads: (stream: Buffer) => number, knows = (_stream: Buffer) => false) {
  const site = await startSite(({ path, cookies: { prefs } }) => {
    if (path === '/') return html('<a href=/prefs>Preferences</a>', 200, { 'Set-Cookie': `prefs=${ofJava}; Path=/` });
    if (path !== '/prefs') return undefined;
    const stream = Buffer.from(prefs ?? '', 'base64');
    if (stream.equals(Buffer.from(ofJava, 'base64'))) return html('<p>Theme light</p>');
    if (knows(stream)) return html('<p>Preferences are of another kind.</p>', 400);
    try {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, reads(stream) / 40_000);
    } catch {}
    return html('<p>Preferences cannot be read.</p>', 400);
  });
  try {
    return await runOn(site.url, deserialization);
  } finally {
    await site.close();
  }
}

further(test)('a native object of Java in a cookie that another page reads is found', async () => {
  const found = await resultOfJava(hashesOf);
  assert.equal([found.outcome.kind, places(found)], ['found', ['GET /prefs prefs']], found.outcome.reason);
});

/** A point in the version of the class that every Java has. */
const isPoint = (stream: Buffer): boolean =>
  stream.toString('hex').includes(`${hexOf('java.awt.Point')}b6c48a72347ec826`);
const hexOf = (text: string): string => Buffer.from(text).toString('hex');

further(test)(
  'a native object of Java is found by what is said of a class in two versions, without a delay',
  async () => {
    const found = await resultOfJava(() => 0, isPoint);
    assert.equal([found.outcome.kind, places(found)], ['found', ['GET /prefs prefs']], found.outcome.reason);
    assert.match(stored(found), /another version of that class/);
  },
);

test('a reader that says which classes it refuses, whatever their version, is clean', async () => {
  const { outcome } = await resultOfJava(
    () => 0,
    (stream) => stream.includes('java.awt.Point'),
  );
  assert.is(outcome.kind, 'clean', outcome.reason);
});

test('a reader of such objects that refuses all classes but its own is clean', async () => {
  const { outcome } = await resultOfJava(() => {
    throw new Error('InvalidClassException: filter status: REJECTED');
  });
  assert.is(outcome.kind, 'clean', outcome.reason);
});

if (isHere('java'))
  further(test)(
    'Java takes the longer to read sets in sets the more of them there are, and does not know others',
    () => {
      const folder = mkdtempSync(join(tmpdir(), 'java-'));
      const file = join(folder, 'Read.java');
      writeFileSync(
        file,
        `import java.io.*; import java.util.*; public class Read { public static void main(String[] given) throws Exception {
        for (int round = 0; round < 2; round++) for (String each : given) { long start = System.nanoTime();
          try { new ObjectInputStream(new ByteArrayInputStream(Base64.getDecoder().decode(each))).readObject();
            if (round > 0) System.out.println((System.nanoTime() - start) / 1000000); }
          catch (ClassNotFoundException unknown) { if (round > 0) System.out.println("unknown"); } } } }`,
      );
      const values = [0, 1, 2].map((seconds) => javaSets(5_000_000, seconds, 'HashSet'));
      const printed = spawnSync('java', [file, ...values, javaSets(5_000_000, 1, 'HashSeq')])
        .stdout.toString()
        .split('\n');
      const [none = 0, one = 0, two = 0] = printed.map(Number);
      assert.ok(one > 2 * none && two > 1.4 * one, printed.join());
      assert.is(printed[3], 'unknown');
    },
  );

test('inputs that look like nothing serialized, and fail at nothing, are asked with a plain value and an open bracket alone', async () => {
  const seen = new Set<string>();
  const result = await resultOn(deserialization, '/search?q=lamp', (value) => {
    seen.add(value);
    return '<p>None</p>';
  });
  assert.is(result.outcome.kind, 'clean');
  assert.not.ok([...seen].some((value) => /apply|_\$\$ND|c(?:operator|time)\n/.test(value)));
});

further(test)(
  'a site that shows its language is asked with objects of that one, unless its own value is written in a format',
  async () => {
    const triedAt = async (link: string) => {
      const seen = new Set<string>();
      const site = await startSite(({ path, query }) => {
        const value = query.get('entry');
        if (value === null) return path === '/' ? html(`<a href="${link}">Entry</a>`) : undefined;
        seen.add(value);
        return html('<p>Entry</p>', /^\{.*[^}]$|^[^{].*[[({:]/s.test(value) ? 500 : 200);
      });
      await runOn(site.url, deserialization).finally(site.close);
      const isTried = (sign: string) => [...seen].some((value) => value.includes(sign));
      return ['Exception', 'operator.mul', '_$$ND'].map(isTried);
    };
    assert.equal(await triedAt('/entry.php?entry=lamp'), [true, false, false]);
    assert.equal(await triedAt('/entry.php?entry=%7B%22a%22:%22lamp%22%7D'), [true, true, true]);
    assert.equal(await triedAt('/entry?entry=lamp'), [true, true, true]);
  },
);

test.run();
