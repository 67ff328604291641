import express, { type Request } from 'express';
import nunjucks from 'nunjucks';
import type { TestIdentity } from '../../workflows/checks/harness.ts';
import type { ScoreSite, Variant } from '../case.ts';
import { startApp } from './express.ts';

const sessions: Record<string, string> = { 'session-of-eva-31': 'Eva', 'session-of-jon-32': 'Jon' };
const readerOf = ({ headers }: Request): string | undefined =>
  sessions[/(?:^|; )sid=([^;]+)/.exec(headers.cookie ?? '')?.[1] ?? ''];
const identities: TestIdentity[] = Object.entries(sessions).map(([sid, name]) => ({
  name: name.toLowerCase(),
  cookies: { sid },
  checkPath: '/offers',
  marker: `Offers for ${name}`,
}));

type Offer = { title: string; words: string };
type Look = {
  /** Links of the list, in order. */
  links: (offers: readonly Offer[]) => string[];
  route: string;
  idOf: (request: Request) => unknown;
  show: (offer: Offer, variant: Variant) => string;
};

/** Members put offers on a list, to which the form leads back; each offer has a page behind a link of the list. */
function startOffers(variant: Variant, { links, route, idOf, show }: Look): Promise<ScoreSite> {
  const offers: Offer[] = [];
  const app = express();
  app.use(express.urlencoded({ extended: false }));
  app.use((request, response, next) =>
    readerOf(request) ? next() : void response.status(403).send('<h1>Members only</h1>'),
  );
  app.get('/offers', (request, response) =>
    response.send(
      `<h1>Offers for ${readerOf(request)}</h1><ul>${links(offers).join('')}</ul>
      <form method="post" action="/offers"><input name="title"><textarea name="words"></textarea><button>Publish offer</button></form>`,
    ),
  );
  app.post('/offers', (request, response) => {
    const { title = '', words = '' } = request.body;
    if (title !== '' && words !== '') offers.push({ title, words });
    response.redirect(303, '/offers');
  });
  app.get(route, (request, response) => {
    const offer = offers[Number(idOf(request)) - 1];
    response.status(offer ? 200 : 404).send(offer ? show(offer, variant) : '<h1>No such offer</h1>');
  });
  return startApp(app, { options: { depth: 'deep', writes: 'create', identities, startPaths: ['/offers'] } });
}

const escaping = new nunjucks.Environment(null, { autoescape: true });

/** The newest offer stands on top, and its page shows its text as markup. */
export const startMarkedOffers = (variant: Variant): Promise<ScoreSite> =>
  startOffers(variant, {
    links: (offers) => offers.map((_, index) => `<li><a href="offer?nr=${index + 1}">Offer</a>`).toReversed(),
    route: '/offer',
    idOf: ({ query }) => query.nr,
    show: (offer, of) =>
      escaping.renderString(`<h1>{{ title }}</h1><p>{{ words${of === 'vulnerable' ? ' | safe' : ''} }}</p>`, offer),
  });

/** The newest offer stands below all others, and its page takes its text for a template. */
export const startTemplateOffers = (variant: Variant): Promise<ScoreSite> =>
  startOffers(variant, {
    links: (offers) =>
      offers.map(({ title }, index) =>
        escaping.renderString(`<li><a href="/offers/${index + 1}">{{ title }}</a>`, { title }),
      ),
    route: '/offers/:nr',
    idOf: ({ params }) => params.nr,
    show: (offer, of) =>
      of === 'vulnerable'
        ? escaping.renderString(`<h1>{{ title }}</h1><p>${offer.words.replace(/</g, '&lt;')}</p>`, offer)
        : escaping.renderString('<h1>{{ title }}</h1><p>{{ words }}</p>', offer),
  });
