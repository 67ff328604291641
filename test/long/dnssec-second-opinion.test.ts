import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parseAllowRules } from '../../workflows/probe/guard/allow.ts';
import { startAuthority } from '../fixtures/authority.ts';
import { type SignedTree, signedTree, type TreeOptions } from '../fixtures/signed-tree.ts';
import { newZoneKey } from '../fixtures/zone-keys.ts';
import { openFor } from '../workflows/probe/support.ts';

const run = promisify(execFile);

/** BIND's delv and what it links to, for machines that do not have it. Source: Debian 12. */
const packages = [
  ...['bind9-dnsutils', 'bind9-libs', 'libuv1', 'liburcu8', 'libmaxminddb0', 'libjson-c5', 'liblmdb0', 'libedit2'],
  ...[
    'libbsd0',
    'libmd0',
    'libjemalloc2',
    'libnghttp2-14',
    'libfstrm0',
    'libprotobuf-c1',
    'libcap2',
    'libxml2',
    'libicu72',
  ],
];

type Delv = { program: string; env: NodeJS.ProcessEnv };

const folder = await mkdtemp(join(tmpdir(), 'scan-audit-delv-'));
const delv = await findDelv();

/** The one on PATH, or one that is unpacked without being installed. */
async function findDelv(): Promise<Delv> {
  const isThere = await run('delv', ['-v']).then(
    () => true,
    () => false,
  );
  if (isThere) return { program: 'delv', env: process.env };
  await run('apt-get', ['download', ...packages], { cwd: folder });
  for (const file of await readdir(folder)) await run('dpkg', ['-x', join(folder, file), join(folder, 'root')]);
  const libraries = ['usr/lib', 'lib'].map((path) => join(folder, 'root', path, 'x86_64-linux-gnu')).join(':');
  return { program: join(folder, 'root/usr/bin/delv'), env: { ...process.env, LD_LIBRARY_PATH: libraries } };
}

/** What delv says of a name: "secure", "insecure" or "bogus". */
async function opinionOf(tree: SignedTree, server: string, name: string, type: string): Promise<string> {
  const [, tag, algorithm, digestType, digest] = (tree.anchors[0] ?? '').split(' ');
  const anchor = join(folder, 'anchor.conf');
  await writeFile(anchor, `trust-anchors { "." static-ds ${tag} ${algorithm} ${digestType} "${digest}"; };\n`);
  const port = server.split(':')[1] ?? '';
  const words = ['@127.0.0.1', '-p', port, '-a', anchor, '+root=.', name, type];
  const { stdout, stderr } = await run(delv.program, words, { env: delv.env });
  const text = stdout + stderr;
  if (text.includes('fully validated')) return 'secure';
  if (text.includes('unsigned answer')) return 'insecure';
  assert.match(text, /resolution failed: (?:broken trust chain|insecurity proof failed)|no valid/, text);
  return 'bogus';
}

const records = {
  'alias.northwind.shop CNAME': ['www.northwind.shop'],
  '*.pages.northwind.shop A': ['127.0.0.1'],
  'deep.below.northwind.shop A': ['127.0.0.1'],
};
const questions = [
  ['www.northwind.shop', 'A'],
  ['www.northwind.shop', 'MX'],
  ['none.northwind.shop', 'A'],
  ['alias.northwind.shop', 'A'],
  ['one.pages.northwind.shop', 'A'],
  ['one.pages.northwind.shop', 'MX'],
  ['below.northwind.shop', 'A'],
] as const;

const ago = (days: number) => new Date(Date.now() - days * 86_400_000);
const optOut = { denial: { iterations: 0, isOptOut: true } };
const trees: Record<string, TreeOptions> = {
  NSEC: {},
  NSEC3: { zone: { denial: 'nsec3' }, registry: { denial: 'nsec3' } },
  ...Object.fromEntries([8, 10, 14, 15, 16].map((algorithm) => [`algorithm ${algorithm}`, { algorithm }])),
  'an unknown algorithm': { algorithm: 12 },
  'no signatures': { isSigned: false },
  'no signatures below an opt-out': { isSigned: false, registry: optOut },
  'signatures that have ended': { zone: { from: ago(9), until: ago(1) } },
  'a key that nobody vouches for': { signer: () => [newZoneKey().signer('northwind.shop')] },
  'a lie by NSEC': { zone: { hidden: ['www.northwind.shop A'] } },
  'a lie by NSEC3': { zone: { hidden: ['www.northwind.shop A'], denial: 'nsec3' } },
};

const test = suite('the validation of DNSSEC, and that of BIND');

test.after(() => rm(folder, { recursive: true, force: true }));

for (const [name, options] of Object.entries(trees)) {
  test(`come to the same with ${name}`, async () => {
    const tree = signedTree({ records, ...options });
    const server = await startAuthority({ zones: tree.zones });
    const allow = parseAllowRules(['127.0.0.1', '*.test', '*.shop'].map((host) => `${host}=127.0.0.0/8`));
    const guard = { allow, dnsServer: server.address, dnsAnchors: tree.anchors };
    const probes = openFor('http://www.northwind.shop/', { guard });
    try {
      for (const [host, type] of questions) {
        const { dnssec } = await probes.dns.validate(host, type);
        assert.is(
          dnssec.status,
          await opinionOf(tree, server.address, host, type),
          `${type} ${host}: ${dnssec.reason}`,
        );
      }
    } finally {
      await probes.close();
      server.close();
    }
  });
}

test.run();
