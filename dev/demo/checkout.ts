import { randomBytes } from 'node:crypto';
import { copyFile, cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { bundleModules } from './bundle.ts';
import { commitFolder } from './repository.ts';
import type { Weaknesses } from './weaknesses.ts';

const source = import.meta.dirname;
const firstPublished = new Date('2026-01-09T08:30:00Z');
const contactDays = 300;
/** The key with which tokens are signed where that is a word. */
export const weakKey = 'supersecret';

const Config = z.object({ session: z.object({ jwtSecret: z.string() }) });

/**
 * Puts the shop's site into `folder` as it is deployed: a Git checkout with configuration, code and assets, and what
 * the deployment adds to it. The signing key is made once and then stays, as it does in a repository.
 * @returns the signing key that stands in the configuration
 */
export async function deploy(folder: string, weaknesses: Weaknesses): Promise<{ signingKey: string }> {
  const configFile = join(folder, 'config', 'production.json');
  const kept = await keptKey(configFile);
  const strongKey = kept === undefined || kept === weakKey ? randomBytes(32).toString('base64url') : kept;
  const signingKey = weaknesses.weakSigningKey ? weakKey : strongKey;
  await rm(folder, { recursive: true, force: true });
  await cp(join(source, 'site'), folder, { recursive: true });
  await mkdir(join(folder, 'config'));
  await cp(join(source, 'token.ts'), join(folder, 'src', 'token.ts'));
  await writeFile(configFile, configuration(signingKey));
  await commitFolder(folder, 'Publish the shop', firstPublished);
  await build(folder, weaknesses);
  await mkdir(join(folder, '.well-known'));
  await writeFile(join(folder, '.env'), environment(signingKey));
  await writeFile(join(folder, '.well-known', 'security.txt'), securityContact(new Date()));
  return { signingKey };
}

async function keptKey(file: string): Promise<string | undefined> {
  try {
    return Config.parse(JSON.parse(await readFile(file, 'utf8'))).session.jwtSecret;
  } catch {
    return undefined;
  }
}

async function build(folder: string, { secretInScript }: Weaknesses): Promise<void> {
  const studio = join(folder, 'src', 'studio');
  const { script, map } = await bundleModules(studio, ['data.js', 'view.js', 'main.js'], 'studio.js');
  const assets = join(folder, 'assets');
  await writeFile(join(assets, 'studio.js'), script.replace('__PAYMENT_KEY__', paymentKey(secretInScript)));
  await writeFile(join(assets, 'studio.js.map'), map);
  await mkdir(join(assets, 'vendor'));
  const library = fileURLToPath(import.meta.resolve('jquery/dist/jquery.min.js'));
  await copyFile(library, join(assets, 'vendor', 'jquery-3.4.1.min.js'));
}

/** As the payment service makes them: one for its servers, and one for browsers. */
const paymentKey = (isSecret: boolean): string => {
  const random = randomBytes(90)
    .toString('base64')
    .replace(/[^A-Za-z0-9]/g, '');
  return `${isSecret ? 'sk' : 'pk'}_live_${random.slice(0, 99)}`;
};

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

const environment = (jwtSecret: string): string =>
  `# Settings of the shop. Read by the process manager.
NODE_ENV=production
DATABASE_URL=file:/srv/shop/shop.db
JWT_SECRET=${jwtSecret}
SMTP_HOST=mail.shop.localhost
SMTP_USER=hello@shop.localhost
SMTP_PASSWORD=linden-bark-2291
`;

/** Source: RFC 9116. */
const securityContact = (now: Date): string => {
  const expires = new Date(now.getTime() + contactDays * 86_400_000);
  return `Contact: mailto:security@shop.localhost\nExpires: ${expires.toISOString()}\nPreferred-Languages: en\n`;
};
