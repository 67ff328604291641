import { request as ask } from 'node:http';
import express, { type Express } from 'express';
import type { ScoreCase, Variant } from '../../../case.ts';
import { calledBack } from '../../../sites/called-back.ts';
import { startApp } from '../../../sites/express.ts';

const about = '<title>About</title><p>Our workshop has restored oak furniture since nineteen eighty four.</p>';

const starting =
  (link: string, build: (app: Express, variant: Variant) => void) =>
  (variant: Variant): ReturnType<typeof startApp> => {
    const app = express();
    app.get('/', (_request, response) => void response.send(`<a href="/about">About</a>${link}`));
    app.get('/about', (_request, response) => void response.send(about));
    build(app, variant);
    return startApp(app);
  };

/** Hosts that were meant; the repair of all three compares the parsed one with it. */
const partners = new Set(['feeds.example']);

/** The text of an address, or what went wrong. */
const textOf = (address: string): Promise<string> =>
  new Promise((resolve) => {
    const got = ask(address, (answer) => {
      let text = '';
      answer.on('data', (chunk) => (text += String(chunk))).on('end', () => resolve(text));
    });
    got.on('error', (error) => resolve(`could not connect: ${error.message}`)).end();
  });

const preview: ScoreCase = {
  name: 'preview of a link',
  start: starting('<a href="/preview?link=http://feeds.example/news">Preview</a>', (app, variant) => {
    app.get('/preview', async ({ query }, response) => {
      const url = URL.parse(String(query.link));
      const isMeant = url?.protocol === 'http:' && (variant === 'vulnerable' || partners.has(url.hostname));
      response.send(url && isMeant ? `<blockquote>${await textOf(url.href)}</blockquote>` : 'Not a link');
    });
  }),
};

/** The scheme is put in front, and a list of names is looked at as text. */
const proxy: ScoreCase = {
  name: 'proxy whose value is a host with a path',
  start: starting('<a href="/proxy?host=feeds.example/news">Feed</a>', (app, variant) => {
    app.get('/proxy', async ({ query }, response) => {
      const url = URL.parse(`http://${String(query.host)}`);
      const isRefused =
        variant === 'vulnerable' ? /localhost/i.test(url?.href ?? '') : !partners.has(url?.hostname ?? '');
      response.type('text').send(url && !isRefused ? await textOf(url.href) : 'refused');
    });
  }),
};

/** Has to have the name of a partner in it, and gives JSON. */
const importer: ScoreCase = {
  name: 'import that looks for a name somewhere in the address',
  start: starting('<script>fetch("/api/import?source=http://feeds.example/a.xml")</script>', (app, variant) => {
    app.get('/api/import', async ({ query, headers }, response) => {
      const given = String(query.source);
      const own = (headers.host ?? '').replace(/:\d+$/, '');
      const url = URL.parse(given);
      const isMeant =
        variant === 'vulnerable'
          ? given.includes(own) || given.includes('feeds.example')
          : partners.has(url?.hostname ?? '');
      response.json(url?.protocol === 'http:' && isMeant ? { items: await textOf(url.href) } : { error: 'source' });
    });
  }),
};

/** Nothing of what comes back is shown, and nobody waits for it. */
const webhook: ScoreCase = {
  name: 'webhook that is called in the background',
  start: async (variant) =>
    calledBack(
      await starting('<a href="/status?callback=http://feeds.example/done">Status</a>', (app) => {
        app.get('/status', ({ query }, response) => {
          const url = URL.parse(String(query.callback));
          if (url?.protocol === 'http:' && (variant === 'vulnerable' || partners.has(url.hostname)))
            setTimeout(() => textOf(url.href), 200);
          response.send('Pending');
        });
      })(variant),
    ),
};

export const cases: ScoreCase[] = [preview, proxy, importer, webhook];
