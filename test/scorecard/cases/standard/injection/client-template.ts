import ejs from 'ejs';
import type { Express, Request } from 'express';
import express from 'express';
import type { ScoreCase, ScoreSite } from '../../../case.ts';
import { startApp } from '../../../sites/express.ts';
import { libraries } from '../../../sites/script-pages.ts';

type Site = {
  /** Real file of the library. */
  library: Promise<string>;
  /** EJS, whose `<%= term %>` encodes for HTML. */
  results: string;
};

/** A site whose search shows the term again, made on the server. */
async function searchSite({ library, results }: Site): Promise<ScoreSite> {
  const app: Express = express();
  const text = await library;
  const termOf = ({ query }: Request): string => (typeof query.term === 'string' ? query.term : '');
  app.get('/assets/framework.js', (_request, response) => void response.type('js').send(text));
  app.get('/', (_request, response) => void response.send('<!doctype html><a href="/find?term=lamp">Lamps</a>'));
  app.get('/find', (request, response) => void response.send(ejs.render(results, { term: termOf(request) })));
  return startApp(app);
}

const isVulnerable = (variant: string) => variant === 'vulnerable';
const framework = '<script src="/assets/framework.js"></script>';

export const cases: ScoreCase[] = [
  {
    name: 'AngularJS without a sandbox over a page of the server',
    start: (variant) =>
      searchSite({
        library: libraries.angularJs(),
        results: `<!doctype html><body ng-app><h1${isVulnerable(variant) ? '' : ' ng-non-bindable'}>Found for <%= term %></h1>${framework}</body>`,
      }),
  },
  {
    name: 'AngularJS with the sandbox of its time, in the value of a field',
    start: (variant) =>
      searchSite({
        library: libraries.sandboxedAngularJs(),
        results: `<!doctype html><div data-ng-app="shop"><form><input name="term" value="<%= term %>"${isVulnerable(variant) ? '' : ' ng-non-bindable'}></form></div>
          ${framework}<script>angular.module('shop', [])</script>`,
      }),
  },
  {
    name: 'Vue 3 mounted on what the server wrote',
    start: (variant) =>
      searchSite({
        library: libraries.vue(),
        results: `<!doctype html><main id="shop"><p${isVulnerable(variant) ? '' : ' v-pre'}>Nothing is called <%= term %></p><button @click="n++">{{ n }}</button></main>
          ${framework}<script>Vue.createApp({ data: () => ({ n: 0 }) }).mount('#shop')</script>`,
      }),
  },
  {
    name: 'Vue 2 with signs of its own, since the server has the usual ones',
    start: (variant) =>
      searchSite({
        library: libraries.vue2(),
        results: isVulnerable(variant)
          ? `<!doctype html><section id="list"><h2>Results for <%= term %></h2>[[ count ]]</section>
             ${framework}<script>new Vue({ el: '#list', delimiters: ['[[', ']]'], data: { count: 0 } })</script>`
          : `<!doctype html><section id="list" data-term="<%= term %>"><h2>Results for [[ term ]]</h2>[[ count ]]</section>
             ${framework}<script>const { term } = document.querySelector('#list').dataset;
             new Vue({ el: '#list', delimiters: ['[[', ']]'], data: { count: 0, term } })</script>`,
      }),
  },
  {
    name: 'Alpine with a value in the code of an attribute',
    start: (variant) =>
      searchSite({
        library: libraries.alpine(),
        results: `<!doctype html>${isVulnerable(variant) ? `<div x-data="{ term: '<%= term %>' }">` : `<div data-term="<%= term %>" x-data="{ term: $el.dataset.term }">`}
          <p x-text="'Results for ' + term"></p></div><script defer src="/assets/framework.js"></script>`,
      }),
  },
];
