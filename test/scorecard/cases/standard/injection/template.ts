import ejs from 'ejs';
import express from 'express';
import nunjucks from 'nunjucks';
import type { ScoreCase } from '../../../case.ts';
import { startApp } from '../../../sites/express.ts';
import { startGreetedTalk } from '../../../sites/message-talks.ts';

const environment = new nunjucks.Environment(null, { autoescape: true });

/** The name becomes part of the template, and the template is then rendered. */
const greeting: ScoreCase = {
  name: 'Nunjucks card whose text is put into the template',
  start: (variant) => {
    const app = express();
    app.get('/', (_request, response) =>
      response.send(
        '<form action="/card"><input name="to" value="Ada"><input name="from" value="Bob"><button>Preview</button></form>',
      ),
    );
    app.get('/card', (request, response) => {
      const to = String(request.query.to ?? '');
      try {
        response.send(
          variant === 'vulnerable'
            ? environment.renderString(`<h1>Dear ${to}</h1>`, {})
            : environment.renderString('<h1>Dear {{ to }}</h1>', { to }),
        );
      } catch {
        response.status(500).send('Template error');
      }
    });
    return startApp(app);
  },
};

/** As in the well-known mistake with Flask: the page for what is not there is made of the address. */
const notFound: ScoreCase = {
  name: 'Flask-like page for what is not there, rendered from a text with the path in it',
  start: (variant) => {
    const app = express();
    app.get('/', (_request, response) => response.send('<h1>Welcome</h1><a href="/about">About</a>'));
    app.get('/about', (_request, response) => response.send('<h1>About</h1>'));
    app.use((request, response) => {
      const path = decodeURIComponent(request.path);
      const text =
        variant === 'vulnerable' ? `<h3>${path}</h3><p>was not found.</p>` : '<h3>{{ path }}</h3><p>was not found.</p>';
      try {
        response.status(404).send(environment.renderString(text, { path }));
      } catch {
        response.status(500).send('Internal Server Error');
      }
    });
    return startApp(app);
  },
};

/** A mail is previewed as JSON; the engine's signs are others. */
const mailPreview: ScoreCase = {
  name: 'API that previews a mail with EJS',
  start: (variant) => {
    const app = express();
    app.get('/', (_request, response) =>
      response.send('<script>fetch("/api/preview?subject=Hello&campaign=7")</script>'),
    );
    app.get('/api/preview', (request, response) => {
      const subject = String(request.query.subject ?? '');
      try {
        const html =
          variant === 'vulnerable'
            ? ejs.render(`Subject: ${subject} <%= shop %>`, { shop: 'Holm' })
            : ejs.render('Subject: <%= subject %> <%= shop %>', { subject, shop: 'Holm' });
        response.json({ html });
      } catch {
        response.status(400).json({ error: 'The template is wrong.' });
      }
    });
    return startApp(app);
  },
};

/** A value inside of an expression of the template's own: no signs are needed around it, but an end of the text. */
const literal: ScoreCase = {
  name: 'template literal that is compiled with the value in it',
  start: (variant) => {
    const app = express();
    app.get('/', (_request, response) => response.send('<a href="/badge?label=build&amp;colour=green">Badge</a>'));
    app.get('/badge', (request, response) => {
      const label = String(request.query.label ?? '');
      try {
        const text =
          variant === 'vulnerable'
            ? new Function(`return \`<svg><text>${label}</text></svg>\``)()
            : `<svg><text>${label.replace(/[<&]/g, '')}</text></svg>`;
        response.type('svg').send(text);
      } catch {
        response.sendStatus(500);
      }
    });
    return startApp(app);
  },
};

/** A form that is posted, in several parts, as those with a file field are. */
const postedPreview: ScoreCase = {
  name: 'form in several parts that previews a label',
  start: (variant) => {
    const app = express();
    app.get('/', (_request, response) =>
      response.send(`<form method="post" action="/labels/preview" enctype="multipart/form-data">
        <input name="size" value="small"><input name="text" value="Fragile"><button>Preview</button></form>`),
    );
    app.post('/labels/preview', express.raw({ type: 'multipart/form-data' }), ({ body }, response) => {
      const [, text = ''] = /name="text"\r\n\r\n([\s\S]*?)\r\n--/.exec(String(body)) ?? [];
      try {
        const label =
          variant === 'vulnerable'
            ? environment.renderString(`<b>${text}</b>`, {})
            : environment.renderString('<b>{{ text }}</b>', { text });
        response.send(label);
      } catch {
        response.sendStatus(500);
      }
    });
    return startApp(app);
  },
};

/** Only a name below the folder is repeated; elsewhere a page for what is not there has a fixed text. */
const missingTrail: ScoreCase = {
  name: 'name that is not there in a folder of one page',
  start: (variant) => {
    const app = express();
    app.get('/', (_request, response) => response.send('<h1>Trails</h1><a href="/trails/lake">Lake trail</a>'));
    app.get('/trails/lake', (_request, response) => response.send('<h1>Lake trail</h1><p>12 km</p>'));
    app.get('/trails/:name', ({ params: { name } }, response) => {
      const trail = name.replaceAll('<', '&lt;');
      try {
        const page =
          variant === 'vulnerable'
            ? environment.renderString(`<p>There is no trail called ${trail}.</p>`, {})
            : environment.renderString('<p>There is no trail called {{ trail }}.</p>', { trail });
        response.status(404).send(page);
      } catch {
        response.sendStatus(500);
      }
    });
    return startApp(app);
  },
};

/** The label is printed: the page says that it is, or that something went wrong. */
const printedLabel: ScoreCase = {
  name: 'Express shop that prints a label with EJS, of which the page shows nothing',
  start: (variant) => {
    const app = express();
    app.get('/', (_request, response) =>
      response.send('<form action="/label"><input name="line" value="Fragile"><button>Preview</button></form>'),
    );
    app.get('/label', (request, response) => {
      const line = String(request.query.line ?? '');
      try {
        if (variant === 'vulnerable') ejs.render(`<svg><text>${line}</text></svg>`);
        else ejs.render('<svg><text><%= line %></text></svg>', { line });
        response.send('<h1>Labels</h1><p>Your label fits on one page.</p>');
      } catch {
        response.status(500).send('<h1>Labels</h1><p>That did not work.</p>');
      }
    });
    return startApp(app);
  },
};

const talk: ScoreCase = { name: 'preview over a WebSocket that wants to be greeted first', start: startGreetedTalk };

export const cases: ScoreCase[] = [
  talk,
  greeting,
  notFound,
  mailPreview,
  printedLabel,
  literal,
  postedPreview,
  missingTrail,
];
