import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import express, { type Express } from 'express';

const file = (specifier: string): Promise<string> => readFile(fileURLToPath(import.meta.resolve(specifier)), 'utf8');

/** Real files of libraries, as sites serve them. */
export const libraries = {
  /** Version 3.4.1, which has published weaknesses. */
  jquery: () => file('jquery/dist/jquery.min.js'),
  jquerySlim: () => file('jquery/dist/jquery.slim.js'),
  /** Of a current version, for the browser. */
  nunjucks: () => file('nunjucks/browser/nunjucks-slim.min.js'),
  /** Version 3, with the compiler of templates. */
  vue: () => file('vue/dist/vue.global.prod.js'),
  /** Version 2.6.14, with the compiler of templates. */
  vue2: () => file('vue2/dist/vue.min.js'),
  /** Version 1.8.3, the last one. */
  angularJs: () => file('angularjs/angular.min.js'),
  /** Version 1.5.8, which has a sandbox for expressions. */
  sandboxedAngularJs: () => file('angularjs-sandboxed/angular.min.js'),
  alpine: () => file('alpinejs/dist/cdn.min.js'),
  /** Version 0.5.3, which takes "__proto__" for a name like any other. */
  deparam: () => file('jquery-deparam/jquery-deparam.js'),
};

type ScriptPages = {
  /** By path: HTML of a page. */
  pages: Record<string, string>;
  /** By path: text of a script. */
  scripts: Record<string, string>;
  headers?: Record<string, string>;
};

/** A site of pages and scripts; the rest is not found. */
export function scriptPages({ pages, scripts, headers = {} }: ScriptPages): Express {
  const app = express();
  app.use((_request, response, next) => {
    response.set(headers);
    next();
  });
  for (const [path, text] of Object.entries(scripts))
    app.get(path, (_request, response) => void response.type('js').send(text));
  for (const [path, html] of Object.entries(pages))
    app.get(path, (_request, response) => void response.type('html').send(html));
  return app;
}
