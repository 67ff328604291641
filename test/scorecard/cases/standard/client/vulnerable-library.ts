import type { ScoreCase } from '../../../case.ts';
import { startApp } from '../../../sites/express.ts';
import { libraries, scriptPages } from '../../../sites/script-pages.ts';

const page = (scripts: string) =>
  `<!doctype html><html><head><title>Menu</title></head><body><ul id="menu"></ul>${scripts}</body></html>`;

export const cases: ScoreCase[] = [
  {
    name: 'restaurant with a file of jQuery beside its own',
    start: async (variant) => {
      const [library, own, text] =
        variant === 'vulnerable'
          ? [
              '<script src="/js/jquery.min.js"></script>',
              "$(() => $('#menu').append($('<li>').text('Soup')));",
              await libraries.jquery(),
            ]
          : ['', "document.querySelector('#menu').append('Soup');", ''];
      return startApp(
        scriptPages({
          pages: { '/': page(`${library}<script src="/js/menu.js"></script>`) },
          scripts: { '/js/menu.js': own, '/js/jquery.min.js': text },
        }),
      );
    },
  },
  {
    name: 'bundle with a hash for a name, without banners',
    start: async (variant) => {
      const vendor = await (variant === 'vulnerable' ? libraries.jquery() : libraries.nunjucks());
      const bundle = `${vendor.replace(/^\/\*![\s\S]*?\*\//, '')};document.title = 'Ready';`;
      return startApp(
        scriptPages({
          pages: {
            '/': page('<a href="/order">Order</a>'),
            '/order': page('<script defer src="/static/9c1f04be.js"></script>'),
          },
          scripts: { '/static/9c1f04be.js': bundle },
        }),
      );
    },
  },
  {
    name: 'module that keeps its library to itself, as bundlers do',
    start: async (variant) => {
      const vendor = await (variant === 'vulnerable' ? libraries.jquerySlim() : libraries.nunjucks());
      const bundle = `(() => { const module = { exports: {} };\n${vendor}\ndocument.title = 'Ready'; })();`;
      return startApp(
        scriptPages({
          pages: { '/': page('<script type="module" src="/assets/index-b41c9e.js?v=2"></script>') },
          scripts: { '/assets/index-b41c9e.js': bundle },
        }),
      );
    },
  },
  {
    name: 'page whose loader puts the library in by script, under the name of a newer one',
    start: async (variant) => {
      const load = (path: string) =>
        `const s = document.createElement('script'); s.src = '${path}'; document.head.append(s);`;
      return startApp(
        scriptPages({
          pages: { '/': page('<script src="/loader.js"></script>') },
          scripts: {
            '/loader.js': load('/lib/jquery-3.7.1.slim.js'),
            '/lib/jquery-3.7.1.slim.js': await (variant === 'vulnerable'
              ? libraries.jquerySlim()
              : libraries.nunjucks()),
          },
        }),
      );
    },
  },
];
