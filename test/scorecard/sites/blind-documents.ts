import express, { type Response as Reply } from 'express';
import { printedBy } from '../../support/programs.ts';
import type { ScoreSite, Variant } from '../case.ts';
import { startApp } from './express.ts';

type BlindDocument = {
  parameter: string;
  sample: string;
  /** @param text of the whole document */
  read: (text: string, response: Reply) => unknown;
  failed: (response: Reply) => unknown;
};

/** The text of a document, as Python's SAX parser reads it: it fails where it cannot open what the document names. */
const textOf = (document: string, variant: Variant): Promise<string> =>
  printedBy(
    'python3',
    '-c',
    `import io, sys, xml.sax, xml.sax.handler
class Texts(xml.sax.ContentHandler):
    def characters(self, text): print(text, end="")
parser = xml.sax.make_parser()
parser.setFeature(xml.sax.handler.feature_external_ges, ${variant === 'vulnerable' ? 'True' : 'False'})
parser.setContentHandler(Texts())
parser.parse(io.StringIO(sys.argv[1]))`,
    document,
  );

/** A page that reads a document and shows nothing of it. */
function startBlind({ parameter, sample, read, failed }: BlindDocument, variant: Variant): Promise<ScoreSite> {
  const app = express();
  app.get('/', (_request, response) =>
    response.send(`<a href="/read?${parameter}=${encodeURIComponent(sample)}">Read</a>`),
  );
  app.get('/read', async ({ query }, response) => {
    const text = await textOf(String(query[parameter]), variant).catch(() => undefined);
    if (text === undefined) failed(response);
    else read(text, response);
  });
  return startApp(app);
}

const sites: Record<string, BlindDocument> = {
  'stock of a shop that answers yes or no': {
    parameter: 'xml',
    sample: '<check><product>7</product><store>one</store></check>',
    read: (text, response) => response.send(text.includes('one') ? 'In stock' : 'Sold out'),
    failed: (response) => response.status(400).send('Unknown request'),
  },
  'import of feeds that thanks': {
    parameter: 'feed',
    sample: '<rss><channel><title>News</title></channel></rss>',
    read: (_text, response) => response.send('<p>Feeds imported.</p>'),
    failed: (response) => response.send('<p>The feed could not be read.</p>'),
  },
  'order that leads on': {
    parameter: 'order',
    sample: '<order><item>lamp</item></order>',
    read: (_text, response) => response.redirect('/'),
    failed: (response) => response.status(200).send('<p>Please send the order again.</p>'),
  },
};

export const blindDocuments: Record<string, (variant: Variant) => Promise<ScoreSite>> = Object.fromEntries(
  Object.entries(sites).map(([name, site]) => [name, (variant: Variant) => startBlind(site, variant)]),
);
