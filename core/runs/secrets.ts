import type { EntityManager } from '@mikro-orm/postgresql';
import type { Cipher } from '../crypto.ts';
import { LoginEntity } from '../domains/entities.ts';
import { openLoginJson } from '../domains/login-settings.ts';
import { openDocument } from '../domains/scope-documents.ts';
import { openHeaders } from '../domains/scope-headers.ts';
import { invalid, Refusal } from '../errors.ts';
import type { ScanRow } from '../scans/entities.ts';
import { RunSecretEntity } from './entities.ts';
import { addStored } from './limits.ts';

const loginPrefix = 'login:';
const scopePrefix = 'scope:';
const documentPrefix = `${scopePrefix}document:`;

/** Binds a secret to its place, so that it cannot be opened for another run. */
export const secretContext = (runId: string, ref: string) => `run-secret/${runId}/${ref}`;

/** Encrypts and keeps a secret until the run ends. @throws Refusal INVALID_PARAMETER */
export async function putSecret(
  tx: EntityManager,
  cipher: Cipher,
  scan: ScanRow,
  { ref, value }: { ref: string; value: string },
): Promise<void> {
  for (const prefix of [loginPrefix, scopePrefix])
    if (ref.startsWith(prefix)) throw invalid('INVALID_PARAMETER', 'ref', `"${prefix}" is for what the org has stored`);
  const { runId, orgId } = scan;
  const sealed = cipher.encrypt(value, secretContext(runId, ref));
  addStored(scan, sealed.length);
  await tx.upsert(RunSecretEntity, { runId, orgId, ref, value: sealed });
}

/**
 * Opens a secret of the run, or one of its domain: the settings of a login ("login:<name>"), the headers to send
 * ("scope:headers"), or what an API document describes ("scope:document:<name>").
 * @throws Refusal NOT_FOUND
 */
export async function openSecret(tx: EntityManager, cipher: Cipher, scan: ScanRow, ref: string): Promise<string> {
  const { runId, orgId, domain } = scan;
  if (ref.startsWith(loginPrefix)) {
    const name = ref.slice(loginPrefix.length);
    const login = await tx.findOne(LoginEntity, { orgId, domain, name });
    if (!login) throw noSecret();
    return openLoginJson(cipher, login);
  }
  if (ref === `${scopePrefix}headers`) return openHeaders(tx, cipher, { orgId, domain });
  if (ref.startsWith(documentPrefix)) {
    const content = await openDocument(tx, cipher, { orgId, domain, name: ref.slice(documentPrefix.length) });
    if (content === undefined) throw noSecret();
    return content;
  }
  const secret = ref.includes('\0') ? null : await tx.findOne(RunSecretEntity, { runId, ref });
  if (!secret) throw noSecret();
  return cipher.decrypt(secret.value, secretContext(runId, ref));
}

const noSecret = () => new Refusal('NOT_FOUND', { message: 'There is no such secret.' });
