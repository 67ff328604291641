import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { z } from 'zod';
import { readJson, writePrivate } from './data-folder.ts';

const Secrets = z.object({
  /** Passwords of PostgreSQL's superuser and the two roles. */
  postgres: z.object({ superuser: z.string(), owner: z.string(), app: z.string() }),
  /** Core's ENCRYPTION_KEYS. */
  encryptionKeys: z.string(),
  /** Makes the tokens of callbacks. */
  callbackSecret: z.string().default(() => randomBytes(32).toString('base64url')),
  operatorKey: z.string().optional(),
  listenerKey: z.string().optional(),
  /** The demo's organisation and the keys to it. */
  demo: z.object({ orgId: z.string(), apiKey: z.string(), serviceKey: z.string(), workerKey: z.string() }).optional(),
});

/** What a data folder keeps from one start to the next, mode 0600. */
export type Secrets = z.infer<typeof Secrets>;
export type DemoKeys = NonNullable<Secrets['demo']>;

const fileOf = (home: string) => join(home, 'secrets.json');

/** The data folder's secrets, made on the first start. */
export async function loadSecrets(home: string): Promise<Secrets> {
  const stored = await readJson(fileOf(home));
  if (stored !== undefined) return Secrets.parse(stored);
  const password = () => randomBytes(24).toString('base64url');
  const secrets: Secrets = {
    postgres: { superuser: password(), owner: password(), app: password() },
    encryptionKeys: `k1:${randomBytes(32).toString('base64')}`,
    callbackSecret: randomBytes(32).toString('base64url'),
  };
  await saveSecrets(home, secrets);
  return secrets;
}

export function saveSecrets(home: string, secrets: Secrets): Promise<void> {
  return writePrivate(fileOf(home), secrets);
}
