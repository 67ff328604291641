import express from 'express';
import type { ScoreSite, Variant } from '../case.ts';
import { startApp } from './express.ts';

const escaped = (text: unknown): string =>
  String(text ?? '').replace(/[&<>"']/g, (sign) => `&#${sign.codePointAt(0)};`);

type Entry = Record<string, string>;

function startStore(
  fields: string,
  show: (entry: Entry) => string,
  isTaken: (entry: Entry, entries: readonly Entry[]) => boolean = () => true,
): Promise<ScoreSite> {
  const entries: Entry[] = [];
  const app = express();
  app.use(express.urlencoded({ extended: false }));
  app.get('/', (_request, response) =>
    response.send(
      `<a href="/entries">Entries</a><form method="post" action="/entries">${fields}<button>Send</button></form>`,
    ),
  );
  app.get('/entries', (_request, response) =>
    response.send(`<!doctype html><title>Entries</title><table>${entries.map(show).join('')}</table>`),
  );
  app.post('/entries', (request, response) => {
    if (!isTaken(request.body, entries)) return void response.send('<p>This could not be saved.</p>');
    entries.push(request.body);
    response.send('<p>Thank you.</p>');
  });
  return startApp(app, { options: { depth: 'deep', writes: 'create' } });
}

/** Three fields, of which the page that lists the entries encodes the first two. */
export const startHelpDesk = (variant: Variant): Promise<ScoreSite> =>
  startStore(
    '<input name="email" type="email"><input name="subject"><textarea name="message"></textarea>',
    ({ email, subject, message = '' }) =>
      `<tr><td>${escaped(email)}<td>${escaped(subject)}<td>${variant === 'patched' ? escaped(message) : message}</tr>`,
  );

/** Everything is encoded, and an address still runs as script. */
export const startAddressBook = (variant: Variant): Promise<ScoreSite> =>
  startStore('<input name="who"><input name="site">', ({ who, site = '' }) => {
    const href = variant === 'patched' && !/^https?:/.test(site) ? '#' : site;
    return `<tr><td>${escaped(who)}<td><a href="${escaped(href)}">Site</a><input value="${escaped(site)}"></tr>`;
  });

/** Of addresses an author took out what they knew of script; quotes still end the attribute. */
export const startFilteredLinks = (variant: Variant): Promise<ScoreSite> =>
  startStore('<input name="who"><input name="site">', ({ who, site = '' }) => {
    const filtered = site.replace(/<\/?script>|on(?:error|load)|javascript:/gi, '');
    const address = /^https?:/.test(site) ? escaped(site) : '#';
    return `<tr><td>${escaped(who)}<td><a href="${variant === 'patched' ? address : filtered}">Site</a></tr>`;
  });

/** A filter by hand takes tags and handlers out that its author knew. */
export const startFilteredWall = (variant: Variant): Promise<ScoreSite> =>
  startStore('<input name="who"><textarea name="words"></textarea>', ({ who, words = '' }) => {
    const filtered = words
      .replace(/<\/?(?:script|svg|img|iframe|object|embed|audio|video|body|style|form)\b[^>]*>/gi, '')
      .replace(/\bon(?:load|error|click|focus|mouseover)\s*=/gi, '');
    return `<tr><td>${escaped(who)}<td>${variant === 'patched' ? escaped(words) : filtered}</tr>`;
  });

/** Brackets and double quotes are encoded, and the name stands in an attribute with single ones. */
export const startQuotations = (variant: Variant): Promise<ScoreSite> =>
  startStore('<input name="who"><input name="words">', ({ who = '', words }) => {
    const name = who.replace(/[&<>"]/g, (sign) => `&#${sign.codePointAt(0)};`);
    return `<tr><td><blockquote title='by ${variant === 'patched' ? escaped(who) : name}'>${escaped(words)}</blockquote></tr>`;
  });

/** What takes out all tags but those of plain text leaves their attributes. */
export const startTextTags = (variant: Variant): Promise<ScoreSite> =>
  startStore('<input name="who"><textarea name="words"></textarea>', ({ who, words = '' }) => {
    const stripped = words.replace(/javascript/gi, '').replace(/<(?!\/?[bia]\b)[^\s>][^>]*>?/gi, '');
    const bare = stripped.replace(/<(\/?[bia])\b[^>]*>/gi, '<$1>');
    return `<tr><td>${escaped(who)}<td>${variant === 'patched' ? bare : stripped}</tr>`;
  });

/** Markdown by hand makes links of what is encoded, and looks at their scheme or does not. */
export const startFormattedNotes = (variant: Variant): Promise<ScoreSite> =>
  startStore('<input name="who"><textarea name="words"></textarea>', ({ who, words = '' }) => {
    const scheme = variant === 'patched' ? 'https?:' : '';
    const link = new RegExp(`\\[([^\\]]+)\\]\\((${scheme}[^)\\s]+)\\)`, 'g');
    return `<tr><td>${escaped(who)}<td>${escaped(words).replace(link, '<a href="$2">$1</a>')}</tr>`;
  });

/** A renderer leaves HTML, and encodes brackets that begin no tag. */
export const startRenderedNotes = (variant: Variant): Promise<ScoreSite> =>
  startStore('<input name="who"><textarea name="words"></textarea>', ({ who, words = '' }) => {
    const rendered = words.replace(/<(?![a-z/!])/gi, '&lt;').replace(/(?<![\w"'/-])>/g, '&gt;');
    return `<tr><td>${escaped(who)}<td>${variant === 'patched' ? escaped(words) : rendered}</tr>`;
  });

/** Columns of a database hold so many characters, and no two entries have the same code. */
export const startCatalogue = (variant: Variant): Promise<ScoreSite> =>
  startStore(
    '<input name="code"><input name="title">',
    ({ code, title = '' }) => `<tr><td>${escaped(code)}<td>${variant === 'patched' ? escaped(title) : title}</tr>`,
    (entry, entries) =>
      Object.values(entry).every((text) => text.length <= 255) && entries.every(({ code }) => code !== entry['code']),
  );
