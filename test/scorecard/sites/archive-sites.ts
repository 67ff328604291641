import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import express, { type Response as Reply, type Request } from 'express';
import type { ScoreSite, Variant } from '../case.ts';
import { startApp } from './express.ts';
import { startPhp } from './php.ts';

type Lessons = {
  format: 'zip' | 'tar';
  folder: () => string;
  /** Whether the answer to the form leads to the folder, or a list leads to each file. */
  isInAnswer: boolean;
  /** What a mended site does with what it has unpacked, or with what it gives. */
  mend: { unpacked?: (folder: string) => void; headers?: (reply: Reply) => void };
};

const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((each) =>
    each.isFile() ? [join(each.parentPath, each.name)] : [],
  );

/** A school whose lessons are archives, which a program of the system unpacks. */
function startLessons({ format, folder, isInAnswer, mend }: Lessons, variant: Variant): Promise<ScoreSite> {
  const root = mkdtempSync(join(tmpdir(), 'lessons-'));
  const app = express();
  app.get('/', (_request, response) => {
    const files = filesBelow(root).map((file) => file.slice(root.length + 1));
    response.send(`<form method="post" action="/lesson" enctype="multipart/form-data">
      <input type="file" name="pack" accept=".${format}"><button>Add a lesson</button></form>
      ${isInAnswer ? '' : files.map((file) => `<a href="/lessons/${file}">${file}</a>`).join(' ')}`);
  });
  app.post('/lesson', express.raw({ type: 'multipart/*' }), async (request: Request, response) => {
    const headers = { 'content-type': request.get('content-type') ?? '' };
    const pack = (await new Response(request.body, { headers }).formData()).get('pack');
    if (!(pack instanceof File)) return void response.status(400).send('<p>No lesson</p>');
    const name = folder();
    const own = join(root, name);
    mkdirSync(own, { recursive: true });
    const packed = join(mkdtempSync(join(tmpdir(), 'packed-')), 'lesson');
    writeFileSync(packed, Buffer.from(await pack.arrayBuffer()));
    try {
      if (format === 'zip') execFileSync('unzip', ['-qo', packed], { cwd: own, stdio: 'ignore' });
      else execFileSync('tar', ['xf', packed], { cwd: own, stdio: 'ignore' });
    } catch {
      return void response.status(400).send('<p>Broken archive</p>');
    }
    if (variant === 'patched') mend.unpacked?.(own);
    if (isInAnswer) response.send(`<p>Added. <a href="/lessons/${name}/">The lesson</a></p>`);
    else response.redirect('/');
  });
  app.use(
    '/lessons',
    express.static(root, {
      index: false,
      setHeaders: (reply) => variant === 'patched' && mend.headers?.(reply as Reply),
    }),
  );
  return startApp(app, { options: { depth: 'deep', writes: 'create' } });
}

const withoutPages = (folder: string): void => {
  for (const file of filesBelow(folder)) if (/\.(?:html|svg)$/i.test(file)) rmSync(file);
};

const albums = (doomed: string) => `<?php
if (isset($_FILES["zip"])) {
  $name = bin2hex(random_bytes(4)); $own = __DIR__ . "/albums/$name"; mkdir($own);
  move_uploaded_file($_FILES["zip"]["tmp_name"], "$own/in.zip");
  exec("cd " . escapeshellarg($own) . " && unzip -qo in.zip");
  foreach (${doomed} as $file) if (is_file($file) && !preg_match("/\\.(png|jpe?g|gif|txt)$/i", $file)) unlink($file);
  echo "<p>Your album is at <a href='/albums/$name/'>/albums/$name/</a>.</p>";
} ?><h1>Albums</h1><form method="post" enctype="multipart/form-data">
<input type="file" name="zip" accept=".zip"><button name="make" value="1">Make an album</button></form>`;

/** Takes what is no picture out of the folder of an album; the mended one out of the folders in it as well. */
function startAlbums(variant: Variant): Promise<ScoreSite> {
  const folder = mkdtempSync(join(tmpdir(), 'php-albums-'));
  mkdirSync(join(folder, 'albums'));
  writeFileSync(join(folder, 'index.php'), '<a href="/make.php">Albums</a>');
  const all = 'new RecursiveIteratorIterator(new RecursiveDirectoryIterator($own))';
  writeFileSync(join(folder, 'make.php'), albums(variant === 'patched' ? all : 'glob("$own/*")'));
  return startPhp(folder);
}

export const archiveSites: Record<string, { programs: string[]; start: (variant: Variant) => Promise<ScoreSite> }> = {
  'school that unpacks lessons to one folder, to which its answer leads': {
    programs: ['unzip'],
    start: (variant) =>
      startLessons({ format: 'zip', folder: () => 'all', isInAnswer: true, mend: { unpacked: withoutPages } }, variant),
  },
  'school that lists the files of lessons, which have folders of their own': {
    programs: ['tar'],
    start: (variant) =>
      startLessons(
        {
          ...{ format: 'tar', folder: () => randomBytes(5).toString('hex'), isInAnswer: false },
          mend: { headers: (reply) => reply.setHeader('content-disposition', 'attachment') },
        },
        variant,
      ),
  },
  'PHP that looks for scripts in the first folder of an album alone, which its answer names': {
    programs: ['php', 'unzip'],
    start: startAlbums,
  },
};
