import { execFile } from 'node:child_process';
import { chmod, copyFile, readFile, writeFile } from 'node:fs/promises';
import { findPackageJSON } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { fontConfig } from './fonts.ts';
import { keptFolder } from './kept-folder.ts';

/** A browser on this machine, with what it needs in its environment. */
export type BrowserProgram = { path: string; env: { [name: string]: string } };

/** Unpacks the Chromium that comes with the project, once for each version. @throws Error when it cannot */
export async function bundledChromium(cacheDir?: string): Promise<BrowserProgram> {
  const { version, folder: packageDir } = await packageAt(findPackageJSON('@sparticuz/chromium', import.meta.url));
  const folder = await keptFolder(cacheDir, `chromium-${version}`, (empty) => unpack(empty, packageDir));
  return { path: join(folder, 'chromium'), env: { LD_LIBRARY_PATH: join(folder, 'al2023', 'lib') } };
}

/** Latin, Greek, Cyrillic, Arabic, Hebrew and symbols; what they lack is drawn as boxes. */
const fontFiles = [
  'DejaVuSans.ttf',
  'DejaVuSans-Bold.ttf',
  'DejaVuSans-Oblique.ttf',
  'DejaVuSansMono.ttf',
  'DejaVuSansMono-Bold.ttf',
  'DejaVuSerif.ttf',
  'DejaVuSerif-Bold.ttf',
  'DejaVuSerif-Italic.ttf',
];

/** Goes up when the configuration changes. */
const fontsRelease = 1;

/**
 * The fonts that come with the project, in a folder of their own: where the packages are, the browser's user may not be
 * able to look.
 * @returns what the browser needs in its environment
 * @throws Error when it cannot be made
 */
export async function bundledFonts(cacheDir?: string): Promise<{ FONTCONFIG_FILE: string }> {
  const { version, folder: packageDir } = await packageAt(findPackageJSON('dejavu-fonts-ttf', import.meta.url));
  const folder = await keptFolder(cacheDir, `fonts-${version}-${fontsRelease}`, async (empty, final) => {
    for (const name of fontFiles) {
      await copyFile(join(packageDir, 'ttf', name), join(empty, name));
      await chmod(join(empty, name), 0o644);
    }
    await writeFile(join(empty, 'fonts.conf'), fontConfig(final), { mode: 0o644 });
  });
  return { FONTCONFIG_FILE: join(folder, 'fonts.conf') };
}

const ManifestShape = z.object({ version: z.string() });

async function packageAt(manifest: string | undefined): Promise<{ version: string; folder: string }> {
  if (manifest === undefined) throw new Error('packages of the project are missing: run npm ci');
  const { version } = ManifestShape.parse(JSON.parse(await readFile(manifest, 'utf8')));
  return { version, folder: dirname(manifest) };
}

/**
 * The package unpacks into the temporary folder and takes what it finds there for its own; so it is given a folder of
 * its own as that, in a process of its own. When its environment says Amazon Linux, it unpacks the libraries it needs too.
 */
async function unpack(folder: string, packageDir: string): Promise<void> {
  const program = "import('@sparticuz/chromium').then((chromium) => chromium.default.executablePath())";
  await promisify(execFile)(process.execPath, ['-e', program], {
    cwd: packageDir,
    env: { TMPDIR: folder, HOME: folder, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x' },
    timeout: 120_000,
  });
  await chmod(join(folder, 'chromium'), 0o755);
}
