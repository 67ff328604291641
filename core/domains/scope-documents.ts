import { create, toJsonString } from '@bufbuild/protobuf';
import type { EntityManager } from '@mikro-orm/postgresql';
import { DocumentFault } from '../../kit/documents/draft.ts';
import type { Reader } from '../../kit/documents/read-aside.ts';
import type { ReadDocument } from '../../kit/documents/read-document.ts';
import { type ApiDocument, DocumentedRequestsSchema } from '../../proto/gen/scanaudit/v1/domains_pb.ts';
import type { Cipher } from '../crypto.ts';
import { invalid } from '../errors.ts';
import { ScopeDocumentEntity, type ScopeDocumentRow } from './scope-entities.ts';

type DocumentDomain = { orgId: string; domain: string };
type DocumentKey = Pick<ScopeDocumentRow, 'orgId' | 'domain' | 'name'>;

/** Binds a document to its place. */
export const documentContext = ({ orgId, domain, name }: DocumentKey) => `scope-document/${orgId}/${domain}/${name}`;

const maxBytes = 8 * 1024 * 1024;

/**
 * Reads the documents that have a content.
 * @returns those by name
 * @throws Refusal INVALID_PARAMETER
 */
export async function readDocuments(
  reader: Reader,
  documents: readonly ApiDocument[],
  signal: AbortSignal,
): Promise<Map<string, ReadDocument>> {
  const given = new Set(documents.map(({ name }) => name));
  if (given.size < documents.length)
    throw invalid('INVALID_PARAMETER', 'scope.documents', 'give each document a name of its own');
  const bytes = documents.reduce((sum, { content }) => sum + Buffer.byteLength(content), 0);
  if (bytes > maxBytes)
    throw invalid('INVALID_PARAMETER', 'scope.documents', `use at most ${maxBytes} bytes for all of them`);
  const read = new Map<string, ReadDocument>();
  for (const [index, { name, content }] of documents.entries()) {
    if (content === '') continue;
    try {
      read.set(name, await reader(content, signal));
    } catch (error) {
      if (!(error instanceof DocumentFault)) throw error;
      throw invalid('INVALID_PARAMETER', `scope.documents[${index}].content`, error.message);
    }
  }
  return read;
}

/**
 * Puts documents in the place of all that were there; one that has not been read stays as it was.
 * @throws Refusal INVALID_PARAMETER when there was none
 */
export async function putDocuments(
  tx: EntityManager,
  cipher: Cipher,
  domain: DocumentDomain,
  documents: readonly ApiDocument[],
  read: ReadonlyMap<string, ReadDocument>,
): Promise<void> {
  const kept = new Set((await listDocuments(tx, domain)).map(({ name }) => name));
  for (const [index, { name }] of documents.entries())
    if (!read.has(name) && !kept.has(name))
      throw invalid('INVALID_PARAMETER', `scope.documents[${index}].content`, 'give the text of a new document');
  await tx.nativeDelete(ScopeDocumentEntity, { ...domain, name: { $nin: documents.map(({ name }) => name) } });
  for (const [name, { format, ...content }] of read) {
    const key = { ...domain, name };
    const json = toJsonString(DocumentedRequestsSchema, create(DocumentedRequestsSchema, content));
    const encrypted = cipher.encrypt(json, documentContext(key));
    await tx.upsert(ScopeDocumentEntity, { ...key, format, requests: content.requests.length, content: encrypted });
  }
}

/** Without their contents, which are large. */
export const listDocuments = (
  tx: EntityManager,
  domain: DocumentDomain,
): Promise<Pick<ScopeDocumentRow, 'name' | 'format' | 'requests'>[]> =>
  tx.find(ScopeDocumentEntity, domain, { orderBy: { name: 'asc' }, fields: ['name', 'format', 'requests'] });

/** JSON of scanaudit.v1.DocumentedRequests, for a worker; undefined when there is no such document. */
export async function openDocument(tx: EntityManager, cipher: Cipher, key: DocumentKey): Promise<string | undefined> {
  const row = await tx.findOne(ScopeDocumentEntity, { orgId: key.orgId, domain: key.domain, name: key.name });
  return row ? cipher.decrypt(row.content, documentContext(row)) : undefined;
}
