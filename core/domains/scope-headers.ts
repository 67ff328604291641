import type { EntityManager } from '@mikro-orm/postgresql';
import type { ScopeHeader } from '../../proto/gen/scanaudit/v1/domains_pb.ts';
import type { Cipher } from '../crypto.ts';
import { invalid } from '../errors.ts';
import { ScopeHeaderEntity, type ScopeHeaderRow } from './scope-entities.ts';

type HeaderDomain = { orgId: string; domain: string };
type HeaderKey = Pick<ScopeHeaderRow, 'orgId' | 'domain' | 'name'>;

/** Binds a header's value to its place. */
export const headerContext = ({ orgId, domain, name }: HeaderKey) => `scope-header/${orgId}/${domain}/${name}`;

/**
 * The client sets the headers of the connection and the message itself (RFC 9110 §7.6.1, §10.1.1), and those that name
 * the scanner to a site. A session belongs to a login: only there is it compared with others.
 */
const reserved =
  /^(?:host|connection|keep-alive|upgrade|te|trailer|transfer-encoding|content-.*|expect|proxy-.*|accept-encoding|cookie|x-scan-audit-.*)$/i;

/** @throws Refusal INVALID_PARAMETER */
export function checkHeaders(headers: readonly ScopeHeader[]): void {
  const seen = new Set<string>();
  for (const [index, { name }] of headers.entries()) {
    const field = `scope.headers[${index}].name`;
    if (reserved.test(name)) throw invalid('INVALID_PARAMETER', field, `${name} cannot be set for every request`);
    if (seen.has(name.toLowerCase())) throw invalid('INVALID_PARAMETER', field, 'give each header once');
    seen.add(name.toLowerCase());
  }
}

/**
 * Puts headers in the place of all that were there; one without a value keeps the one that it had.
 * @throws Refusal INVALID_PARAMETER when it had none
 */
export async function putHeaders(
  tx: EntityManager,
  cipher: Cipher,
  domain: HeaderDomain,
  headers: readonly ScopeHeader[],
): Promise<void> {
  const kept = new Map((await listHeaders(tx, domain)).map((row) => [row.name.toLowerCase(), row]));
  const rows = headers.map(({ name, value }, index) => {
    const key = { ...domain, name };
    const before = kept.get(name.toLowerCase());
    const plain = value || (before && cipher.decrypt(before.value, headerContext(before)));
    if (!plain) throw invalid('INVALID_PARAMETER', `scope.headers[${index}].value`, 'give the value of a new header');
    return { ...key, value: cipher.encrypt(plain, headerContext(key)) };
  });
  await tx.nativeDelete(ScopeHeaderEntity, domain);
  if (rows.length > 0) await tx.insertMany(ScopeHeaderEntity, rows);
}

export const listHeaders = (tx: EntityManager, domain: HeaderDomain): Promise<ScopeHeaderRow[]> =>
  tx.find(ScopeHeaderEntity, domain, { orderBy: { name: 'asc' } });

/** JSON of names and values, for a worker. */
export async function openHeaders(tx: EntityManager, cipher: Cipher, domain: HeaderDomain): Promise<string> {
  const rows = await listHeaders(tx, domain);
  return JSON.stringify(rows.map((row) => [row.name, cipher.decrypt(row.value, headerContext(row))]));
}
