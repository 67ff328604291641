import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import express, { type Response as Reply, type Request } from 'express';
import type { ScoreSite, Variant } from '../case.ts';
import { startApp } from './express.ts';

type Unpacking = {
  field: string;
  accept: string;
  /** Program and options that unpack the file of this name. */
  program: (file: string) => [string, ...string[]];
  /** File that each archive has to have. */
  needed?: string;
  folder: (typed: string) => string;
  /** Where what was unpacked is shown, below the folder of all. */
  shows: (app: express.Express, root: string) => void;
  answer: (response: Reply, folder: string) => unknown;
};

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** A form whose archive a program of the system unpacks; the mended one takes links out. */
function startUnpacking(given: Unpacking, variant: Variant): Promise<ScoreSite> {
  const { field, accept, program, needed, folder, shows, answer } = given;
  const root = mkdtempSync(join(tmpdir(), 'unpacked-'));
  const app = express();
  app.get('/', (_request, response) =>
    response.send(`<form method="post" action="/import" enctype="multipart/form-data"><input name="name">
      <input type="file" name="${field}" accept="${accept}"><button>Upload</button></form>
      ${readdirSync(root).map((name) => `<a href="/sites/${name}/">${name}</a>`)}`),
  );
  app.post('/import', express.raw({ type: 'multipart/*' }), async (request: Request, response) => {
    const headers = { 'content-type': request.get('content-type') ?? '' };
    const form = await new Response(request.body, { headers }).formData();
    const [file, name] = [form.get(field), String(form.get('name'))];
    if (!(file instanceof File) || !/^\w{1,20}$/.test(name))
      return void response.status(400).send('<p>Bad request</p>');
    const ownName = folder(name);
    const own = join(root, ownName);
    mkdirSync(own, { recursive: true });
    const packed = join(mkdtempSync(join(tmpdir(), 'packed-')), 'archive');
    writeFileSync(packed, Buffer.from(await file.arrayBuffer()));
    try {
      const [command, ...options] = program(packed);
      execFileSync(command, options, { cwd: own, stdio: 'ignore' });
    } catch {
      return void response.status(400).send('<p>Broken archive</p>');
    }
    if (variant === 'patched')
      for (const each of readdirSync(own)) if (lstatSync(join(own, each)).isSymbolicLink()) rmSync(join(own, each));
    if (needed !== undefined && !existsSync(join(own, needed)))
      return void response.status(400).send(`<p>${needed} is missing in the archive</p>`);
    answer(response, ownName);
  });
  shows(app, root);
  return startApp(app, { options: { depth: 'deep', writes: 'create' } });
}

const asFiles: Unpacking['shows'] = (app, root) => app.use('/sites', express.static(root));

const asListedFiles: Unpacking['shows'] = (app, root) => {
  asFiles(app, root);
  app.get('/skins', (_request, response) => {
    const files = readdirSync(root).flatMap((folder) => readdirSync(join(root, folder)).map((name) => [folder, name]));
    response.send(
      `<ul>${files.map(([folder, name]) => `<li><a href="/sites/${folder}/${name}">${name}</a></li>`).join('')}</ul>`,
    );
  });
};

export const unpackingSites: Record<string, { programs: string[]; start: (variant: Variant) => Promise<ScoreSite> }> = {
  'host of sites that a visitor imports as a compressed tar, each with a folder of its own': {
    programs: ['tar'],
    start: (variant) =>
      startUnpacking(
        {
          ...{ field: 'archive', accept: '.tar.gz,.tgz', folder: (name) => name, shows: asFiles },
          program: (file) => ['tar', 'xzf', file],
          answer: (response) => response.redirect('/'),
        },
        variant,
      ),
  },
  'gallery that unpacks all archives to one folder, and links to that': {
    programs: ['unzip'],
    start: (variant) =>
      startUnpacking(
        {
          ...{ field: 'pictures', accept: '.zip', folder: () => 'pictures', shows: asFiles },
          program: (file) => ['unzip', '-qo', file],
          answer: (response, folder) => response.send(`<p>Unpacked. <a href="/sites/${folder}/">Your pictures</a></p>`),
        },
        variant,
      ),
  },
  'player whose skins lie in folders that the site names by chance, and a list leads to': {
    programs: ['tar'],
    start: (variant) =>
      startUnpacking(
        {
          ...{ field: 'skin', accept: '.tar', folder: () => randomBytes(6).toString('hex'), shows: asListedFiles },
          program: (file) => ['tar', 'xf', file],
          answer: (response) => response.redirect('/skins'),
        },
        variant,
      ),
  },
  'builder of shops whose themes have to have a description, which it shows': {
    programs: ['tar'],
    start: (variant) =>
      startUnpacking(
        {
          ...{ field: 'theme', accept: '.tar', needed: 'theme.json', folder: (name) => name },
          program: (file) => ['tar', 'xf', file],
          answer: (response, folder) => response.redirect(`/theme/${folder}`),
          shows: (app, root) =>
            app.get('/theme/:name', (request, response) => {
              const file = join(root, request.params.name.replace(/\W/g, ''), 'theme.json');
              if (!existsSync(file)) return void response.status(404).send('<p>No theme</p>');
              response.send(`<h1>Theme</h1><pre>${escaped(readFileSync(file, 'utf8'))}</pre>`);
            }),
        },
        variant,
      ),
  },
};
