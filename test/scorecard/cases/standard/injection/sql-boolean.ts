import { DatabaseSync } from 'node:sqlite';
import express from 'express';
import nunjucks from 'nunjucks';
import type { ScoreCase } from '../../../case.ts';
import { startApp } from '../../../sites/express.ts';
import { openLamps } from '../../../sites/lamp-database.ts';
import { startMessageSearch } from '../../../sites/message-search.ts';
import { startFerryPages, startFerryProcedures } from '../../../sites/one-address.ts';
import { startScriptedShop } from '../../../sites/scripted-shop.ts';

const openFilms = (): DatabaseSync => {
  const database = new DatabaseSync(':memory:', { enableDoubleQuotedStringLiterals: true });
  database.exec(`CREATE TABLE films (id INTEGER PRIMARY KEY, slug TEXT, title TEXT, year INTEGER, genre TEXT);
    INSERT INTO films (slug, title, year, genre) VALUES ('metropolis', 'Metropolis', 1927, 'drama'), ('nosferatu', 'Nosferatu', 1922, 'horror'),
      ('safety-last', 'Safety Last!', 1923, 'comedy'), ('sherlock-jr', 'Sherlock Jr.', 1924, 'comedy'), ('sunrise', 'Sunrise', 1927, 'drama')`);
  return database;
};

/** What goes wrong is logged, and the visitor sees an empty list. */
const quietly = <T>(read: () => T[]): T[] => {
  try {
    return read();
  } catch {
    return [];
  }
};

/** As bWAPP asks for a film: a list to choose from, whose numbers go into the statement as they are. */
const chosenFilm: ScoreCase = {
  name: 'PHP-like page with a number from a list, which hides errors',
  start: (variant) => {
    const films = openFilms();
    const app = express();
    app.get('/', (_request, response) => response.redirect('/sqli_2.php'));
    app.get('/sqli_2.php', (request, response) => {
      const movie = String(request.query.movie ?? '1');
      const number = variant === 'vulnerable' ? movie : String(Number.parseInt(movie, 10) || 0);
      const rows = quietly(() => films.prepare(`SELECT * FROM films WHERE id = ${number}`).all());
      const options = films
        .prepare('SELECT id, title FROM films')
        .all()
        .map(({ id, title }) => `<option value="${id}">${title}</option>`);
      const table = rows.map(
        ({ title, year, genre }) =>
          `<tr height="30"><td>${title}</td><td align="center">${year}</td><td>${genre}</td></tr>`,
      );
      response.send(`<form action="/sqli_2.php" method="GET"><select name="movie">${options.join('')}</select><button type="submit" name="action" value="go">Go</button></form>
        <table>${table.join('') || '<tr height="30"><td colspan="5">No movies were found!</td></tr>'}</table>`);
    });
    return startApp(app, { close: () => films.close() });
  },
};

const page = nunjucks.compile(
  '<!doctype html><title>{{ film.title }}</title><article><h1>{{ film.title }}</h1><time>{{ film.year }}</time></article><aside>{{ now }}</aside>',
  new nunjucks.Environment(null, { autoescape: true }),
);

/** The number stands in the path, and an unknown one is a page of its own. */
const filmPages: ScoreCase = {
  name: 'Express archive with a number in the path, and a page for what is not there',
  start: (variant) => {
    const films = openFilms();
    const app = express();
    app.get('/', (_request, response) =>
      response.send('<a href="/film/2/plot">Nosferatu</a> <a href="/film/4/plot">Sherlock</a>'),
    );
    app.get('/film/:id/plot', (request, response) => {
      const { id } = request.params;
      const [film] = quietly(() =>
        variant === 'vulnerable'
          ? films.prepare(`SELECT * FROM films WHERE id = ${id} LIMIT 1`).all()
          : films.prepare('SELECT * FROM films WHERE id = ? LIMIT 1').all(id),
      );
      if (film) response.send(page.render({ film, now: new Date().toISOString() }));
      else response.status(404).send('<h1>No such film</h1>');
    });
    return startApp(app, { close: () => films.close() });
  },
};

/** Two filters beside each other, in JSON; what fails is a status without words. */
const filmApi: ScoreCase = {
  name: 'JSON API with filters, whose errors say nothing',
  start: (variant) => {
    const films = openFilms();
    const app = express();
    app.get('/', (_request, response) => response.send('<div id="root"></div><script src="/static/app.js"></script>'));
    app.get('/static/app.js', (_request, response) =>
      response
        .type('js')
        .send(
          'fetch("/api/v2/films?genre=comedy&order=desc").then((r) => r.json()).then((d) => (document.title = d.total))',
        ),
    );
    app.get('/api/v2/films', (request, response) => {
      const genre = String(request.query.genre ?? '');
      try {
        const items =
          variant === 'vulnerable'
            ? films
                .prepare(`SELECT id, title FROM films WHERE (lower(genre) = lower('${genre}') AND year > 1900)`)
                .all()
            : films.prepare('SELECT id, title FROM films WHERE lower(genre) = lower(?) AND year > 1900').all(genre);
        response.json({ requestId: crypto.randomUUID(), total: items.length, items });
      } catch {
        response.status(500).json({ message: 'Internal Server Error' });
      }
    });
    return startApp(app, { close: () => films.close() });
  },
};

/** Users are looked up by a name in the path that looks like any other word. */
const namedPaths: ScoreCase = {
  name: 'API with a name in the path',
  start: (variant) => {
    const films = openFilms();
    const app = express();
    app.get('/', (_request, response) =>
      response.json({ films: ['/films/v1/metropolis', '/films/v1/nosferatu', '/films/v1/sunrise'] }),
    );
    app.get('/films/v1/:slug', (request, response) => {
      const { slug } = request.params;
      const [film] = quietly(() =>
        variant === 'vulnerable'
          ? films.prepare(`SELECT * FROM films WHERE slug = '${slug}'`).all()
          : films.prepare('SELECT * FROM films WHERE slug = ?').all(slug),
      );
      if (film) response.json(film);
      else response.status(404).json({ status: 'fail', message: 'Film not found' });
    });
    return startApp(app, { close: () => films.close() });
  },
};

/** Text of the search goes into the statement; the API wants the right types, and a token. */
const scriptedShop: ScoreCase = {
  name: 'single-page app that posts JSON with the token of a cookie',
  start: (variant) =>
    startScriptedShop(
      ({ text, max }, database) =>
        variant === 'vulnerable'
          ? quietly(() =>
              database.prepare(`SELECT title FROM lamps WHERE title LIKE '%${text}%' AND price <= ${max}`).all(),
            )
          : database.prepare('SELECT title FROM lamps WHERE title LIKE ? AND price <= ?').all(`%${text}%`, max),
      openLamps(),
    ),
};

const messages: ScoreCase = { name: 'messages that are searched for over a WebSocket', start: startMessageSearch };

const parts: ScoreCase = { name: 'program with one address, whose parts a parameter chooses', start: startFerryPages };
const procedures: ScoreCase = { name: 'JSON-RPC whose procedures have one address', start: startFerryProcedures };

/** Its only link home is called like something that acts. Words in small letters are refused, blanks taken out, and errors are nothing found. */
const copyDesk: ScoreCase = {
  name: 'film archive whose home page asks by script, with a filter in front of the statement',
  start: (variant) => {
    const films = openFilms();
    const app = express().use(express.json());
    const look = `fetch('/api/copies', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ film: document.forms[0].film.value }) })
      .then((answer) => answer.json()).then(({ copy }) => { document.forms[0].nextElementSibling.textContent = copy ? copy.title : 'None'; })`;
    app.get('/', (_request, response) =>
      response.send(`<nav><a href="/">Order state</a></nav><form onsubmit="event.preventDefault(); look()"><input name="film" value="sunrise"><button>Look</button></form><p></p>
        <script>function look() { ${look} }</script>`),
    );
    app.post('/api/copies', (request, response) => {
      const film = String(request.body.film ?? '');
      if (/select|union|insert|between|--/.test(film)) return void response.status(400).json({ error: 'refused' });
      const slug = film.replace(/\s+/g, '');
      const [copy] = quietly(() =>
        variant === 'vulnerable'
          ? films.prepare(`SELECT title, year FROM films WHERE slug = '${slug}'`).all()
          : films.prepare('SELECT title, year FROM films WHERE slug = ?').all(slug),
      );
      response.json(copy ? { found: true, copy } : { found: false });
    });
    return startApp(app, { close: () => films.close(), options: { depth: 'deep', writes: 'create' } });
  },
};

export const cases: ScoreCase[] = [
  copyDesk,
  chosenFilm,
  filmPages,
  filmApi,
  namedPaths,
  scriptedShop,
  messages,
  parts,
  procedures,
];
