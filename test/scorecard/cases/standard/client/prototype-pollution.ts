import type { ScoreCase } from '../../../case.ts';
import { startApp } from '../../../sites/express.ts';
import { libraries, scriptPages } from '../../../sites/script-pages.ts';

const isVulnerable = (variant: string) => variant === 'vulnerable';
const refuse = "if (['__proto__', 'constructor', 'prototype'].includes(key)) return;";

/** A query into members of members, as plug-ins of jQuery do it. */
const deparam = (guard: string) => `(function ($) {
  $.deparam = function (text) {
    var result = {};
    $.each(text.replace(/\\+/g, ' ').split('&'), function (_, pair) {
      var parts = pair.split('='), keys = decodeURIComponent(parts[0]).split(']').join('').split('['), at = result;
      $.each(keys, function (index, key) {
        ${guard}
        at = at[key] = index < keys.length - 1 ? at[key] || {} : decodeURIComponent(parts[1] || '');
      });
    });
    return result;
  };
  var filter = $.deparam(location.search.slice(1));
  $('#list').text(filter.sort || 'by name');
})(jQuery);`;

/** Settings of a widget, by paths with dots in the fragment. */
const widget = (guard: string) => `const settings = { theme: { colour: 'blue' } };
for (const [path, value] of new URLSearchParams(location.hash.slice(1))) put(settings, path.split('.'), value);
function put(target, [key, ...rest], value) {
  ${guard}
  if (rest.length === 0) target[key] = value;
  else put((target[key] ??= {}), rest, value);
}
document.body.style.color = settings.theme.colour;`;

/** An object from the query that is merged deeply into the defaults. */
const merging = (guard: string) => `function parse(text) {
  const found = Object.create(null);
  for (const [name, value] of new URLSearchParams(text)) {
    const [key, ...members] = name.split(/[.[\\]]+/).filter(Boolean);
    let at = found;
    [key, ...members].forEach((each, index, all) => { if (each === undefined) return; at = at[each] = index === all.length - 1 ? value : (at[each] ?? Object.create(null)); });
  }
  return found;
}
function merge(to, from) {
  Object.keys(from).forEach((key) => {
    ${guard}
    if (typeof from[key] === 'object') merge((to[key] ??= {}), from[key]);
    else to[key] = from[key];
  });
}
const options = { page: '1' };
merge(options, parse(location.search));
document.title = 'Page ' + options.page;`;

export const cases: ScoreCase[] = [
  {
    name: 'list whose filter is read by a plug-in of jQuery',
    start: async (variant) =>
      startApp(
        scriptPages({
          pages: {
            '/': '<!doctype html><p id="list"></p><script src="/jquery.js"></script><script src="/jquery.deparam.js"></script>',
          },
          scripts: {
            '/jquery.js': await libraries.jquery(),
            '/jquery.deparam.js': deparam(isVulnerable(variant) ? '' : refuse.replace('return', 'return false')),
          },
        }),
      ),
  },
  {
    name: 'widget with settings in the fragment',
    start: (variant) =>
      startApp(
        scriptPages({
          pages: {
            '/': '<!doctype html><a href="/widget">Widget</a>',
            '/widget': '<!doctype html><body><script type="module" src="/w.js"></script></body>',
          },
          scripts: { '/w.js': widget(isVulnerable(variant) ? '' : refuse) },
        }),
      ),
  },
  {
    name: 'options of the query that are merged into defaults',
    start: (variant) =>
      startApp(
        scriptPages({
          pages: {
            '/': `<!doctype html><title>Pages</title><script>${merging(isVulnerable(variant) ? '' : refuse)}</script>`,
          },
          scripts: {},
        }),
      ),
  },
];
