import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { rows } from '../security/hostile-input/rows.ts';
import { sourceFiles } from './imports.ts';

const project = join(import.meta.dirname, '..', '..');

/** What takes apart or unpacks bytes and texts. */
const parser =
  /from '(?:parse5|saxes|yaml|node:zlib|re2js|tough-cookie|robots-parser|dns-packet|@peculiar\/[\w-]+|csp_evaluator\/[^']+)'|\breadJson\b[^}]*\} from '|JSON\.parse\(/;

/** Files that give a parser nothing of a target's. */
const harmless: Record<string, string> = {
  'workflows/probe/browser/files.ts': 'a manifest of a package',
  'workflows/probe/browser/relay/end.ts': 'what the relay of the browser has written itself',
  'workflows/probe/browser/relay/sift.ts': 'runs in the process of the relay, not in the worker',
  'workflows/probe/browser/proxy-certificate.ts': 'makes a certificate',
  'workflows/probe/tls/reference.ts': 'makes a certificate',
  'workflows/probe/tls/reference-staple.ts': 'makes an answer of OCSP',
  'workflows/probe/tls/certificate.ts': 'one name that Node has quoted, of a certificate whose size TLS bounds',
  'workflows/probe/dns/dns.ts': 'encodes questions; packet.ts decodes',
  'workflows/probe/dns/probe.ts': 'names of codes; packet.ts decodes',
  'workflows/checks/client/kept-tokens.ts': 'a fact of the scan itself',
  'workflows/checks/client/message-visits.ts': 'the words in a pattern',
  'workflows/activities/places.ts': 'a place of the scan itself',
  'workflows/proof/archives.ts': 'makes an archive of texts of checks; what looks like one in a text is bounded',
  'workflows/run/store.ts': 'what the scan itself has stored, and what the org gave, as core has checked it',
  'workflows/library-feed.ts': 'data of the feed that the operator has chosen, bounded and validated',
};

const test = suite('parsers of the worker');
const files = (await sourceFiles(project)).filter((path) => path.startsWith('workflows/'));
const covered = new Set(rows.flatMap(({ covers }) => covers));

test('each has a row in the table of hostile inputs, or a reason why it needs none', async () => {
  const missing: string[] = [];
  for (const path of files) {
    const hasParser = parser.test(await readFile(join(project, path), 'utf8'));
    if (hasParser && !covered.has(path) && !(path in harmless)) missing.push(path);
  }
  assert.equal(missing, [], 'test/security/hostile-input/rows');
});

test('rows and reasons name files that there are', () => {
  const known = new Set(files);
  const gone = [...covered, ...Object.keys(harmless)].filter((path) => !known.has(path));
  assert.equal(gone, []);
});

test.run();
