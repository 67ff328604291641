import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve, sep } from 'node:path';
import express from 'express';
import { storedFiles } from '../../../../fixtures/stored-zip.ts';
import type { ScoreCase } from '../../../case.ts';
import { startApp } from '../../../sites/express.ts';
import { startThemes } from '../../../sites/theme-sites.ts';

type Unpacking = {
  field: string;
  /** Folder below that of all static files, for the name of an archive. */
  folder: (archive: string) => string;
  says: (folder: string, names: readonly string[]) => string;
  /** How the developer mended it. */
  mended: (folder: string, name: string) => string | undefined;
};

/** A form whose archive is unpacked among the static files of the site. */
const unpacking =
  ({ field, folder, says, mended }: Unpacking): ScoreCase['start'] =>
  (variant) => {
    const root = mkdtempSync(join(tmpdir(), 'unpacked-'));
    const app = express();
    app.get('/', (_request, response) =>
      response.send(`<form method="post" action="/${field}" enctype="multipart/form-data">
        <input type="file" name="${field}" accept=".zip,application/zip"><button>Upload</button></form>
        ${readdirSync(root).length} folders`),
    );
    app.post(`/${field}`, express.raw({ type: 'multipart/*' }), async (request, response) => {
      const headers = { 'content-type': request.get('content-type') ?? '' };
      const file = (await new Response(request.body, { headers }).formData()).get(field);
      if (!(file instanceof File)) return void response.status(400).send('<p>No archive</p>');
      const own = folder(file.name);
      const names = [];
      for (const [name, content] of storedFiles(Buffer.from(await file.arrayBuffer()))) {
        const place = variant === 'vulnerable' ? join(root, own, name) : mended(join(root, own), name);
        if (place === undefined) continue;
        mkdirSync(dirname(place), { recursive: true });
        writeFileSync(place, content);
        names.push(name);
      }
      response.send(says(own, names));
    });
    app.use('/static', express.static(root));
    return startApp(app, { options: { depth: 'deep', writes: 'create' } });
  };

const inside = (folder: string, name: string): string | undefined => {
  const place = resolve(folder, name);
  return place.startsWith(folder + sep) ? place : undefined;
};
const links = (folder: string, names: readonly string[]): string =>
  names.map((name) => `<a href="/static/${folder}/${name}">${name}</a>`).join(' ');

export const cases: ScoreCase[] = [
  {
    name: 'shop whose themes have to have a description, which it shows',
    start: (variant) => startThemes(variant, 'shown'),
  },
  { name: 'shop that says no more than that a theme is there', start: (variant) => startThemes(variant, 'hidden') },
  {
    name: 'album that links to the pictures of an archive',
    start: unpacking({ field: 'album', folder: () => 'photos', says: links, mended: inside }),
  },
  {
    name: 'course that gives each archive a folder of its own',
    start: unpacking({
      field: 'archive',
      folder: () => join('courses', randomUUID()),
      says: links,
      mended: (folder, name) => (name.includes('..') ? undefined : join(folder, name)),
    }),
  },
  {
    name: 'builder of sites that calls the folder of a theme like its archive, and links to that folder',
    start: unpacking({
      field: 'theme',
      folder: (archive) => join('themes', archive.replace(/\.zip$/, '')),
      says: (folder, { length }) => `<a href="/static/${folder}/">Theme</a> imported, ${length} files`,
      mended: inside,
    }),
  },
  {
    name: 'shop that says no more than that it has unpacked pictures',
    start: unpacking({
      field: 'pictures',
      folder: () => 'uploads',
      says: () => '<p>Thank you.</p>',
      mended: (folder, name) => join(folder, name.replace(/^.*[/\\]/, '')),
    }),
  },
];
