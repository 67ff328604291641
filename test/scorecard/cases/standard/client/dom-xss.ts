import type { ScoreCase } from '../../../case.ts';
import { startApp } from '../../../sites/express.ts';
import { libraries, scriptPages } from '../../../sites/script-pages.ts';

const isVulnerable = (variant: string) => variant === 'vulnerable';
const home = '<!doctype html><a href="/find">Find</a><a href="/docs">Documents</a><a href="/go">Continue</a>';

export const cases: ScoreCase[] = [
  {
    name: 'search of an old site with jQuery',
    start: async (variant) =>
      startApp(
        scriptPages({
          pages: {
            '/': home,
            '/find':
              '<!doctype html><h2 id="title"></h2><script src="/jquery.js"></script><script src="/find.js"></script>',
          },
          scripts: {
            '/jquery.js': await libraries.jquery(),
            '/find.js': `$(function () {
              var term = (/[?&]term=([^&]*)/.exec(location.search) || [])[1] || 'everything';
              $('#title').${isVulnerable(variant) ? 'html' : 'text'}('Results for ' + decodeURIComponent(term.replace(/\\+/g, ' ')));
            });`,
          },
        }),
      ),
  },
  {
    name: 'documents with a router in the fragment, made of elements as by JSX',
    start: async (variant) =>
      startApp(
        scriptPages({
          pages: {
            '/': home,
            '/docs': '<!doctype html><main id="root"></main><script type="module" src="/app.mjs"></script>',
          },
          scripts: {
            '/app.mjs': `const routes = { '/': 'Overview', '/faq': 'Questions' };
              function h(type, { dangerouslySetInnerHTML: inner, ...props }, ...children) {
                const element = Object.assign(document.createElement(type), props);
                if (inner) element.innerHTML = inner.__html;
                element.append(...children);
                return element;
              }
              function show() {
                const route = decodeURIComponent(location.hash.slice(1)) || '/';
                const text = routes[route] ?? 'There is no ' + route;
                root.replaceChildren(${isVulnerable(variant) ? "h('p', { dangerouslySetInnerHTML: { __html: text } })" : "h('p', {}, text)"});
              }
              addEventListener('hashchange', show);
              show();`,
          },
        }),
      ),
  },
  {
    name: 'shared view, whose state is JSON in base64 in the fragment',
    start: async (variant) =>
      startApp(
        scriptPages({
          pages: {
            '/': home,
            '/docs': '<!doctype html><section id="view"></section><script src="/view.js"></script>',
          },
          scripts: {
            '/view.js': `(() => {
              const written = location.hash.slice(1).replace(/-/g, '+').replace(/_/g, '/');
              if (!written) return;
              const state = JSON.parse(atob(written));
              const heading = document.createElement('h2');
              heading.${isVulnerable(variant) ? 'innerHTML' : 'textContent'} = state.heading;
              document.getElementById('view').append(heading);
            })();`,
          },
        }),
      ),
  },
  {
    name: 'page that leads on to an address of its query',
    start: async (variant) =>
      startApp(
        scriptPages({
          pages: {
            '/': home,
            '/go': `<!doctype html><p>One moment …</p><script>
              const { searchParams } = new URL(location.href);
              const target = searchParams.get('continue');
              ${isVulnerable(variant) ? 'if (target) location.assign(target);' : 'if (target && new URL(target, location).origin === location.origin) location.assign(new URL(target, location));'}
            </script>`,
          },
          scripts: {},
        }),
      ),
  },
];
