import express, { type Express } from 'express';
import { ParseOption, XmlDocument } from 'libxml2-wasm';
import { xmlRegisterFsInputProviders } from 'libxml2-wasm/lib/nodejs.mjs';
import type { ScoreCase, Variant } from '../../../case.ts';
import { startApp } from '../../../sites/express.ts';

/** libxml2 as an application asks for it: with what documents name, or without. */
function parse(text: string, variant: Variant): XmlDocument {
  xmlRegisterFsInputProviders();
  const entities = ParseOption.XML_PARSE_NOENT;
  const option = variant === 'vulnerable' ? entities | ParseOption.XML_PARSE_DTDLOAD : ParseOption.XML_PARSE_NO_XXE;
  return XmlDocument.fromString(text, { option });
}

const starting =
  (build: (app: Express, variant: Variant) => void) =>
  (variant: Variant): ReturnType<typeof startApp> => {
    const app = express();
    build(app, variant);
    return startApp(app);
  };

/** A document in an address, of which the text is shown. */
const viewer: ScoreCase = {
  name: 'viewer of small documents in an address',
  start: starting((app, variant) => {
    const sample = encodeURIComponent('<note><to>Ada</to><text>Tea at four</text></note>');
    app.get('/', (_request, response) => void response.send(`<a href="/note?doc=${sample}">A note</a>`));
    app.get('/note', ({ query }, response) => {
      try {
        using document = parse(String(query.doc), variant);
        response.type('text').send(document.get('/note/text')?.content ?? 'An empty note');
      } catch {
        response.status(400).send('No note');
      }
    });
  }),
};

/** An interface that answers JSON, with the parser's own words for what it refuses. */
const validator: ScoreCase = {
  name: 'validator of feeds that answers JSON',
  start: starting((app, variant) => {
    const sample = encodeURIComponent('<rss><channel><title>News</title></channel></rss>');
    app.get('/', (_request, response) => void response.send(`<a href="/validate?feed=${sample}">Check a feed</a>`));
    app.get('/validate', ({ query }, response) => {
      try {
        using document = parse(String(query.feed), variant);
        response.json({ valid: true, root: document.root.name, text: document.root.content });
      } catch (error) {
        response.json({ valid: false, error: String(error) });
      }
    });
  }),
};

/** A search that posts a document to itself, and shows what it searched for. */
const search: ScoreCase = {
  name: 'search whose form holds its filter as a document',
  start: starting((app, variant) => {
    app.use(express.urlencoded({ extended: false }));
    const filter = '&lt;filter&gt;&lt;color&gt;red&lt;/color&gt;&lt;/filter&gt;';
    app.get(
      '/',
      (_request, response) =>
        void response.send(
          `<form method="post" action="/search" role="search"><input type="search" name="q" value="lamp"><input type="hidden" name="filter" value="${filter}"><button>Search</button></form>`,
        ),
    );
    app.post('/search', ({ body }, response) => {
      try {
        using document = parse(String(body.filter), variant);
        response.send(`<p>Lamps in ${document.root.content.replaceAll('<', '&lt;')}</p>`);
      } catch {
        response.send('<p>Lamps in all colors</p>');
      }
    });
  }),
};

export const cases: ScoreCase[] = [viewer, validator, search];
