import express, { type Express } from 'express';
import { transformed } from '../../../../fixtures/stylesheets.ts';
import type { ScoreCase, Variant } from '../../../case.ts';
import { startApp } from '../../../sites/express.ts';

const sheet = (show: string): string =>
  `<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform"><xsl:template match="/">${show}</xsl:template></xsl:stylesheet>`;
const line = sheet('<p><xsl:value-of select="//to"/></p>');
const card = '<card><to>Ada</to><text>Tea at four</text></card>';

const starting =
  (build: (app: Express, variant: Variant) => void) =>
  (variant: Variant): ReturnType<typeof startApp> => {
    const app = express();
    build(app, variant);
    return startApp(app);
  };

/** The mended site runs its own stylesheets alone. */
const allowed = (text: string, own: readonly string[], variant: Variant): string =>
  variant === 'vulnerable' || own.includes(text) ? text : '';

const address: ScoreCase = {
  name: 'card whose look stands in its address',
  start: starting((app, variant) => {
    app.get(
      '/',
      (_request, response) => void response.send(`<a href="/card?look=${encodeURIComponent(line)}">A card</a>`),
    );
    app.get('/card', ({ query }, response) => {
      try {
        response.send(transformed(allowed(String(query.look), [line], variant), card, { opens: true }));
      } catch {
        response.status(400).send('No card');
      }
    });
  }),
};

/** A processor that opens nothing, and answers in JSON with the words of its errors. */
const converter: ScoreCase = {
  name: 'converter that answers JSON',
  start: starting((app, variant) => {
    app.get('/', (_request, response) => void response.send('<a href="/convert?xslt=&amp;xml=">Convert</a>'));
    app.get('/convert', ({ query }, response) => {
      try {
        response.json({ result: transformed(allowed(String(query.xslt), [line], variant), String(query.xml)) });
      } catch (error) {
        response.status(422).json({ error: String(error) });
      }
    });
  }),
};

const search: ScoreCase = {
  name: 'search whose form holds the look of its results, with functions of PHP',
  start: starting((app, variant) => {
    app.use(express.urlencoded({ extended: false }));
    const hidden = line.replaceAll('"', '&quot;').replaceAll('<', '&lt;');
    app.get(
      '/',
      (_request, response) =>
        void response.send(
          `<form method="post" action="/search" role="search"><input type="search" name="q" value="lamp"><input type="hidden" name="view" value="${hidden}"><button>Search</button></form>`,
        ),
    );
    app.post('/search', ({ body }, response) => {
      try {
        response.send(transformed(allowed(String(body.view), [line], variant), card, { calls: true }));
      } catch {
        response.status(400).send('<p>Nothing found</p>');
      }
    });
  }),
};

export const cases: ScoreCase[] = [address, converter, search];
