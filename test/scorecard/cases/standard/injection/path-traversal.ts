import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { basename, join, resolve, sep } from 'node:path';
import express from 'express';
import type { ScoreCase } from '../../../case.ts';
import { startApp } from '../../../sites/express.ts';
import { startFileTalk } from '../../../sites/message-talks.ts';
import { startPhp } from '../../../sites/php.ts';

/** A real folder with the files of a site. */
async function makeFolder(files: Record<string, string>): Promise<{ folder: string; close(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'scan-audit-files-'));
  for (const [path, text] of Object.entries(files)) {
    await mkdir(join(folder, path, '..'), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  return { folder, close: () => rm(folder, { recursive: true, force: true }) };
}

const isBelow = (folder: string, path: string) => path.startsWith(folder + sep);

/** A document is named by a parameter, and joined to the folder. */
const downloads: ScoreCase = {
  name: 'Express portal with a download by name',
  start: async (variant) => {
    const { folder, close } = await makeFolder({ 'guide.txt': 'How to oil oak.', 'terms.txt': 'The terms.' });
    const app = express();
    app.get('/', (_request, response) => response.send('<a href="/download?file=guide.txt&amp;inline=1">Guide</a>'));
    app.get('/download', async (request, response) => {
      const name = String(request.query.file);
      const path = resolve(folder, name);
      if (variant === 'patched' && !isBelow(folder, path)) return void response.sendStatus(400);
      response.type('text').send(await readFile(join(folder, name), 'utf8').catch(() => 'Not available'));
    });
    return startApp(app, { close });
  },
};

/** As Mutillidae includes pages: the name is a file, and the author took "../" out, once. */
const includedPage: ScoreCase = {
  name: 'PHP-like front controller that includes a page, with a filter that looks once',
  start: async (variant) => {
    const { folder, close } = await makeFolder({
      'pages/home.php': '<h2>Home</h2>',
      'pages/about.php': '<h2>About us</h2>',
    });
    const app = express();
    app.get(['/', '/index.php'], async (request, response) => {
      const given = String(request.query.page ?? 'home.php');
      const name = variant === 'vulnerable' ? given.replaceAll('../', '') : basename(given);
      const content = await readFile(`${folder}/pages/${name}`, 'utf8').catch(
        () => `<b>Warning</b>: include(pages/): failed to open stream: No such file or directory`,
      );
      response.send(
        `<html><body><a href="index.php?page=about.php">About</a><div id="main">${content}</div></body></html>`,
      );
    });
    return startApp(app, { close });
  },
};

/** A server of one's own that decodes the path and reads what it names; the repair is the framework's. */
const staticFiles: ScoreCase = {
  name: 'hand-written server of static files',
  start: async (variant) => {
    const { folder, close } = await makeFolder({
      'index.html': '<link rel="stylesheet" href="/assets/site.css"><script src="/assets/site.js"></script>',
      'assets/site.css': 'a{}',
      'assets/site.js': 'void 0',
    });
    if (variant === 'patched') return startApp(express().use(express.static(folder)), { close });
    const serve = async (request: IncomingMessage, response: ServerResponse) => {
      const path = decodeURIComponent((request.url ?? '/').split('?')[0] ?? '/');
      const text = await readFile(folder + (path === '/' ? '/index.html' : path)).catch(() => undefined);
      response
        .writeHead(text ? 200 : 404, { 'content-type': path.endsWith('.js') ? 'text/javascript' : 'text/html' })
        .end(text ?? 'Not found');
    };
    return startApp(serve, { close });
  },
};

/** The value has to begin as the site's own do, and comes back in JSON. */
const translations: ScoreCase = {
  name: 'API that reads a text of a folder and answers JSON',
  start: async (variant) => {
    const { folder, close } = await makeFolder({
      'i18n/en.json': '{"hello":"Hello"}',
      'i18n/de.json': '{"hello":"Hallo"}',
    });
    const app = express();
    app.get('/', (_request, response) =>
      response.send('<div id="app"></div><script>fetch("/api/text?source=i18n/en.json")</script>'),
    );
    app.get('/api/text', async (request, response) => {
      const source = String(request.query.source);
      const isAllowed = variant === 'vulnerable' ? source.startsWith('i18n/') : /^i18n\/[a-z]{2}\.json$/.test(source);
      if (!isAllowed) return void response.status(400).json({ error: 'unknown source' });
      const text = await readFile(join(folder, source), 'utf8').catch(() => undefined);
      response
        .status(text === undefined ? 404 : 200)
        .json(text === undefined ? { error: 'not found' } : { source, text });
    });
    return startApp(app, { close });
  },
};

/** A taste that the site has given to everybody as a cookie names a file. */
const styleCookie: ScoreCase = {
  name: 'site whose cookie names its style sheet',
  start: async (variant) => {
    const { folder, close } = await makeFolder({
      'day.css': 'body { color: black }',
      'night.css': 'body { color: white }',
    });
    const app = express();
    app.get('/', async ({ headers }, response) => {
      const [, given = 'day.css'] = /(?:^|; )style=([^;]+)/.exec(headers.cookie ?? '') ?? [];
      const name = variant === 'vulnerable' ? given : basename(given);
      const css = await readFile(join(folder, name), 'utf8').catch(() => '');
      response.cookie('style', 'day.css').send(`<style>${css}</style><h1>Welcome</h1>`);
    });
    return startApp(app, { close });
  },
};

/** A list of what is in a folder, without a way to what is in the files. */
const shelves: ScoreCase = {
  name: 'archive that lists what is in a folder',
  start: async (variant) => {
    const { folder, close } = await makeFolder({ 'letters/1911.txt': 'Dear Ada', 'maps/harbour.txt': 'Harbour' });
    const app = express();
    app.get('/', async (request, response) => {
      const dir = String(request.query.dir ?? 'letters');
      const place = join(folder, dir);
      const isAllowed = variant === 'vulnerable' || place.startsWith(folder + sep);
      const names = isAllowed ? await readdir(place).catch(() => []) : [];
      response.send(
        `<a href="/?dir=letters">Letters</a> <a href="/?dir=maps">Maps</a><ul>${names.map((name) => `<li>${name}</li>`).join('')}</ul>`,
      );
    });
    return startApp(app, { close });
  },
};

/** Steps up are looked for with a slash, before backslashes are made slashes. */
const sheets: ScoreCase = {
  name: 'shop moved from Windows that makes slashes of backslashes',
  start: async (variant) => {
    const { folder, close } = await makeFolder({ 'lamp.txt': 'A lamp of brass', 'desk.txt': 'A desk of oak' });
    const app = express();
    app.get('/', (_request, response) =>
      response.send('<a href="/sheet?file=lamp.txt">Lamp</a> <a href="/sheet?file=desk.txt">Desk</a>'),
    );
    app.get('/sheet', async (request, response) => {
      const file = String(request.query.file);
      const path = file.replaceAll('\\', '/');
      const isRefused = (variant === 'vulnerable' ? file : path).includes('../') || file.startsWith('/');
      const text = isRefused ? undefined : await readFile(join(folder, path), 'utf8').catch(() => undefined);
      response.status(text === undefined ? 404 : 200).send(`<pre>${text ?? 'No such sheet'}</pre>`);
    });
    return startApp(app, { close });
  },
};

/** The part is named by links, and by a form that stands in one of them; steps up and roots are looked for, and an ending is added. */
const gardenParts: ScoreCase = {
  name: 'PHP garden club whose parts are included by name, one with a form that sends its name along',
  start: async (variant) => {
    const isKnown =
      variant === 'vulnerable' ? '!preg_match("~[.]{2}|^/~", $part)' : 'in_array($part, ["beds", "wishes"], true)';
    const { folder } = await makeFolder({
      'index.php': `<?php $part = $_GET["section"] ?? "beds"; ?>
        <nav><a href="/?section=beds">Beds</a> <a href="/?section=wishes">Wishes</a></nav>
        <?php if (!(${isKnown}) || !@include "$part.php") echo "<p>There is no such part.</p>";`,
      'beds.php':
        '<?php $beds = ["Roses" => 12, "Leeks" => 3]; foreach ($beds as $bed => $rows) echo "<li>$bed: $rows";',
      'wishes.php': `<form><input type="hidden" name="section" value="wishes"><input name="wish"><button>Weigh</button></form>
        <?php if (isset($_GET["wish"])) echo "<p>It weighs ", strlen($_GET["wish"]), " letters.</p>";`,
    });
    return startPhp(folder);
  },
};

const talk: ScoreCase = { name: 'files that are read by messages over a WebSocket', start: startFileTalk };

export const cases: ScoreCase[] = [
  ...[downloads, includedPage, staticFiles, translations, styleCookie, shelves, sheets],
  gardenParts,
  talk,
];
