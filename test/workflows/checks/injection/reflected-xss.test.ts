import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { reflectedXss } from '../../../../workflows/checks/injection/reflected-xss.check.ts';
import type { BrowserPool } from '../../../../workflows/probe/browser/launch.ts';
import { escapeHtml, type Handler, html, json, startSite } from '../../../fixtures/site.ts';
import { further, usualRows } from '../../../support/further.ts';
import { places, runOn, stored, testBrowsers } from '../harness.ts';

const test = suite<{ browsers: BrowserPool }>('injection.reflected-xss');
test.before((context) => {
  context.browsers = testBrowsers();
});
test.after(({ browsers }) => browsers.close());

async function result(browsers: BrowserPool, handler: Handler) {
  const site = await startSite(handler);
  try {
    return await runOn(site.url, reflectedXss, { browsers });
  } finally {
    await site.close();
  }
}

/** A site whose page /find shows its parameter "q" as `show` does. */
const showing =
  (show: (q: string) => string, headers: Record<string, string> = {}): Handler =>
  ({ path, query }) => {
    if (path === '/') return html('<a href="/find?q=lamp">Lamps</a>');
    return path === '/find' ? html(show(query.get('q') ?? ''), 200, headers) : undefined;
  };

const withoutTags = (text: string) => text.replace(/[<>]/g, '');
const withoutQuotes = (text: string) => text.replace(/["']/g, '');

const vulnerable: Record<string, (q: string) => string> = {
  'in text': (q) => `<p>Results for ${q}</p>`,
  'in a title': (q) => `<title>${q} - Shop</title><p>x</p>`,
  'in a text area': (q) => `<form><textarea name=t>${q}</textarea></form>`,
  'in a comment of a script, with code behind it': (q) =>
    `<script>/* asked: ${withoutTags(q)} */ var last = 1;</script>`,
  'in script of an address, escaped for HTML': (q) =>
    `<script>function show() {}</script><a href="javascript:show('${escapeHtml(q)}')">x</a>`,
  'in a handler whose string holds, and whose attribute ends': (q) =>
    `<a href="#" onclick='show("${q.replace(/["\\]/g, '\\$&').replace(/"/g, '&quot;')}")'>x</a>`,
  'in the name of a member': (q) => `<script>const o = { '${withoutTags(q)}': 1 };</script>`,
  'in the name of a variable': (q) => `<script>var ${withoutTags(withoutQuotes(q))} = 1;</script>`,
  'in a comment': (q) => `<p>x</p><!-- query: ${q} -->`,
  'in an attribute with double quotes': (q) => `<input name="q" value="${q.replace(/'/g, '')}">`,
  'in an attribute with single quotes': (q) => `<div title='${q}'>x</div>`,
  'in an attribute without quotes': (q) => `<div title=${q}>x</div>`,
  'in an attribute whose angle brackets are removed': (q) => `<input name="q" value="${withoutTags(q)}">`,
  'in a string of a script': (q) => `<script>var term = '${withoutTags(q)}'; document.title = term;</script>`,
  'in a string of a script that escapes quotes but not backslashes': (q) =>
    `<script>function track() {}</script><script>track("search", "${withoutTags(q).replace(/"/g, '\\"')}");</script>`,
  'in a template literal': (q) => `<script>const t = \`you asked for ${withoutTags(withoutQuotes(q))}\`;</script>`,
  'in a regular expression of a script': (q) => `<script>const r = /${withoutTags(withoutQuotes(q))}/i;</script>`,
  'without quotes at the begin of the address of a picture': (q) =>
    `<img src=${withoutTags(withoutQuotes(q))} width=9>`,
  'in code of a script': (q) => `<script>window.page = ${withoutTags(withoutQuotes(q)) || 0};</script>`,
  'in a string whose quotes are escaped, but not the end of the script': (q) =>
    `<script>var s = ${JSON.stringify(q)};</script>`,
  'in an event handler, escaped for HTML': (q) =>
    `<body onload="show('${escapeHtml(q)}')"><script>function show() {}</script>`,
  'in an event handler that waits for a click, with quotes escaped by number': (q) =>
    `<script>function show() {}</script><button onclick="show('${q.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)}')">x</button>`,
  'in a page within an attribute, escaped for HTML': (q) => `<iframe srcdoc="${escapeHtml(`<p>${q}</p>`)}"></iframe>`,
  'in the address of a link, escaped for HTML': (q) => `<a href="${escapeHtml(q)}">back</a>`,
  'in the address of a frame, escaped for HTML': (q) => `<iframe src="${escapeHtml(q)}"></iframe>`,
  'in the name of an attribute': (q) => `<div ${withoutTags(q)}>x</div>`,
  'past a filter that removes script tags once': (q) =>
    `<p>${q.replace(/<\/?script>/gi, '').replace(/\bon\w+=/gi, '')}</p>`,
  'past a filter that knows lower case only': (q) => `<p>${/<script|<img|<svg|<details|<x-|<a /.test(q) ? '' : q}</p>`,
  'past a filter that takes out whole tags': (q) => `<p>${q.replace(/<[^>]*>/g, '')}</p>`,
  'past a filter that lists words': (q) => `<p>${/script|onerror|onload|onfocus|alert|svg|img/i.test(q) ? '' : q}</p>`,
  'past a filter of spaces and slashes': (q) => `<p>${q.replace(/[ /]/g, '')}</p>`,
  'past a filter of parentheses and white space': (q) => `<p>${q.replace(/[()\s]/g, '')}</p>`,
  'in upper case': (q) => `<p>${q.toUpperCase()}</p>`,
  'in upper case, cut to 80 characters, without brackets of calls': (q) =>
    `<p>${/[(`]/.test(q) ? 'Refused' : q.slice(0, 80).toUpperCase()}</p>`,
  'in upper case in an attribute without angle brackets': (q) =>
    `<input name="q" value="${withoutTags(q).toUpperCase()}">`,
  'past a filter of parentheses and backticks': (q) => `<p>${q.replace(/[()`]/g, '')}</p>`,
  'past a filter that takes words out once': (q) =>
    `<p>${q.replace(/script|onload|onerror|<svg|<x-|ontoggle|<a /gi, '')}</p>`,
  'past a filter that lists tags': (q) => `<p>${/<(?!\/?b\b)\w/i.test(q) ? '' : q}</p>`,
  'past a filter that lists all calls': (q) => `<p>${/alert|confirm|prompt|script/i.test(q) ? '' : q}</p>`,
  'past a filter that leaves pictures and takes a handler out once': (q) =>
    `<p>${q.replace(/<(?!img)[^>]*>?/gi, '').replace(/onerror|onload/i, '')}</p>`,
  'in a hidden field whose angle brackets are removed': (q) =>
    `<input type="hidden" name="q" value="${withoutTags(q)}">`,
  'in a string of a script that lists calls': (q) =>
    `<script>var term = '${/alert|confirm|[-<>]/.test(q) ? '' : q}';</script>`,
  'in the address of a link from which a scheme is removed once': (q) =>
    `<a href="${escapeHtml(q.replace(/javascript(?!:\S*script)/i, ''))}">back</a>`,
  'in the address of a link that has to have an address in it': (q) =>
    `<a href="${q.includes('https://') || !q.includes(':') ? escapeHtml(q) : ''}">back</a>`,
  'after it is decoded a second time': (q) =>
    `<p>${decodeURIComponent(escapeHtml(q).replace(/%(?![0-9a-f]{2})/gi, '%25'))}</p>`,
};

/** Filters that only what gets past them shows: none of the usual payloads does. */
const filtered: Record<string, (q: string) => string> = {
  'past a filter of a tag and of all handlers, until none is left': (q) =>
    `<p>${untilGone(untilGone(q, /<\/?script[^>]*>?/gi), /on\w+\s*=/gi)}</p>`,
  'past a filter of all calls by name and of parentheses': (q) =>
    `<p>${/alert|confirm|prompt|eval|[()]/i.test(q) ? 'Refused' : q}</p>`,
  'cut to 32 characters': (q) => `<p>${q.slice(0, 32)}</p>`,
  'past a filter of the usual elements': (q) =>
    `<p>${/<(?:script|img|svg|iframe|body|a|input|video|audio|details|object|embed|style|b|x-)/i.test(q) ? 'Refused' : q}</p>`,
  'in a title, past a filter that lists all elements of HTML and the usual handlers': (q) =>
    `<title>${/<(?:[a-z]+\d?)[\s/>]|on(?:load|error|click|focus|toggle|mouse\w*|pointer\w*|begin|start)\s*=/i.test(q) ? 'Refused' : q}</title>`,
  'in a field whose type follows its value, past a filter of angle brackets, parentheses and the usual handlers': (q) =>
    `<form><input value="${q.replace(/[<>()]/g, '').replace(/alert|confirm|prompt|onfocus|onclick|onload|onpointer\w*|oncontent\w*|onmouse\w*/gi, '')}" name="from" type="hidden"></form>`,
  'past a filter of white space and of the usual elements': (q) =>
    `<p>${/\s|<(?:script|img|svg|iframe|body|a|input|video|audio|object|embed|style|b|x-)/i.test(q) ? 'Refused' : q}</p>`,
  'past a filter of handlers that are written without white space': (q) =>
    `<p>${/on\w+=|script/i.test(q) ? '' : q}</p>`,
  'normalised after it is escaped': (q) => `<p>${escapeHtml(q).normalize('NFKC')}</p>`,
  'rendered by what encodes angle brackets that begin no tag': (q) => `<p>${q.replace(/<(?![a-z/!])/gi, '&lt;')}</p>`,
  'in a text area whose end is removed in one spelling': (q) =>
    `<form><textarea name=t>${q.replaceAll('</textarea>', '')}</textarea></form>`,
  'with references by name made characters after angle brackets are removed': (q) =>
    `<p>${withoutTags(q)
      .replace(/&lt;/g, '<')
      .replace(/&gt;/g, '>')
      .replace(/&quot;/g, '"')}</p>`,
  'with all tags but links escaped': (q) => `<p>${q.replace(/<(?!\/?a\b)/gi, '&lt;')}</p>`,
  'as a link of Markdown': (q) =>
    `<p>${escapeHtml(q).replace(/\[([^\]]+)\]\(([^)\s]+)\)/g, '<a href="$2">$1</a>')}</p>`,
  'as a picture of BBCode with quotes': (q) =>
    `<p>${q.replace(/[<>]/g, '').replace(/\[img\](.+?)\[\/img\]/g, '<img src="$1">')}</p>`,
  'with escapes of JSON made characters after a filter': (q) =>
    `<p>${withoutTags(q).replace(/\\u([0-9a-f]{4})/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))}</p>`,
};

function untilGone(text: string, pattern: RegExp): string {
  const rest = text.replace(pattern, '');
  return rest === text ? text : untilGone(rest, pattern);
}

/** A place of each kind, and a filter of each. */
const usualPlaces = ['in text', 'in a string of a script'];

const usualFilters = ['normalised after it is escaped'];

for (const [where, show] of [...usualRows(vulnerable, usualPlaces), ...usualRows(filtered, usualFilters)]) {
  test(`a value that comes back ${where} is found`, async ({ browsers }) => {
    const found = await result(browsers, showing(show));
    assert.equal([found.outcome.kind, places(found)], ['found', ['GET /find q']], found.outcome.reason);
  });
}

const safe: Record<string, (q: string) => string> = {
  'escaped in text': (q) => `<p>Results for ${escapeHtml(q)}</p>`,
  'escaped in an attribute': (q) => `<input value="${escapeHtml(q)}">`,
  'as JSON in a script with "<" escaped': (q) =>
    `<script>var s = ${JSON.stringify(q).replace(/</g, '\\u003c')};</script>`,
  'in a comment without its end': (q) => `<!-- ${q.replace(/-/g, '')} -->`,
  'behind a scheme of its own in a link': (q) => `<a href="/find?q=${encodeURIComponent(q)}">again</a>`,
  'in code that a comment shows': (q) => `<pre>;alert(1); ${escapeHtml(q)}</pre>`,
  'in upper case with references encoded': (q) => `<p>${q.replaceAll('&', '&amp;').toUpperCase()}</p>`,
  'cut to a few characters': (q) => `<p>${q.slice(0, 14)}</p>`,
  'with tags of a list that have no attributes': (q) =>
    `<p>${escapeHtml(q).replace(/&lt;(\/?(?:b|i|em))&gt;/g, '<$1>')}</p>`,
  'as a link of Markdown whose scheme is looked at': (q) =>
    `<p>${escapeHtml(q).replace(/\[([^\]]+)\]\((https?:[^)\s]+)\)/g, '<a href="$2">$1</a>')}</p>`,
  'as a picture of BBCode with quotes encoded': (q) =>
    `<p>${escapeHtml(q).replace(/\[img\](.+?)\[\/img\]/g, '<img src="$1">')}</p>`,
  'in a title, with all elements but unknown ones refused and all handlers removed': (q) =>
    `<title>${/<(?:[a-z]+\d?)[\s/>]|\bon\w+/i.test(q) ? 'Refused' : q}</title>`,
  'in a field whose type follows its value, with quotes encoded': (q) =>
    `<form><input value="${q.replaceAll('"', '&quot;')}" name="from" type="hidden"></form>`,
  'with attributes of all elements removed': (q) =>
    `<p>${q.replace(/<(\/?\w+)[^>]*>?/g, '<$1>').replace(/<script>/gi, '')}</p>`,
};

const usualEscapes = ['escaped in text', 'as JSON in a script with "<" escaped', 'in a comment without its end'];

for (const [how, show] of usualRows(safe, usualEscapes)) {
  test(`a value that comes back ${how} is clean`, async ({ browsers }) => {
    const found = await result(browsers, showing(show));
    assert.equal([found.outcome.kind, found.findings.length], ['clean', 0], found.outcome.reason);
  });
}

further(test)('a policy that stops the script refutes it', async ({ browsers }) => {
  const found = await result(
    browsers,
    showing((q) => `<p>${q}</p>`, { 'content-security-policy': "script-src 'self'" }),
  );
  assert.is(found.outcome.kind, 'clean');
});

for (const [pattern, kind] of [
  [/https?:\/\//, 'found'],
  [/^https?:\/\//, 'clean'],
] as const)
  test(`the address of a link that has to match ${pattern.source}, where the site gives one: ${kind}`, async ({
    browsers,
  }) => {
    const { outcome } = await result(browsers, ({ path, query }) => {
      if (path === '/') return html('<a href="/away?to=https://partner.example/shop">Partner</a>');
      const to = query.get('to') ?? '';
      return path === '/away' ? html(`<a href="${pattern.test(to) ? escapeHtml(to) : '/'}">Go on</a>`) : undefined;
    });
    assert.is(outcome.kind, kind, outcome.reason);
  });

/** A page with this policy, and an address of the site whose answer begins with what it is given, as far as `callback` lets it. */
const underPolicy =
  (policy: () => string, callback: (name: string) => string = () => 'show'): Handler =>
  ({ path, query }) => {
    if (path === '/') return html('<a href="/find?q=lamp">Lamps</a><a href="/offers?callback=show">Offers</a>');
    if (path === '/find') return html(`<p>${query.get('q')}</p>`, 200, { 'content-security-policy': policy() });
    if (path !== '/offers') return undefined;
    const body = `${callback(query.get('callback') ?? '')}({"offers":[]})`;
    return { headers: { 'content-type': 'text/javascript' }, body };
  };

further(test)('a policy whose nonce is the same for everybody does not stop the script', async ({ browsers }) => {
  const found = await result(
    browsers,
    underPolicy(() => "script-src 'nonce-cGFnZQ=='"),
  );
  assert.equal(places(found), ['GET /find q'], found.outcome.reason);
});

further(test)('a policy with a nonce for each answer stops the script', async ({ browsers }) => {
  let count = 0;
  const found = await result(
    browsers,
    underPolicy(() => `script-src 'nonce-page${++count}'`),
  );
  assert.is(found.outcome.kind, 'clean');
});

further(test)(
  'a policy that trusts the site does not stop what a callback of the site answers',
  async ({ browsers }) => {
    const found = await result(
      browsers,
      underPolicy(
        () => "default-src 'self'",
        (name) => name,
      ),
    );
    assert.equal(places(found), ['GET /find q'], found.outcome.reason);
  },
);

further(test)('a callback that is a name and nothing else is no way past a policy', async ({ browsers }) => {
  const found = await result(
    browsers,
    underPolicy(
      () => "default-src 'self'",
      (name) => name.replace(/\W/g, ''),
    ),
  );
  assert.is(found.outcome.kind, 'clean');
});

further(test)(
  'a policy that trusts the site does not stop a script of the site with a value in its code',
  async ({ browsers }) => {
    const policy = { 'content-security-policy': "script-src 'self'" };
    const site = (spell: (text: string) => string) =>
      result(browsers, ({ path, query }) => {
        if (path === '/') return html('<a href="/find?q=lamp">Lamps</a><script src="/settings.js?lang=en"></script>');
        if (path === '/find') return html(`<p>${query.get('q')}</p>`, 200, policy);
        const body = `var lang = '${spell(query.get('lang') ?? '')}';`;
        return path === '/settings.js' ? { headers: { 'content-type': 'text/javascript' }, body } : undefined;
      });
    const [found, patched] = [await site((text) => text), await site((text) => text.replace(/\W/g, ''))];
    assert.equal([places(found), places(patched)], [['GET /find q'], []], found.outcome.reason);
  },
);

further(test)('a picture that runs script when it is opened is found', async ({ browsers }) => {
  const found = await result(browsers, ({ path, query }) => {
    if (path === '/') return html('<a href="/find?q=lamp">Lamps</a>');
    const body = `<svg xmlns="http://www.w3.org/2000/svg"><text>${query.get('q')}</text></svg>`;
    return path === '/find' ? { headers: { 'content-type': 'image/svg+xml' }, body } : undefined;
  });
  assert.equal(places(found), ['GET /find q'], found.outcome.reason);
});

further(test)('an answer that is no page is clean, whatever it repeats', async ({ browsers }) => {
  const found = await result(browsers, ({ path, query }) =>
    path === '/' ? html('<a href="/api?q=x">x</a>') : path === '/api' ? json({ q: query.get('q') }) : undefined,
  );
  assert.is(found.outcome.kind, 'clean');
});

further(test)('a page that shows a dialog with whatever it is given, as a feature, is clean', async ({ browsers }) => {
  const found = await result(
    browsers,
    showing((q) => `<script>alert(${JSON.stringify(escapeHtml(q))})</script>`),
  );
  assert.is(found.outcome.kind, 'clean');
});

further(test)('a field of a search form is an input', async ({ browsers }) => {
  const found = await result(browsers, ({ path, query }) => {
    if (path === '/')
      return html('<form action="/s"><input name="term"><input type="hidden" name="lang" value="en"></form>');
    return path === '/s' && query.get('lang') === 'en' ? html(`<h2>${query.get('term')}</h2>`) : undefined;
  });
  assert.equal(places(found), ['GET /s term']);
});

further(test)('an error page that repeats the path is found', async ({ browsers }) => {
  const found = await result(browsers, ({ path }) =>
    path === '/' ? html('hello') : html(`<p>No page ${path}</p>`, 404),
  );
  assert.equal([found.outcome.kind, found.findings[0]?.location?.parameterIn], ['found', 'path']);
});

test('the name of a parameter that a page shows is found, and not where it is written as text', async ({
  browsers,
}) => {
  const site =
    (write: (text: string) => string): Handler =>
    ({ path, query }) => {
      if (path === '/') return html('<a href="/filters?size=1">Filters</a>');
      return path === '/filters'
        ? html(`<ul>${[...query.keys()].map((name) => `<li>${write(name)}</li>`).join('')}</ul>`)
        : undefined;
    };
  assert.equal(
    places(
      await result(
        browsers,
        site((text) => text),
      ),
    ),
    ['GET /filters name of a parameter'],
  );
  assert.equal(places(await result(browsers, site(escapeHtml))), []);
});

test('what is said of a page that the site links to and that is not there is looked at by itself', async ({
  browsers,
}) => {
  const site =
    (write: (text: string) => string): Handler =>
    ({ path }) => {
      if (path === '/') return html('<a href="/part/sports">Sports</a>');
      const name = /^\/part\/(.+)$/.exec(path)?.[1];
      return name === undefined ? html('<p>No page</p>', 404) : html(`<p>Nothing in ${write(name)}</p>`, 404);
    };
  assert.equal(
    places(
      await result(
        browsers,
        site((text) => text),
      ),
    ),
    ['GET /part/sports 2'],
  );
  assert.equal(places(await result(browsers, site(escapeHtml))), []);
});

further(test)('the only page of a folder, whose route repeats the name in its path, is found', async ({ browsers }) => {
  const found = await result(browsers, ({ path }) => {
    if (path === '/') return html('<a href="/tag/vegan">Vegan</a>');
    const [, tag] = /^\/tag\/(.+)$/.exec(path) ?? [];
    return tag === undefined ? html('<p>Nothing here</p>', 404) : html(`<h1>Recipes: ${decodeURIComponent(tag)}</h1>`);
  });
  assert.equal(places(found), ['GET /tag/vegan 2'], found.outcome.reason);
});

/** Exercises under numbers, of which each shows its parameter by code of its own, and products that one code shows. */
const numbered =
  (exercises: readonly ((q: string) => string)[]): Handler =>
  ({ path, query }) => {
    const q = query.get('q') ?? '';
    const links = exercises.map((_, index) => `<a href="/exercise/${index + 1}">${index + 1}</a>`).join('');
    if (path === '/') return html(links);
    const [, number] = /^\/exercise\/(\d+)$/.exec(path) ?? [];
    const show = exercises[Number(number) - 1];
    return (
      show && html(`<h1>Exercise ${number}</h1><form><input name="q"><button>Try</button></form><p>${q && show(q)}</p>`)
    );
  };

further(test)(
  'of pages under numbers each that behaves in its own way is looked at, and one of those that behave alike',
  async ({ browsers }) => {
    const found = await result(
      browsers,
      numbered([
        escapeHtml,
        escapeHtml,
        (q) => q,
        (q) => q,
        (q) => `<input value="${withoutTags(q)}">`,
        (q) => withoutTags(q),
        (q) => `<script>var last = "${withoutTags(q)}";</script>`,
        (q) => `<script>var last = '${withoutTags(q).replaceAll("'", '')}';</script>`,
      ]),
    );
    const urls = found.findings.flatMap(({ locations = [] }) => locations.map(({ url = '' }) => new URL(url).pathname));
    assert.is(urls.length, 3, found.outcome.reason);
    assert.ok(urls.includes('/exercise/7'), urls.join());
    assert.ok(urls.includes('/exercise/5') && urls.some((path) => /[34]$/.test(path)), urls.join());
  },
);

further(test)('a value that only passes behind the one the site uses is found', async ({ browsers }) => {
  const found = await result(browsers, ({ path, query }) => {
    const id = query.get('id') ?? '';
    if (path === '/') return html('<a href="/item?id=42">item</a>');
    return path === '/item' && id.startsWith('42') ? html(`<b>Item ${id}</b>`) : undefined;
  });
  assert.equal(places(found), ['GET /item id']);
});

further(test)('the proof shows the address, the dialog and its control, and runs on curl', async ({ browsers }) => {
  const found = await result(
    browsers,
    showing((q) => `<p>${q}</p>`),
  );
  const proof = found.findings[0]?.proof;
  assert.is(proof?.trials, 2);
  assert.match(
    proof?.curl ?? '',
    /^# Open in a browser: 'http:.*\ncurl -sS -i 'http:\/\/shop\.localhost:\d+\/find\?q=%3Csvg/,
  );
  assert.match(stored(found), /dialog: [a-z0-9]{10}/);
});

/** A site whose form posts a search, with these hidden fields, and shows it as it is. */
const posting =
  (
    hidden: string,
    isAccepted: (fields: URLSearchParams) => boolean = () => true,
    show: (text: string) => string = String,
  ): Handler =>
  ({ method, path, body }) => {
    if (path === '/')
      return html(`<form method="post" action="/find">${hidden}<input name="q"><button>Find</button></form>`);
    const fields = new URLSearchParams(body);
    return method === 'POST' && isAccepted(fields)
      ? html(`<p>${show(fields.get('q') ?? '')}</p>`)
      : html('refused', 403);
  };

further(test)('a form that is posted runs script when a page of another site posts it', async ({ browsers }) => {
  const found = await result(browsers, posting('<input type="hidden" name="lang" value="en">'));
  assert.equal(places(found), ['POST /find q']);
  const { proof } = found.findings[0] ?? {};
  assert.match(
    proof?.curl ?? '',
    /--data-raw 'lang=en&q=%3Csvg[^']*' http:.*\/find\n# In a browser: A page of another site posts the form/,
  );
});

further(test)('what is posted is looked for in upper case, too, where it comes back so', async ({ browsers }) => {
  const hidden = '<input type="hidden" name="lang" value="en">';
  const found = await result(
    browsers,
    posting(hidden, undefined, (text) => text.slice(0, 90).toUpperCase()),
  );
  assert.equal(places(found), ['POST /find q'], found.outcome.reason);
  const patched = await result(
    browsers,
    posting(hidden, undefined, (text) => escapeHtml(text.slice(0, 90).toUpperCase())),
  );
  assert.equal(places(patched), []);
});

test('a form with a token can be posted by no other page, so that it is clean', async ({ browsers }) => {
  const token = 'f3a9c07bd1e24c55';
  const found = await result(
    browsers,
    posting(`<input type="hidden" name="csrf_token" value="${token}">`, (fields) => fields.get('csrf_token') === token),
  );
  assert.equal([found.outcome.kind, found.findings.length], ['clean', 0]);
});

test('without a browser the check is not run, and says why', async () => {
  const site = await startSite(showing((q) => `<p>${q}</p>`));
  try {
    const { outcome } = await runOn(site.url, reflectedXss);
    assert.is(outcome.kind, 'not-run');
    assert.match(outcome.reason, /browser/);
  } finally {
    await site.close();
  }
});

test.run();
