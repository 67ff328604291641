import express from 'express';
import type { ScoreCase } from '../../../case.ts';
import { startApp } from '../../../sites/express.ts';
import { startRefusing } from '../../../sites/refusing.ts';

export const cases: ScoreCase[] = [
  {
    name: 'guard that compares paths as text before a router that does not',
    start: (variant) =>
      startRefusing({
        isAllowed: () => variant === 'vulnerable',
        before: (app) =>
          app.use((request, response, next) =>
            request.path.startsWith('/admin') ? response.status(403).send('Forbidden') : next(),
          ),
      }),
  },
  {
    name: 'page for the machine itself, by a header that anybody sends',
    start: (variant) =>
      startRefusing({
        isAllowed: (request) => variant === 'vulnerable' && request.get('x-forwarded-for') === '127.0.0.1',
      }),
  },
  {
    name: 'program that takes its address from a header, behind a guard',
    start: (variant) =>
      startRefusing({
        isAllowed: () => true,
        before: (app) =>
          app.use((request, response, next) => {
            if (/^\/+admin/i.test(decodeURIComponent(request.path).replace(/\/\.?(?=\/)/g, '')))
              return response.status(403).send('Forbidden');
            if (variant === 'vulnerable') request.url = request.get('x-rewrite-url') ?? request.url;
            return next();
          }),
      }),
  },
  {
    name: 'folder of files that lets two endings through, and opens a name up to its NUL byte',
    start: (variant) => {
      const files: Record<string, string> = {
        'terms.md': '# Terms\nBerths are let by the week.',
        'berths.md': '# Berths\nThere are forty.',
        'accounts.csv.bak': 'name;berths;mail\nIna Holm;14;ina@lagoon.example',
      };
      const app = express();
      const list = Object.keys(files).map((name) => `<li><a href="/papers/${name}">${name}</a></li>`);
      app.get('/', (_request, response) => response.send(`<h1>Lagoon</h1><ul>${list.join('')}</ul>`));
      app.get('/papers/:name', (request, response) => {
        const name = request.params.name ?? '';
        if (!/\.(?:md|pdf)$/.test(name)) return void response.status(403).send('Only .md and .pdf files are allowed!');
        const opened = variant === 'vulnerable' ? name.replace(/(?:%00|\0).*$/s, '') : name;
        const text = files[opened];
        if (text === undefined) response.status(404).send('No such file');
        else response.type('text').send(text);
      });
      return startApp(app);
    },
  },
];
