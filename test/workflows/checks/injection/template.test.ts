import ejs from 'ejs';
import handlebars from 'handlebars';
import nunjucks from 'nunjucks';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { percentDecodedOrSame } from '../../../../kit/percent.ts';
import { Severity } from '../../../../proto/gen/scanaudit/v1/findings_pb.ts';
import { template } from '../../../../workflows/checks/injection/template.check.ts';
import { escapeHtml, type Handler, html, json, startSite } from '../../../fixtures/site.ts';
import { firstRows, further } from '../../../support/further.ts';
import { places, runOn, stored } from '../harness.ts';

const test = suite('injection.template');

async function result(handler: Handler) {
  const site = await startSite(handler);
  try {
    return { ...(await runOn(site.url, template)), requests: site.requests };
  } finally {
    await site.close();
  }
}

const showing =
  (show: (name: string) => string): Handler =>
  ({ path, query }) => {
    if (path === '/') return html('<a href="/hello?name=Ada">Hello</a>');
    return path === '/hello' ? html(show(query.get('name') ?? '')) : undefined;
  };

/** A letter that is made of a template and sent to somebody: its page shows nothing of it. @param perMs turns of a loop */
const letter =
  (turnsIn: (text: string) => number, perMs = 30_000): Handler =>
  ({ path, query }) => {
    if (path === '/') return html('<a href="/letter?text=Dear%20reader">Write</a>');
    if (path !== '/letter') return undefined;
    return { ...html('<p>Queued</p>'), afterMs: Math.round(turnsIn(query.get('text') ?? '') / perMs) };
  };
const loops = {
  Jinja2: /\{% for a in range\(0,(\d+)\*(\d+)\) %\}\{% for b in range\(0,(\d+)\) %\}/,
  FreeMarker: /<#list 0\.\.<\((\d+)\*(\d+)\) as a><#list 0\.\.<(\d+) as b>/,
};

for (const [name, loop] of Object.entries(loops))
  test(`${name}: a template that nothing is shown of is found by the time of its loops, and not where it is a text`, async () => {
    const turnsIn = (text: string) =>
      (loop.exec(text) ?? []).slice(1).reduce((product, part) => product * Number(part), 1);
    const of = async (read: (text: string) => number) => {
      const site = await startSite(letter(read));
      try {
        return await runOn(site.url, template, { depth: 'deep', writes: 'create' });
      } finally {
        await site.close();
      }
    };
    const found = await of(turnsIn);
    assert.equal([found.outcome.kind, places(found)], ['found', ['GET /letter text']], found.outcome.reason);
    assert.match(found.findings[0]?.description ?? '', new RegExp(name));
    assert.is((await of(() => 0)).outcome.kind, 'clean');
  });

/** An engine that calculates what stands between its signs. */
const engine =
  (open: string, close: string, write = (value: number) => String(value)) =>
  (text: string) => {
    const [before = '', ...rest] = text.split(open);
    const parts = rest.map((part) => {
      const [inner = '', ...after] = part.split(close);
      const [, a, b] = /^\(?\s*(\d+)\s*\*\s*(\d+)\s*\)?$/.exec(inner) ?? [];
      return a === undefined ? `${open}${part}` : write(Number(a) * Number(b)) + after.join(close);
    });
    return [before, ...parts].join('');
  };

/** What a text with a mistake is shown as. */
const unless = (text: string, otherwise: string, render: (text: string) => string): string => {
  try {
    return render(text);
  } catch {
    return otherwise;
  }
};

const vulnerable: Record<string, (text: string) => string> = {
  'double braces': engine('{{', '}}'),
  'a dollar and braces': engine('${', '}'),
  'percent signs': engine('<%=', '%>'),
  'a hash and braces': engine('#{', '}'),
  'single braces': (text) => engine('{', '}')(text.replace(/\{if false\}.*?\{else\}(.*?)\{\/if\}/g, '$1')),
  'an at sign': engine('@(', ')'),
  'blocks that write': engine('<%context.write(str(', '))%>'),
  'blocks of Ruby that write, where "<%=" is refused': (text) =>
    text.includes('<%=') ? 'This is no name.' : engine('<% _erbout<<(', ').to_s%>')(text),
  'blocks of EJS that write, where "<%=" is refused': (text) =>
    text.includes('<%=') ? 'This is no name.' : unless(text, 'It cannot be printed.', (each) => ejs.render(each)),
  'a mistake for which the text stands as it is': (text) =>
    unless(text, text, (each) => nunjucks.renderString(each, {})),
  'percent signs, and a mistake for which the text stands as it is': (text) =>
    unless(text, text, (each) => ejs.render(each)),
};

/** Nobody sees what is rendered: a card that is printed. */
const printed =
  (render: (text: string) => string): Handler =>
  ({ path, query }) => {
    if (path === '/') return html('<a href="/card?name=Ada">A card for Ada</a>');
    if (path !== '/card') return undefined;
    try {
      render(`Dear ${query.get('name') ?? ''}, welcome.`);
      return html('<p>Your card is being printed.</p>');
    } catch {
      return { status: 500, body: 'Something went wrong.' };
    }
  };

/** Divides as Jinja, Twig and ERB do. */
const dividing = (text: string): string =>
  text.replace(/\{\{(.*?)(?:\}\}|$)/g, (_, inner: string) => {
    const [, a = '', b = ''] = /^\s*(\d+)\/(\d+)\s*$/.exec(inner) ?? [];
    if (a === '' || Number(b) === 0) throw new Error('the expression has no value');
    return String(Number(a) / Number(b));
  });

for (const [how, render] of firstRows(
  [
    ['divides', dividing],
    ['is Nunjucks', (text: string) => nunjucks.renderString(text, {})],
    ['is EJS', (text: string) => ejs.render(text)],
  ] as const,
  1,
))
  test(`a template that nobody sees, in a language that ${how}, is found by what fails`, async () => {
    const found = await result(printed(render));
    assert.equal([found.outcome.kind, places(found)], ['found', ['GET /card name']], found.outcome.reason);
  });

test('a page that refuses the signs of templates, and one that is given the name as data, are clean', async () => {
  const refusing = await result(
    printed((text) => {
      if (/[{}<>]/.test(text)) throw new Error('not a name');
      return text;
    }),
  );
  assert.is(refusing.outcome.kind, 'clean', refusing.outcome.reason);
  const given = await result(printed((name) => ejs.render('Dear <%= name %>', { name })));
  assert.is(given.outcome.kind, 'clean', given.outcome.reason);
});

for (const [how, render] of firstRows(Object.entries(vulnerable), 2)) {
  test(`an engine with ${how} is found`, async () => {
    const found = await result(showing((name) => render(`<p>Hello ${name}</p>`)));
    assert.equal([found.outcome.kind, places(found)], ['found', ['GET /hello name']], found.outcome.reason);
  });
}

/** `str.format` of Python with one value, a text: members, and nothing that is called. */
const formatted = (text: string): string =>
  text.replace(/\{(\w+)((?:\.\w+)*)\}/g, (_all, name: string, members: string) => {
    if (name !== 'guest') throw new Error(`KeyError: ${name}`);
    const [last] = members.split('.').slice(-1);
    if (members === '') return 'Ann';
    return last === '__name__' && /^(?:\.__class__){2}\.__name__$/.test(members) ? 'type' : "<class 'str'>";
  });

/** @param format what becomes of the text of an invitation */
const inviting =
  (format: (text: string) => string): Handler =>
  ({ path, query }) => {
    if (path === '/')
      return html(
        '<form action="/letter"><textarea name=text>Dear {guest}, do come!</textarea><button>Preview</button></form>',
      );
    return path === '/letter' ? html(orError(() => escapeHtml(format(query.get('text') ?? '')))) : undefined;
  };

further(test)('a format string that reads the members of its values is found, with less weight', async () => {
  const found = await result(inviting(formatted));
  assert.equal([found.outcome.kind, places(found)], ['found', ['GET /letter text']], found.outcome.reason);
  assert.is(found.findings[0]?.severity, Severity.MEDIUM);
});

test('placeholders that are replaced by name alone are clean', async () => {
  const found = await result(inviting((text) => text.replaceAll('{guest}', 'Ann')));
  assert.equal([found.outcome.kind, found.findings.length], ['clean', 0], found.outcome.reason);
});

const environment = new nunjucks.Environment(null, { autoescape: true });
const orError = (render: () => string): string => {
  try {
    return render();
  } catch (error) {
    return escapeHtml(`Template error: ${error instanceof Error ? error.message.slice(0, 80) : ''}`);
  }
};

const engines: Record<string, (text: string) => string> = {
  'a text with a capital': (text) =>
    environment.renderString(`<p>Hello ${text.charAt(0).toUpperCase()}${text.slice(1)}</p>`, {}),
  'a language that does not calculate (Handlebars)': (text) => handlebars.compile(`<p>Hello ${text}</p>`)({}),
  'a text within an expression (Nunjucks)': (text) => environment.renderString(`<p>{{ "Hello ${text}" }}</p>`, {}),
  'a text within a condition (Nunjucks)': (text) =>
    environment.renderString(`{% if '${text}' != '' %}<p>Hello</p>{% endif %}<!-- ${text.replace(/\W/g, '')} -->`, {}),
  'a text within an expression (EJS)': (text) => ejs.render(`<p><%= 'Hello ${text}' %></p>`, {}),
};

for (const [how, render] of firstRows(Object.entries(engines), 2))
  test(`${how} is found`, async () => {
    const found = await result(showing((name) => orError(() => render(name))));
    assert.equal([found.outcome.kind, places(found)], ['found', ['GET /hello name']], found.outcome.reason);
  });

test('a name within an expression, which does not come back, is found', async () => {
  const found = await result(({ path, query }) => {
    if (path === '/') return html('<a href="/hello?show=user.nickname">Hello</a>');
    const show = query.get('show') ?? '';
    const values = { user: { nickname: 'Ada' } };
    return path === '/hello' ? html(orError(() => environment.renderString(`Hello {{ ${show} }}`, values))) : undefined;
  });
  assert.equal([found.outcome.kind, places(found)], ['found', ['GET /hello show']], found.outcome.reason);
});

further(test)('an answer in JSON is found', async () => {
  const found = await result(({ path, query }) =>
    path === '/'
      ? html('<a href="/hello?name=Ada">Hello</a>')
      : json({ greeting: engine('{{', '}}')(`Hello ${query.get('name')}`) }),
  );
  assert.equal(places(found), ['GET /hello name']);
});

test('a page for what is not there, made of a text with the path in it, is found', async () => {
  const found = await result(({ path }) =>
    path === '/' ? html('<h1>Welcome</h1>') : html(engine('{{', '}}')(`<h3>${path} was not found</h3>`), 404),
  );
  assert.equal([found.outcome.kind, places(found)[0]?.startsWith('GET /')], ['found', true], found.outcome.reason);
});

further(test)('such a page for all that is not there is one finding, whatever folder is asked for it', async () => {
  const found = await result(({ path }) =>
    path === '/'
      ? html('<a href="/trails/lake">Lake</a><a href="/huts/7">Hut</a>')
      : /^\/(?:trails\/lake|huts\/7)$/.test(path)
        ? html(`<h1>${path}</h1>`)
        : html(engine('{{', '}}')(`<h3>${percentDecodedOrSame(path)} was not found</h3>`), 404),
  );
  assert.equal([found.outcome.kind, found.findings.length], ['found', 1], found.outcome.reason);
});

const missingTrail =
  (page: (text: string) => string): Handler =>
  ({ path }) => {
    if (path === '/') return html('<a href="/trails/lake">Lake</a>');
    if (path === '/trails/lake') return html('<h1>Lake trail</h1>');
    const [, name] = /^\/trails\/([^/]+)$/.exec(percentDecodedOrSame(path)) ?? [];
    return name === undefined ? undefined : html(page(`<p>There is no trail called ${escapeHtml(name)}.</p>`), 404);
  };

further(test)(
  'a page for what is not there in a folder with one page, made of a text with the name in it, is found',
  async () => {
    const found = await result(missingTrail(engine('{{', '}}')));
    assert.equal([found.outcome.kind, found.findings.length], ['found', 1], found.outcome.reason);
    assert.is((await result(missingTrail((text) => text))).outcome.kind, 'clean');
  },
);

test('a page for what is not there that repeats the path is clean', async () => {
  const found = await result(({ path }) => (path === '/' ? html('<h1>Welcome</h1>') : html(`<h3>${path}</h3>`, 404)));
  assert.equal([found.outcome.kind, found.findings.length], ['clean', 0], found.outcome.reason);
});

further(test)('an engine behind a filter that takes out the signs of others is found', async () => {
  const found = await result(
    showing((name) => `<p>${engine('#{', '}')(name.replace(/[^\w*#{}. ]+/g, '').replaceAll('{{', ''))}</p>`),
  );
  assert.equal([found.outcome.kind, places(found)], ['found', ['GET /hello name']], found.outcome.reason);
});

const clean: Record<string, (name: string) => string> = {
  'a value that is escaped': (name) => `<p>Hello ${escapeHtml(name)}</p>`,
  'a value that is repeated in capitals': (name) => `<p>HELLO ${name.toUpperCase()}</p>`,
  'a value that is repeated as it is': (name) => `<p>Hello ${name}</p>`,
  'a page for an engine of the browser': (name) => `<div ng-app>Hello ${escapeHtml(name)} {{1+1}}</div>`,
  'a calculator that does not mind signs': (name) =>
    name.replace(/[{}$#<>%=@()?c*[\]]*(\d{4})\*(\d{4})[{}$#<>%=@()?c*[\]]*/, (_all, a, b) => String(a * b)),
  'a value whose tags of a template are removed': (name) => `<p>${name.replace(/\{[{%].*?[%}]\}|<[#/%].*?>/g, '')}</p>`,
  'a value that the page gives to an engine as data': (name) => handlebars.compile('<p>Hello {{name}}</p>')({ name }),
  'a value that the engine escapes within an expression': (name) =>
    environment.renderString('{{ "Hello " + name }}', { name }),
  'a value that is not shown': () => '<p>Hello</p>',
  'a value whose signs are removed': (name) => `<p>${name.replace(/[^\w*]/g, '')}</p>`,
};

for (const [what, show] of firstRows(Object.entries(clean), 2)) {
  test(`${what} is clean`, async () => {
    const found = await result(showing(show));
    assert.equal([found.outcome.kind, found.findings.length], ['clean', 0], found.outcome.reason);
  });
}

further(test)(
  'an engine behind a pattern that holds for one line of several is found, and not behind one that holds for all',
  async () => {
    const checked = (pattern: RegExp): Handler =>
      showing((name) => {
        try {
          return pattern.test(name) ? ejs.render(`<p>Hello ${name}</p>`) : '<p>Letters, please.</p>';
        } catch {
          return '<p>That went wrong.</p>';
        }
      });
    const found = await result(checked(/^[a-z ]+$/im));
    assert.equal(places(found), ['GET /hello name'], found.outcome.reason);
    const mended = await result(checked(/^[a-z ]+$/i));
    assert.equal([mended.outcome.kind, places(mended)], ['clean', []], mended.outcome.reason);
  },
);

further(test)(
  'an engine whose lines are statements is found where braces are refused, and not where the value is one line',
  async () => {
    // What stands in a line behind an equals sign is calculated, as in Pug.
    const calculated = (line: string): string =>
      line.replace(
        /^= "(\w+)"\+(\d+)\*(\d+)\+"(\w+)"$/,
        (_, before, a, b, after) => before + Number(a) * Number(b) + after,
      );
    const lines = (text: string) => text.split('\n').map(calculated).join('\n');
    const of = (oneLine: (name: string) => string): Handler =>
      showing((name) =>
        /[{}<>]/.test(name) ? '<p>No braces, please.</p>' : `<p>${lines(`Hello ${oneLine(name)}`)}</p>`,
      );
    const found = await result(of(String));
    assert.equal(places(found), ['GET /hello name'], found.outcome.reason);
    const mended = await result(of((name) => name.replaceAll('\n', ' ')));
    assert.equal([mended.outcome.kind, places(mended)], ['clean', []], mended.outcome.reason);
  },
);

test('lookups that decode, and calculate nothing, are found, and not where the text is a value of theirs', async () => {
  const lookedUp = (text: string) =>
    text.replace(/\$\{base64Decoder:([^}]*)\}/g, (_, encoded) => Buffer.from(encoded, 'base64').toString());
  const found = await result(showing((name) => `<p>${escapeHtml(lookedUp(`Dear ${name}`))}</p>`));
  assert.equal(places(found), ['GET /hello name'], found.outcome.reason);
  const mended = await result(showing((name) => `<p>${lookedUp('Dear ')}${escapeHtml(name)}</p>`));
  assert.equal([mended.outcome.kind, places(mended)], ['clean', []], mended.outcome.reason);
});

test('a value that does not come back costs one request', async () => {
  const { requests } = await result(showing(() => 'Hello'));
  assert.is(requests.filter((request) => /\?name=(?!Ada)/.test(request)).length, 1);
});

test('a value of which a name is made costs few requests', async () => {
  const { requests } = await result(showing((name) => `<p>No page ${name.replace(/[^\w]+/g, '_')}</p>`));
  assert.ok(requests.filter((request) => /\?name=(?!Ada)/.test(request)).length <= 6, requests.join('\n'));
});

test('a value that links repeat, also within an address of theirs, costs three requests', async () => {
  const { requests } = await result(
    showing((name) => {
      const here = `/hello?${new URLSearchParams({ name })}`;
      const there = `/login?${new URLSearchParams({ next: here })}`;
      return `<h1>${escapeHtml(name)}</h1><a href="${here}&amp;page=2">Next</a><a href="${there}">Log in</a>`;
    }),
  );
  assert.is(requests.filter((request) => /\/hello\?name=(?!Ada)/.test(request)).length, 3, requests.join());
});

test('the proof has new numbers each time, and names the languages', async () => {
  const found = await result(showing((name) => engine('{{', '}}')(name)));
  assert.match(found.findings[0]?.description ?? '', /^Expressions are written as in Jinja2/);
  assert.match(stored(found), /‹product:int:int2›/);
});

test.run();
