import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, sep } from 'node:path';
import express from 'express';
import { storedFiles } from '../../fixtures/stored-zip.ts';
import type { ScoreSite, Variant } from '../case.ts';
import { startApp } from './express.ts';

/** A shop whose themes are archives with a description in them; its own styles lie in a folder beside that of themes. */
export function startThemes(variant: Variant, description: 'shown' | 'hidden'): Promise<ScoreSite> {
  const root = mkdtempSync(join(tmpdir(), 'shop-'));
  for (const folder of ['public', 'themes']) mkdirSync(join(root, folder));
  writeFileSync(join(root, 'public', 'site.css'), 'body{}');
  const app = express();
  app.use('/assets', express.static(join(root, 'public')));
  const page = (content: string) =>
    `<link rel="stylesheet" href="/assets/site.css"><a href="/upload">Upload</a>${content}`;
  app.get('/', (_request, response) => response.send(page('<h1>Shop</h1>')));
  app.get('/upload', (_request, response) =>
    response.send(
      page(
        '<form method="post" enctype="multipart/form-data"><input name="name"><input type="file" name="theme" accept=".zip"><button>Install</button></form>',
      ),
    ),
  );
  app.post('/upload', express.raw({ type: 'multipart/*' }), async (request, response) => {
    const headers = { 'content-type': request.get('content-type') ?? '' };
    const form = await new Response(request.body, { headers }).formData();
    const [file, name] = [form.get('theme'), String(form.get('name'))];
    if (!(file instanceof File) || !/^\w{1,20}$/.test(name)) return void response.status(400).send(page('Bad name'));
    const files = storedFiles(Buffer.from(await file.arrayBuffer()));
    if (!files.has('theme.json')) return void response.status(400).send(page('theme.json is missing in the archive'));
    const own = join(root, 'themes', name);
    for (const [entry, content] of files) {
      const place = join(own, entry);
      if (variant === 'patched' && !place.startsWith(own + sep)) continue;
      mkdirSync(dirname(place), { recursive: true });
      writeFileSync(place, content);
    }
    if (description === 'hidden') return void response.send(page('<p>The theme is there.</p>'));
    response.redirect(`/theme/${name}`);
  });
  app.get('/theme/:name', (request, response) => {
    const file = join(root, 'themes', request.params.name.replace(/\W/g, ''), 'theme.json');
    if (description === 'hidden' || !existsSync(file)) return void response.status(404).send(page('No theme'));
    response.send(page(`<pre>${readFileSync(file, 'utf8').replaceAll('<', '&lt;')}</pre>`));
  });
  return startApp(app, { options: { depth: 'deep', writes: 'create' } });
}
