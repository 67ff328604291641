import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import express, { type Response as Reply } from 'express';
import type { AuditOptions } from '../../workflows/checks/harness.ts';
import type { ScoreSite, Variant } from '../case.ts';
import { startApp } from './express.ts';
import { startPhp } from './php.ts';

const create: AuditOptions = { depth: 'deep', writes: 'create' };

type Kept = { name: string; type: string; content: Buffer };
type Gallery = {
  /** Name under which a file is kept; undefined refuses it. */
  nameFor(file: Kept): string | undefined;
  serve(file: Kept, response: Reply): unknown;
  /** Whether the answer links to the file, or only the list of all does. */
  linksIn?: 'answer' | 'list' | 'nothing';
};

/** A gallery that keeps files by their names; multipart bodies are read by the parser of Node (undici). */
function startGallery({ nameFor, serve, linksIn = 'answer' }: Gallery): Promise<ScoreSite> {
  const kept = new Map<string, Kept>();
  const app = express();
  const linked = (name: string) =>
    `<a href="/uploads/${encodeURIComponent(name)}">${linksIn === 'list' ? name : 'Look'}</a>`;
  app.get('/', (_request, response) =>
    response.send(`<h1>Gallery</h1><form method="post" action="/gallery" enctype="multipart/form-data">
      <input name="title"><input type="file" name="picture"><button>Upload</button></form>
      ${linksIn === 'list' ? [...kept.keys()].map(linked).join(' ') : ''}`),
  );
  app.post('/gallery', express.raw({ type: 'multipart/*', limit: '1mb' }), async (request, response) => {
    const form = await new Response(request.body, {
      headers: { 'content-type': request.get('content-type') ?? '' },
    }).formData();
    const picture = form.get('picture');
    if (!(picture instanceof File)) return void response.status(400).send('<h1>No picture</h1>');
    const file = { name: picture.name, type: picture.type, content: Buffer.from(await picture.arrayBuffer()) };
    const name = nameFor(file);
    if (name === undefined) return void response.status(415).send('<h1>Pictures only</h1>');
    kept.set(name, { ...file, name });
    response.send(`<h1>Thanks</h1>${linksIn === 'answer' ? linked(name) : ''}`);
  });
  app.get('/uploads/:name', (request, response) => {
    const file = kept.get(request.params.name);
    if (!file) return void response.status(404).send('<h1>Nothing here</h1>');
    serve(file, response);
  });
  return startApp(app, { options: create });
}

const byEnding = ({ name, content }: Kept, response: Reply) => response.type(name.replace(/^.*\./s, '.')).send(content);
const isPicture = ({ content, name }: Kept) => /^GIF8/.test(content.toString('latin1')) && /\.(?:gif|png)$/.test(name);

export const galleries: Record<string, (variant: Variant) => Promise<ScoreSite>> = {
  'gallery that keeps names and shows files by their ending': (variant) =>
    startGallery({
      nameFor: (file) => (variant === 'patched' && !isPicture(file) ? undefined : file.name),
      serve: byEnding,
    }),
  'gallery that gives names of its own and keeps endings': (variant) =>
    startGallery({
      nameFor: ({ name }) => `${randomUUID()}${name.replace(/^.*\./s, '.')}`,
      serve: (file, response) => {
        if (variant === 'patched') response.set('content-disposition', 'attachment');
        byEnding(file, response);
      },
    }),
  'gallery that puts a random part before names': (variant) =>
    startGallery({
      nameFor: (file) =>
        variant === 'patched' && !isPicture(file) ? undefined : `${randomUUID().slice(0, 8)}_${file.name}`,
      serve: byEnding,
    }),
  'gallery whose list links to files that pass as vector graphics': (variant) =>
    startGallery({
      linksIn: 'list',
      nameFor: ({ name }) => (/\.(?:svg|gif)$/.test(name) ? name : undefined),
      serve: (file, response) => {
        if (variant === 'patched') response.set('content-security-policy', "default-src 'none'; sandbox");
        byEnding(file, response);
      },
    }),
  'gallery that puts the number of each file before its name and shows it in its list': (variant) => {
    let sent = 0;
    return startGallery({
      linksIn: 'list',
      nameFor: (file) => {
        sent += 1;
        return variant === 'patched' && !isPicture(file) ? undefined : `${sent}-${file.name}`;
      },
      serve: byEnding,
    });
  },
  'gallery whose list alone has the names that it gives': (variant) =>
    startGallery({
      linksIn: 'list',
      nameFor: (file) =>
        variant === 'patched' && !isPicture(file)
          ? undefined
          : `${randomUUID().slice(0, 8)}${file.name.replace(/^.*\./s, '.')}`,
      serve: byEnding,
    }),
  'gallery of drawings that looks for elements of script': (variant) =>
    startGallery({
      nameFor: ({ name, content }) =>
        name.endsWith('.svg') && !/<script/i.test(content.toString()) ? name : undefined,
      serve: (file, response) => {
        if (variant === 'patched') response.set('content-security-policy', "default-src 'none'; sandbox");
        byEnding(file, response);
      },
    }),
};

/** Files are called by identifiers without an ending, and shown with the type that they were sent with. */
export const startNumberedGallery = (variant: Variant): Promise<ScoreSite> =>
  startGallery({
    nameFor: ({ name }) => (/\.(?:svg|gif)$/.test(name) ? randomUUID() : undefined),
    serve: ({ type, content }, response) => {
      if (variant === 'patched') response.set('content-security-policy', "default-src 'none'; sandbox");
      response.type(type).send(content);
    },
  });

export const harmlessGalleries: Record<string, () => Promise<ScoreSite>> = {
  'that shows files as text': () =>
    startGallery({
      nameFor: ({ name }) => name,
      serve: ({ content }, response) =>
        response.set('x-content-type-options', 'nosniff').type('text/plain').send(content),
    }),
  'that shows no file again': () => startGallery({ linksIn: 'nothing', nameFor: () => randomUUID(), serve: byEnding }),
  'that shows a page about each file, with its source': () =>
    startGallery({
      nameFor: ({ name }) => name,
      serve: ({ content }, response) => response.send(`<pre>${content.toString().replaceAll('<', '&lt;')}</pre>`),
    }),
};

const page = `<h1>Photos</h1><form method="post" action="/photo.php" enctype="multipart/form-data">
<input type="hidden" name="MAX_FILE_SIZE" value="100000"><input type="file" name="uploaded"><button name="Upload" value="Upload">Upload</button></form>`;
const taking = (
  guard: string,
) => `<?php if (isset($_FILES["uploaded"])) { $f = $_FILES["uploaded"]; $name = basename($f["name"]); ${guard}
  move_uploaded_file($f["tmp_name"], __DIR__ . "/pictures/" . $name); echo "<pre>../pictures/{$name} was kept</pre>"; } ?>${page}`;

/** Refuses names without an ending of a picture, wherever it stands: "photo.gif.php" has one. */
export const anywhereInName = 'if (!preg_match("/\\\\.(gif|png)/", $name)) { die("<h1>Pictures only</h1>"); }';

/** Refuses what the browser does not call a photo or a drawing. */
export const byType = 'if (!in_array($f["type"], ["image/jpeg", "image/png"])) { die("<h1>JPEG and PNG only</h1>"); }';

/** Refuses what is no picture, and the long way to begin code. */
export const byContent =
  'if (!getimagesize($f["tmp_name"]) || stripos(file_get_contents($f["tmp_name"]), "<?php") !== false) { die("<h1>No picture</h1>"); }';

/** Takes the ending of scripts out of names. */
export const withoutEnding = '$name = str_replace("php", "", $name);';

/** Runs what ends in ".php". @param refused code that ends it for some names */
export function startPhpPhotos(variant: Variant, refused = ''): Promise<ScoreSite> {
  const folder = mkdtempSync(join(tmpdir(), 'php-photos-'));
  mkdirSync(join(folder, 'pictures'));
  writeFileSync(join(folder, 'index.php'), '<a href="/photo.php">Photos</a>');
  const onlyPictures = 'if (!preg_match("/\\\\.(gif|png)$/", $name)) { die("<h1>Pictures only</h1>"); }';
  writeFileSync(join(folder, 'photo.php'), taking(variant === 'patched' ? onlyPictures : refused));
  return startPhp(folder);
}
