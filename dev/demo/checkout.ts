import { randomBytes } from 'node:crypto';
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { commitFolder } from './repository.ts';

const source = import.meta.dirname;
const firstPublished = new Date('2026-01-09T08:30:00Z');

const Config = z.object({ session: z.object({ jwtSecret: z.string() }) });

/**
 * Puts the shop's site into `folder` as it is deployed: a Git checkout with configuration, code and assets.
 * The signing key is made once and then stays, as it does in a repository.
 * @returns the signing key that stands in the configuration
 */
export async function deploy(folder: string): Promise<{ signingKey: string }> {
  const configFile = join(folder, 'config', 'production.json');
  const signingKey = (await keptKey(configFile)) ?? randomBytes(32).toString('base64url');
  await rm(folder, { recursive: true, force: true });
  await cp(join(source, 'site'), folder, { recursive: true });
  for (const name of ['config', 'src']) await mkdir(join(folder, name));
  await cp(join(source, 'token.ts'), join(folder, 'src', 'token.ts'));
  await writeFile(configFile, configuration(signingKey));
  await commitFolder(folder, 'Publish the shop', firstPublished);
  return { signingKey };
}

async function keptKey(file: string): Promise<string | undefined> {
  try {
    return Config.parse(JSON.parse(await readFile(file, 'utf8'))).session.jwtSecret;
  } catch {
    return undefined;
  }
}

const configuration = (jwtSecret: string): string =>
  `${JSON.stringify(
    {
      host: 'shop.localhost',
      database: 'shop.db',
      session: { cookie: 'shop_session', algorithm: 'HS256', jwtSecret, hours: 8 },
      mail: { from: 'hello@shop.localhost' },
    },
    null,
    2,
  )}\n`;
