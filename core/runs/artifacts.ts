import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { zstdCompress, zstdDecompress } from 'node:zlib';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { PutArtifactRequest } from '../../proto/gen/scanaudit/v1/runs_pb.ts';
import { invalid, Refusal } from '../errors.ts';
import type { ScanRow } from '../scans/entities.ts';
import { ArtifactEntity } from './entities.ts';
import { addStored, maxRunBytes } from './limits.ts';

/** Of a message of GetArtifact; the contract bounds those of PutArtifact. */
const maxChunkBytes = 1024 * 1024;

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

/** An artifact as it came in, packed for the store. */
type PackedArtifact = {
  runId: string;
  name: string;
  contentType: string;
  /** SHA-256 of the content, hexadecimal. */
  ref: string;
  sizeBytes: number;
  packed: Buffer;
};

/**
 * Reads a stream of chunks whose first message has the header.
 * @throws Refusal INVALID_PARAMETER
 */
export async function receiveArtifact(messages: AsyncIterable<PutArtifactRequest>): Promise<PackedArtifact> {
  let header: PutArtifactRequest | undefined;
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const message of messages) {
    header ??= requireHeader(message);
    sizeBytes += message.chunk.byteLength;
    if (sizeBytes > maxRunBytes)
      throw invalid('INVALID_PARAMETER', 'chunk', `an artifact has at most ${maxRunBytes} bytes`);
    chunks.push(message.chunk);
  }
  if (!header) throw invalid('INVALID_PARAMETER', 'name', 'the first message has the header');
  const content = Buffer.concat(chunks);
  const { runId, name, contentType } = header;
  const ref = createHash('sha256').update(content).digest('hex');
  return { runId, name, contentType, ref, sizeBytes, packed: await compress(content) };
}

/** Only the first message has one, so the contract does not require it. */
function requireHeader(message: PutArtifactRequest): PutArtifactRequest {
  for (const field of ['name', 'contentType'] as const)
    if (message[field] === '') throw invalid('INVALID_PARAMETER', field, 'give it in the first message');
  if (isRef(message.name)) throw invalid('INVALID_PARAMETER', 'name', 'use a name that is no ref');
  return message;
}

/** Stores an artifact under its name and content. The same again only makes it the newest of its name. */
export async function storeArtifact(tx: EntityManager, scan: ScanRow, artifact: PackedArtifact): Promise<void> {
  const { runId, orgId } = scan;
  const { name, ref, contentType, sizeBytes, packed } = artifact;
  const storedAt = new Date();
  const known = await tx.nativeUpdate(ArtifactEntity, { runId, name, ref }, { contentType, storedAt });
  if (known > 0) return;
  addStored(scan, packed.byteLength);
  await tx.insert(ArtifactEntity, { runId, orgId, name, ref, contentType, sizeBytes, content: packed, storedAt });
}

/**
 * An artifact of a run by its ref, or the newest of a name.
 * @throws Refusal NOT_FOUND
 */
export async function loadArtifact(
  tx: EntityManager,
  runId: string,
  refOrName: string,
): Promise<{ contentType: string; packed: Buffer }> {
  const where = isRef(refOrName) ? { runId, ref: refOrName } : { runId, name: refOrName };
  const row = refOrName.includes('\0')
    ? null
    : await tx.findOne(ArtifactEntity, where, { orderBy: { storedAt: 'desc' } });
  if (!row) throw new Refusal('NOT_FOUND', { message: 'There is no such artifact.' });
  return { contentType: row.contentType, packed: Buffer.from(row.content) };
}

/** The newest artifact of a name for each of those that it is kept of: "site-map", "site-map:alice". */
export async function artifactsOf(tx: EntityManager, runId: string, name: string): Promise<Buffer[]> {
  const rows = await tx.find(
    ArtifactEntity,
    { runId, $or: [{ name }, { name: { $like: `${name}:%` } }] },
    { orderBy: { name: 'asc', storedAt: 'asc' } },
  );
  const newest = new Map(rows.map((row) => [row.name, row.content]));
  return Promise.all([...newest.values()].map((content) => decompress(Buffer.from(content))));
}

const isRef = (text: string) => /^[0-9a-f]{64}$/.test(text);

/** The content of a packed artifact in chunks; one empty chunk for an empty artifact. */
export async function* chunksOf(packed: Buffer): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const content = await decompress(packed);
  for (let start = 0; start === 0 || start < content.byteLength; start += maxChunkBytes)
    yield new Uint8Array(content.subarray(start, start + maxChunkBytes));
}
