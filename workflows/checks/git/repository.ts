import { inflateSync } from 'node:zlib';
import type { Subject } from '../../model/experiment.ts';
import type { Exchange } from '../../model/http.ts';
import { counted, wasOrWere } from '../../model/words.ts';
import { type GitObject, maxUnpackedBytes, objectsIn, readPack } from '../../proof/git-pack.ts';
import { maxPackBytes } from '../../proof/subjects/readers.ts';
import type { CheckContext } from '../contract.ts';
import { atMost, type OmissionReporter } from '../inputs/at-most.ts';

/** Where an object can be read, and the subject of a claim about it there. */
export type ObjectPlace = { url: string; subject: Subject };

export type StoredObject = GitObject & { id: string; place: ObjectPlace };

/** A repository that a web server gives away. */
export type Repository = {
  /** Commit that the checked-out branch points to. */
  head(): Promise<string | undefined>;
  /** An object by its id, loose or in a pack. */
  read(id: string): Promise<StoredObject | undefined>;
  /** URLs of the packs that can be found. */
  packs(): Promise<string[]>;
};

const objectId = /\b[0-9a-f]{40}\b/;
/** Inflated bytes of one loose object. */
const maxObjectBytes = 4 * 1024 * 1024;
const maxPacks = 4;
const MiB = 1024 * 1024;

/**
 * @param base URL of the ".git/" folder
 */
export function openRepository(context: Pick<CheckContext, 'http' | 'leave'>, base: string): Repository {
  const { http } = context;
  const text = async (path: string): Promise<string | undefined> => {
    const exchange = await http.get(base + path);
    return exchange.status === 200 ? exchange.text : undefined;
  };
  let packed: Promise<Map<string, StoredObject>> | undefined;
  const packs = () => findPacks(context, base, text);
  return {
    head: () => findHead(text),
    packs,
    async read(id) {
      // What was cloned to be served lies in packs: once they are read, only what they lack is asked for one by one.
      const unpacked = (await packed)?.get(id);
      if (unpacked) return unpacked;
      const place: ObjectPlace = { url: loosePath(base, id), subject: 'body:inflate' };
      const object = looseObject(await http.get(place.url));
      if (object) return { ...object, id, place };
      packed ??= packs().then((urls) => readPacks(context, urls));
      return (await packed).get(id);
    },
  };
}

export const loosePath = (base: string, id: string): string => `${base}objects/${id.slice(0, 2)}/${id.slice(2)}`;

type ReadText = (path: string) => Promise<string | undefined>;

/** "HEAD" names a branch, or a commit when none is checked out. Branches are files, or lines of "packed-refs". */
async function findHead(text: ReadText): Promise<string | undefined> {
  const head = await text('HEAD');
  const [, branch] = /^ref: (refs\/[\w./+@-]{1,200})\s*$/.exec(head ?? '') ?? [];
  if (branch === undefined) return /^([0-9a-f]{40})\s*$/.exec(head ?? '')?.[1];
  const loose = /^([0-9a-f]{40})\s*$/.exec((await text(branch)) ?? '')?.[1];
  if (loose) return loose;
  const lines = ((await text('packed-refs')) ?? '').split('\n');
  return lines.find((line) => line.trimEnd().endsWith(` ${branch}`) && objectId.test(line))?.slice(0, 40);
}

/** Named in objects/info/packs, or in the folder's listing. */
async function findPacks(context: OmissionReporter, base: string, text: ReadText): Promise<string[]> {
  const listed = `${(await text('objects/info/packs')) ?? ''}\n${(await text('objects/pack/')) ?? ''}`;
  const names = new Set(listed.match(/pack-[0-9a-f]{40}\.pack/g) ?? []);
  return atMost(context, [...names], maxPacks, 'packs of the repository').map((name) => `${base}objects/pack/${name}`);
}

async function readPacks(
  { http, leave }: Pick<CheckContext, 'http' | 'leave'>,
  urls: readonly string[],
): Promise<Map<string, StoredObject>> {
  const objects = new Map<string, StoredObject>();
  let [bytes, left] = [0, 0];
  for (const url of urls) {
    if (bytes >= maxUnpackedBytes) {
      left += 1;
      continue;
    }
    const { status, body } = await http.get(url, { maxBodyBytes: maxPackBytes });
    if (status !== 200) continue;
    const read = readPack(body);
    if (read.size < objectsIn(body)) left += 1;
    for (const [id, object] of read) {
      bytes += object.content.length;
      objects.set(id, { ...object, id, place: { url, subject: `body:pack:${id}` } });
    }
  }
  const text = `${counted(left, 'pack')} of the repository ${wasOrWere(left)} not read to the end: of all packs ${maxUnpackedBytes / MiB} MiB are unpacked`;
  if (left > 0) leave({ code: 'too_many', count: left, text });
  return objects;
}

function looseObject({ status, body }: Exchange): GitObject | undefined {
  if (status !== 200) return undefined;
  try {
    const bytes = inflateSync(body, { maxOutputLength: maxObjectBytes });
    const [, type] = /^(commit|tree|blob|tag) \d{1,12}\0/.exec(bytes.toString('latin1', 0, 32)) ?? [];
    return type === undefined
      ? undefined
      : { type: type as GitObject['type'], content: bytes.subarray(bytes.indexOf(0) + 1) };
  } catch {
    return undefined;
  }
}

type GitTreeEntry = { name: string; id: string; isFolder: boolean };

/** Source: Git's own write-tree; "mode name\0" and twenty bytes of id, again and again. Links and submodules are left out. */
export function parseTree(content: Buffer): GitTreeEntry[] {
  const entries: GitTreeEntry[] = [];
  let at = 0;
  while (at < content.length) {
    const end = content.indexOf(0, at);
    if (end === -1 || end + 21 > content.length) break;
    const [mode = '', ...name] = content.toString('utf8', at, end).split(' ');
    const isFolder = /^0?40000$/.test(mode);
    if (isFolder || mode.startsWith('100'))
      entries.push({ name: name.join(' '), id: content.toString('hex', end + 1, end + 21), isFolder });
    at = end + 21;
  }
  return entries;
}

export function parseCommit(content: Buffer): { tree: string | undefined; parents: string[] } {
  const [head = ''] = content.toString('utf8').split('\n\n');
  return {
    tree: /^tree ([0-9a-f]{40})$/m.exec(head)?.[1],
    parents: [...head.matchAll(/^parent ([0-9a-f]{40})$/gm)].flatMap(([, id]) => id ?? []),
  };
}
