import { randomUUID } from 'node:crypto';
import ejs from 'ejs';
import express, { type Request } from 'express';
import handlebars from 'handlebars';
import nunjucks from 'nunjucks';
import type { AuditOptions, TestIdentity } from '../../workflows/checks/harness.ts';
import type { ScoreSite, Variant } from '../case.ts';
import { startApp } from './express.ts';

const create: AuditOptions = { depth: 'deep', writes: 'create' };
const identities: TestIdentity[] = [
  { name: 'lena', cookies: { sid: 'session-of-lena-81' }, checkPath: '/', marker: 'Signed in as Lena' },
];
const isLena = ({ headers }: Request): boolean => /(?:^|; )sid=session-of-lena-81/.test(headers.cookie ?? '');
const pages = new nunjucks.Environment(null, { autoescape: true });
const form = '<form method="post"><input name="display" value="{{ display }}"><button>Save</button></form>';

/** A mail desk: the preview is a template with the name from the profile in it. */
export function startMailDesk(variant: Variant): Promise<ScoreSite> {
  let display = 'Lena';
  const app = express();
  app.use(express.urlencoded({ extended: false }));
  app.use((request, response, next) => (isLena(request) ? next() : void response.status(403).send('<h1>Closed</h1>')));
  app.get('/', (_request, response) =>
    response.send('<p>Signed in as Lena</p><a href="/profile">Profile</a><a href="/mail">Mail</a>'),
  );
  app.get('/profile', (_request, response) => response.send(pages.renderString(form, { display })));
  app.post('/profile', (request, response) => {
    display = String(request.body.display ?? '').slice(0, 120);
    response.redirect(303, '/profile');
  });
  app.get('/mail', (_request, response) => {
    const name = variant === 'vulnerable' ? display : '<%= display %>';
    response.send(ejs.render(`<h1>Preview</h1><p>Yours, ${name}</p>`, { display }));
  });
  return startApp(app, { options: { ...create, writes: 'reversible', identities } });
}

/** A guest book whose page is one template with all entries in it. */
export function startEntryTemplates(variant: Variant): Promise<ScoreSite> {
  const entries = ['First!'];
  const escaped = (text: string) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
  const app = express();
  app.use(express.urlencoded({ extended: false }));
  app.get('/', (_request, response) =>
    response.send(
      '<a href="/book">Book</a><form method="post" action="/book"><textarea name="words"></textarea></form>',
    ),
  );
  app.post('/book', (request, response) => {
    entries.push(String(request.body.words ?? ''));
    response.redirect(303, '/book');
  });
  app.get('/book', (_request, response) => {
    const list = variant === 'vulnerable' ? entries.map(escaped).join('<br>') : '{{ entries | join(", ") }}';
    response.send(pages.renderString(`<h1>Guest book</h1><p>${list}</p>`, { entries }));
  });
  return startApp(app, { options: create });
}

/** A guest book that refuses the braces of expressions, and none of statements. */
export function startBracedEntries(variant: Variant): Promise<ScoreSite> {
  const entries = ['First!'];
  const app = express();
  app.use(express.urlencoded({ extended: false }));
  app.get('/', (_request, response) =>
    response.send(
      '<a href="/wall">Wall</a><form method="post" action="/wall"><textarea name="words"></textarea></form>',
    ),
  );
  app.post('/wall', (request, response) => {
    const words = String(request.body.words ?? '');
    if (/\{\{|\}\}|</.test(words)) return void response.status(400).send('<p>No braces, please</p>');
    entries.push(words);
    response.redirect(303, '/wall');
  });
  app.get('/wall', (_request, response) => {
    const list = variant === 'vulnerable' ? entries.join('<br>') : '{{ entries | join(", ") }}';
    response.send(pages.renderString(`<h1>Wall</h1><p>${list}</p>`, { entries }));
  });
  return startApp(app, { options: create });
}

/** A letter whose greeting is kept in the cookies of whoever chose it. */
export function startGreeting(variant: Variant): Promise<ScoreSite> {
  const app = express();
  app.use(express.urlencoded({ extended: false }));
  const links = '<a href="/greeting">Greeting</a> <a href="/letter">Letter</a>';
  app.get('/', (_request, response) => response.send(links));
  app.get('/greeting', (_request, response) =>
    response.send(`${links}<form method="post"><input name="greeting"><button>Save</button></form>`),
  );
  app.post('/greeting', (request, response) => {
    response.cookie('greeting', Buffer.from(String(request.body.greeting ?? '')).toString('base64'));
    response.redirect(303, '/letter');
  });
  app.get('/letter', (request, response) => {
    const [, kept = ''] = /(?:^|; )greeting=([^;]*)/.exec(request.headers.cookie ?? '') ?? [];
    const greeting = Buffer.from(decodeURIComponent(kept), 'base64').toString();
    const text = variant === 'vulnerable' ? greeting : '{{ greeting }}';
    response.send(pages.renderString(`<h1>Letter</h1><p>${text} reader</p>`, { greeting }));
  });
  return startApp(app, { options: create });
}

/** A name plate that is ordered in steps, of which each needs the one before; its proof is a template with the first step's text. */
export function startPlates(variant: Variant): Promise<ScoreSite> {
  const kept = new Map<string, { line: string; size?: string }>();
  const app = express();
  app.use(express.urlencoded({ extended: false }));
  const plateOf = ({ headers }: Request) => kept.get(/(?:^|; )plate=([\w-]+)/.exec(headers.cookie ?? '')?.[1] ?? '');
  app.get('/', (_request, response) => response.send('<h1>Plates</h1><a href="/plate/text">Begin</a>'));
  app.get('/plate/text', (_request, response) =>
    response.send('<form method="post"><input name="line"><button>Next</button></form>'),
  );
  app.post('/plate/text', (request, response) => {
    const id = randomUUID();
    kept.set(id, { line: String(request.body.line ?? '') });
    response.cookie('plate', id);
    response.redirect('/plate/size');
  });
  app.get('/plate/size', (request, response) =>
    plateOf(request)
      ? response.send('<form method="post"><input name="size" placeholder="4 x 10 cm"><button>Next</button></form>')
      : response.redirect('/plate/text'),
  );
  app.post('/plate/size', (request, response) => {
    const plate = plateOf(request);
    if (plate) plate.size = String(request.body.size ?? '');
    response.redirect(plate ? '/plate/proof' : '/plate/text');
  });
  app.get('/plate/proof', (request, response) => {
    const plate = plateOf(request);
    if (plate?.size === undefined) return response.redirect('/plate/text');
    const line = variant === 'vulnerable' ? plate.line : '{{ line }}';
    return response.send(pages.renderString(`<h1>Proof</h1><p>${line}</p><p>{{ size }}</p>`, { ...plate }));
  });
  return startApp(app, { options: create });
}

/** Notices that each have a page of their own, which is evaluated in the language that its texts are written in. */
export function startNotices(variant: Variant): Promise<ScoreSite> {
  const notices = ['The lift is out of order'];
  const engine = new nunjucks.Environment(null, { autoescape: true, tags: { variableStart: '${', variableEnd: '}' } });
  const app = express();
  app.use(express.urlencoded({ extended: false }));
  app.get('/', (_request, response) =>
    response.send(
      '<h1>House</h1><a href="/notices/0">Lift</a><form method="post" action="/notices"><input name="subject"><textarea name="words"></textarea><button>Post it</button></form>',
    ),
  );
  app.post('/notices', (request, response) => {
    const count = notices.push(`${request.body.subject}: ${request.body.words}`);
    response.redirect(303, `/notices/${count - 1}`);
  });
  app.get('/notices/:id', (request, response) => {
    const words = notices[Number(request.params.id)];
    if (words === undefined) return void response.status(404).send('<h1>No such notice</h1>');
    const shown = variant === 'vulnerable' ? words.replaceAll('<', '&lt;') : `\${ words }`;
    response.send(engine.renderString(`<h1>Notice</h1><p>${shown}</p>`, { words }));
  });
  return startApp(app, { options: create });
}

/** Adds up what stands in a text, in the browser and for everybody to see: no server evaluates anything. */
export function startSumsInBrowser(): Promise<ScoreSite> {
  let words = 'First!';
  const app = express();
  app.use(express.urlencoded({ extended: false }));
  app.get('/', (_request, response) =>
    response.send(
      pages.renderString(
        `<form method="post"><textarea name="words"></textarea><button>Keep</button></form><p id="shown">{{ words }}</p><script>
          shown.textContent = shown.textContent.replace(/{{(\\d+)\\*(\\d+)}}/g, (_, a, b) => a * b);</script>`.replace(
          /\{\{\(.*?\}\}/,
          '{% raw %}$&{% endraw %}',
        ),
        { words },
      ),
    ),
  );
  app.post('/', (request, response) => {
    words = String(request.body.words ?? '');
    response.redirect(303, '/');
  });
  return startApp(app, { options: create });
}

/** Templates for letters that a script replaces (PUT), of which only the preview is made of them; the language knows no arithmetic. */
export function startReplacedTemplates(variant: Variant, hasToken = false): Promise<ScoreSite> {
  const token = hasToken ? crypto.randomUUID() : '';
  const first = { name: 'Welcome', body: 'Hello {{first}}, welcome!' };
  const stored = { ...first };
  const app = express();
  app.use(express.json());
  app.get('/', (_request, response) => response.send('<h1>Letters</h1><a href="/letters/1">Welcome</a>'));
  app.get('/letters/1', (_request, response) =>
    response.send(`<meta name="csrf-token" content="${token}"><a href="/letters/1/preview">Preview</a><input id="name"><textarea id="body"></textarea><button id="save">Save</button>
      <script>
        const at = '/api/letters/1', field = (id) => document.getElementById(id);
        fetch(at).then((answer) => answer.json()).then((letter) => { for (const id of ['name', 'body']) field(id).value = letter[id]; });
        field('save').onclick = () => fetch(at, { method: 'PUT', headers: { 'content-type': 'application/json', 'x-csrf-token': document.querySelector('meta').content },
          body: JSON.stringify({ name: field('name').value, body: field('body').value }) });
      </script>`),
  );
  app.get('/api/letters/1', (_request, response) => response.json(stored));
  app.put('/api/letters/1', (request, response) => {
    if (token !== (request.get('x-csrf-token') ?? '')) return void response.sendStatus(403);
    stored.name = String(request.body.name);
    stored.body = String(request.body.body);
    response.json(stored);
  });
  app.get('/letters/1/preview', (_request, response) => {
    const escaped = stored.body.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
    const text =
      variant === 'vulnerable' ? handlebars.compile(escaped)({ first: 'Ada' }) : escaped.replaceAll('{{first}}', 'Ada');
    response.send(`<h1>Preview</h1><p>${text}</p>`);
  });
  return startApp(app, { options: create, close: () => assertSame(stored, first) });
}

/** What the audit has changed is as it was when it ends. */
function assertSame(now: object, before: object): void {
  if (JSON.stringify(now) !== JSON.stringify(before)) throw new Error(`not put back: ${JSON.stringify(now)}`);
}
