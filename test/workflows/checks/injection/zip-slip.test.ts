import { posix } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { zipSlip } from '../../../../workflows/checks/injection/zip-slip.check.ts';
import { escapeHtml, type Handler, html, startSite } from '../../../fixtures/site.ts';
import { storedFiles } from '../../../fixtures/stored-zip.ts';
import { startThemes } from '../../../scorecard/sites/theme-sites.ts';
import { firstRows, further } from '../../../support/further.ts';
import { type AuditOptions, check, openAudit, places } from '../harness.ts';

const test = suite('injection.zip-slip');

/** Where a file of an archive is written; undefined where it is left out. */
type Unpack = { placeOf: (name: string) => string | undefined };

const below = '/srv/photos';

/** A site that unpacks archives to a folder, and gives what is there and above. */
function album({ placeOf }: Unpack): Handler {
  const disk = new Map<string, string>();
  return ({ path, method, bytes }) => {
    if (path === '/') {
      const names = [...disk.keys()].flatMap((place) =>
        place.startsWith(`${below}/`) ? [place.slice(below.length + 1)] : [],
      );
      return html(
        `<form method="post" action="/album" enctype="multipart/form-data"><input type="file" name="pack" accept=".zip"><button>Upload</button></form>${names.map((name) => `<a href="/photos/${escapeHtml(name)}">${escapeHtml(name)}</a>`).join(' ')}`,
      );
    }
    if (path === '/album' && method === 'POST') {
      const start = bytes.indexOf('PK\x03\x04');
      for (const [name, content] of storedFiles(bytes.subarray(start, bytes.lastIndexOf('\r\n--')))) {
        const place = placeOf(name);
        if (place !== undefined) disk.set(place, content);
      }
      return html('<p>Unpacked.</p>');
    }
    const kept = disk.get(`/srv${path}`);
    return kept === undefined ? undefined : { status: 200, headers: { 'content-type': 'text/plain' }, body: kept };
  };
}

async function result(unpack: Unpack, options: AuditOptions = {}) {
  const site = await startSite(album(unpack));
  const audit = await openAudit(site.url, { depth: 'deep', writes: 'create', ...options });
  try {
    return { ...(await check(audit, zipSlip)), lasting: audit.lasting };
  } finally {
    await audit.close();
    await site.close();
  }
}

const vulnerable: Record<string, Unpack> = {
  'joins names to its folder': { placeOf: (name) => posix.join(below, name) },
  'refuses absolute names alone': {
    placeOf: (name) => (name.startsWith('/') ? undefined : posix.normalize(`${below}/${name}`)),
  },
};

for (const [what, unpack] of Object.entries(vulnerable))
  test(`a site that ${what} is found, and what was sent is recorded`, async () => {
    const found = await result(unpack);
    assert.equal([found.outcome.kind, places(found)], ['found', ['POST /album pack']], found.outcome.reason);
    assert.ok(found.lasting.length >= 5 && found.lasting.length <= 6, String(found.lasting.length));
  });

const clean: Record<string, Unpack> = {
  'refuses names that lead up': {
    placeOf: (name) => (name.includes('..') ? undefined : posix.join(below, name)),
  },
  'compares where a name leads': {
    placeOf: (name) => {
      const place = posix.join(below, name);
      return place.startsWith(`${below}/`) ? place : undefined;
    },
  },
  'keeps all files above, whatever their names are': { placeOf: (name) => posix.join('/srv', posix.basename(name)) },
  'takes parts that lead up out of names': { placeOf: (name) => posix.join(below, name.replaceAll('../', '')) },
  'keeps the last part of names': { placeOf: (name) => posix.join(below, posix.basename(name)) },
  'takes its folder for the root': { placeOf: (name) => below + posix.join('/', name) },
};

for (const [what, unpack] of firstRows(Object.entries(clean), 2))
  test(`a site that ${what} is clean`, async () => {
    const found = await result(unpack);
    assert.equal([found.outcome.kind, places(found)], ['clean', []], found.outcome.reason);
  });

for (const description of ['shown', 'hidden'] as const)
  further(test)(
    `an archive that has to have a file is sent with it, where what that says is ${description}`,
    async () => {
      for (const [variant, expected] of [
        ['vulnerable', ['POST /upload theme']],
        ['patched', []],
      ] as const) {
        const site = await startThemes(variant, description);
        const audit = await openAudit(site.url, { depth: 'deep', writes: 'create' });
        const found = await check(audit, zipSlip);
        await audit.close();
        await site.close();
        assert.equal(places(found), expected, found.outcome.reason);
        assert.ok(audit.lasting.length <= 14, String(audit.lasting.length));
      }
    },
  );

test('no archive is sent where what stays is not allowed', async () => {
  const found = await result({ placeOf: (name) => posix.join(below, name) }, { writes: 'reversible' });
  assert.equal([found.outcome.kind, found.lasting.length], ['not-applicable', 0]);
});

test.run();
