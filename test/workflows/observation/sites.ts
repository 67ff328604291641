import { type Answer, escapeHtml, type Handler, html, json, type Request, redirect } from '../../fixtures/site.ts';

/** Values of a form or of the query. */
const valuesOf = ({ query, body }: Request): URLSearchParams => new URLSearchParams(body === '' ? query : body);
const items = (texts: readonly string[]): string =>
  `<ul>${texts.map((text) => `<li>${escapeHtml(text)}</li>`).join('')}</ul>`;
const isForm = ({ method, path }: Request, at: string): boolean => method === 'POST' && path === at;
const post = (action: string, fields: string, button = 'OK'): string =>
  `<form method="post" action="${action}">${fields}<button>${button}</button></form>`;

/** What is written stands on the page for all. */
export function guestbook(): Handler {
  const entries = ['First!'];
  return (request) => {
    if (isForm(request, '/book')) {
      entries.push(valuesOf(request).get('words') ?? '');
      return redirect('/book', 303);
    }
    if (request.path === '/book')
      return html(post('/book', '<input name="who"><textarea name="words"></textarea>', 'Sign') + items(entries));
    return request.path === '/' ? html('<a href="/book">Book</a>') : undefined;
  };
}

/** It answers at once; its list is on another page, and shows the text only after a while. */
export function delayedList(): Handler {
  const waiting: { text: string; fromMs: number }[] = [];
  return (request) => {
    if (isForm(request, '/ideas/new')) {
      const text = valuesOf(request).get('idea') ?? '';
      waiting.push({ text, fromMs: performance.now() + 1_000 });
      return html(`<p>Taken: ${escapeHtml(text)}</p>`);
    }
    if (request.path === '/ideas/new') return html(post('/ideas/new', '<input name="idea">'));
    const shown = waiting.filter(({ fromMs }) => fromMs < performance.now()).map(({ text }) => text);
    if (request.path === '/ideas/') return html(items(shown));
    return request.path === '/' ? html('<a href="/ideas/">All</a><a href="/ideas/new">Yours</a>') : undefined;
  };
}

/** Its answer has the text among those that are kept, which no page shows. */
export function hiddenList(at: string, button: string): Handler {
  const kept: string[] = [];
  return (request) => {
    if (request.method === 'POST') {
      kept.push(valuesOf(request).get('label') ?? '');
      return json({ success: true, options: kept.map((each) => `<option>${escapeHtml(each)}</option>`).join('') });
    }
    return request.path === '/' ? html(post(at, '<input name="label">', button)) : undefined;
  };
}

/** Nothing shows the text, but there is one row more. */
export function growingList(): Handler {
  let count = 2;
  return (request) => {
    if (isForm(request, '/tickets/new')) {
      count += 1;
      return html('<p>Number taken.</p>');
    }
    if (request.path === '/tickets/new') return html(post('/tickets/new', '<input name="topic">'));
    if (request.path === '/tickets/')
      return html(items(Array.from({ length: count }, (_, index) => `Ticket ${index}`)));
    return request.path === '/' ? html('<a href="/tickets/">All</a><a href="/tickets/new">New</a>') : undefined;
  };
}

/** Finds words; every page has a counter, a random saying, the time, and some advertisements. */
export function noisySearch(): Handler {
  const lamps = ['red lamp', 'green lamp'];
  let seen = 0;
  const page = (content: string): Answer => {
    seen += 1;
    const saying = ['Ex', 'Yp', 'Zo'][Math.floor(Math.random() * 3)];
    const advertisements = '<b class="ad">Ad</b>'.repeat(1 + (seen % 3));
    return html(
      `${content}<p class="hits">Seen ${seen} times</p><p class="saying">${saying}</p><i>${new Date().toISOString()}</i>${advertisements}`,
    );
  };
  return (request) => {
    if (isForm(request, '/look')) {
      const wanted = valuesOf(request).get('thing') ?? '';
      return page(`<p>For ${escapeHtml(wanted)}:</p>${items(lamps.filter((name) => name.includes(wanted)))}`);
    }
    if (request.path === '/look') return page(post('/look', '<input name="thing">', 'Go'));
    return request.path === '/' ? page('<a href="/look">Look</a>') : undefined;
  };
}

/** Works something out, and says only the result. */
export const calculator = (): Handler => (request) => {
  const values = valuesOf(request);
  if (isForm(request, '/sum')) return html(`<p>${Number(values.get('one')) + Number(values.get('two'))}</p>`);
  if (request.path === '/sum')
    return html(post('/sum', '<input type="number" name="one"><input type="number" name="two">'));
  return request.path === '/' ? html('<a href="/sum">Sum</a>') : undefined;
};

/** A program that works with numbers, and fails on everything else. */
export const numbersOnly = (): Handler => (request) => {
  const values = valuesOf(request);
  if (isForm(request, '/half')) {
    const number = Number(values.get('of'));
    return Number.isNaN(number)
      ? { status: 500, body: 'TypeError' }
      : html(`<p>Half of ${number} is ${number / 2}</p>`);
  }
  if (request.path === '/half') return html(post('/half', '<input name="of">'));
  return request.path === '/' ? html('<a href="/half">Half</a>') : undefined;
};

/** A choice that leads to what was chosen. */
export const chooser = (): Handler => (request) => {
  if (isForm(request, '/films')) return html(`<h1>Film ${escapeHtml(valuesOf(request).get('film') ?? '')}</h1>`);
  if (request.path !== '/') return undefined;
  return html(
    post('/films', '<select name="film"><option>1<option>2</select><input type="checkbox" name="dubbed">', 'Show'),
  );
};

/** A choice that a list of what was chosen shows to all. */
export function shelf(): Handler {
  const chosen = ['Lamp'];
  return (request) => {
    if (isForm(request, '/shelf/choice')) {
      chosen.push(valuesOf(request).get('thing') ?? '');
      return redirect('/shelf/', 303);
    }
    if (request.path === '/shelf/')
      return html(
        post('/shelf/choice', '<input type="radio" name="thing" value="rug" checked>', 'Next') + items(chosen),
      );
    return request.path === '/' ? html('<a href="/shelf/">Shelf</a>') : undefined;
  };
}

/** Choices that weigh more: nobody tries one out. */
export const weighty = (): Handler => (request) =>
  request.path === '/'
    ? html(
        post('/payment/method', '<select name="method"><option>card<option>invoice</select>', 'Next') +
          post('/members/4', '<select name="role"><option>user<option>admin</select>') +
          post('/hall', '<select name="vote"><option>yes<option>no</select>') +
          post('/look', '<select name="theme"><option>light<option>dark</select>', 'Save') +
          post('/?c=Tags&act=updateSettings', '<input type="checkbox" name="shared" value="1" checked>') +
          post('/project/actions', '<select name="hour"><option>morning<option>evening</select>', 'Next') +
          post('/?c=Board&act=doTasksImport', '<select name="from"><option>1<option>2</select>'),
      )
    : undefined;

/** Scripts that ask for something when their page is shown: two that look something up, and one whose words are kept for all. */
export function scripted(): Handler {
  const kept = ['lamp'];
  const asJson = (path: string, body: string) =>
    `fetch('${path}',{method:'POST',headers:{'Content-Type':'application/json'},body:JSON.stringify(${body})})`;
  const script =
    asJson('/api/echo', "{thing:'lamp',limit:3}") +
    `;${asJson('/api/words', "{text:'hello there'}")}` +
    ";fetch('/look/form',{method:'POST',body:new URLSearchParams({thing:'lamp'})})";
  return (request) => {
    const { path, body } = request;
    if (isForm(request, '/api/echo')) return json({ found: [JSON.parse(body).thing] });
    if (isForm(request, '/look/form'))
      return html(`<p>None for ${escapeHtml(valuesOf(request).get('thing') ?? '')}</p>`);
    if (isForm(request, '/api/words')) {
      kept.push(JSON.parse(body).text);
      return json({ ok: true });
    }
    if (path === '/app') return html(`<h1>App</h1>${items(kept)}<script>${script}</script>`);
    if (['/one', '/two', '/three'].includes(path)) return html(`<h1>${path}</h1>`);
    const links = ['/app', '/one', '/two', '/three'].map((each) => `<a href="${each}">${each}</a>`);
    return path === '/' ? html(links.join('')) : undefined;
  };
}

/** An editor that makes a draft as soon as it is opened, and one that does not. */
export function drafts(address = '/posts/new'): Handler {
  let count = 1;
  return ({ path, target }) => {
    if (target === address) count += 1;
    if (target === address || path === '/notes/new') return html('<h1>Write</h1>');
    if (path === '/posts/') return html(`<a href="${address}">New</a>${items(Array(count).fill('Draft'))}`);
    if (path === '/notes/') return html('<a href="/notes/new">New</a>');
    return path === '/' ? html('<a href="/posts/">Posts</a><a href="/notes/">Notes</a>') : undefined;
  };
}

/** It finds words, and says how long ago its entries were written: a minute goes by for each word that it is sent. */
export function agedEntries(): Handler {
  let minutes = 2;
  return (request) => {
    if (isForm(request, '/find')) {
      minutes += 1;
      return html(`<p>None for ${escapeHtml(valuesOf(request).get('thing') ?? '')}</p>`);
    }
    if (request.path !== '/') return undefined;
    const entries = `<p>Ina, ${minutes} minutes ago</p><p>vor ${minutes} Minuten</p><p>${minutes}分前</p>`;
    return html(post('/find', '<input name="thing">') + entries);
  };
}

/** All pages show which notes were read last. One page makes a draft, one shows a form, and one has a form that finds words. */
export function recentlyRead(): Handler {
  let recent: string[] = [];
  let count = 1;
  const links = (...to: string[]) => to.map((each) => `<a href="${each}">${each}</a>`).join('');
  return (request) => {
    const { path } = request;
    if (path === '/posts/new') count += 1;
    if (/^\/notes\/\d+$/.test(path)) recent = [path, ...recent.filter((each) => each !== path)];
    if (isForm(request, '/notes/find'))
      return html(`<p>None for ${escapeHtml(valuesOf(request).get('thing') ?? '')}</p>`);
    const page: Record<string, string> = {
      '/': links('/notes/', '/posts/'),
      '/notes/': links('/notes/7', '/notes/8'),
      '/notes/7': links('/notes/new', '/notes/find'),
      '/notes/8': '<p>Eight</p>',
      '/notes/new': '<h1>Write</h1>',
      '/notes/find': post('/notes/find', '<input name="thing">'),
      '/posts/': `${links('/posts/new')}<b>${count}</b>`,
      '/posts/new': '<h1>Write</h1>',
    };
    const shown = page[path];
    return shown === undefined ? undefined : html(shown + items(recent));
  };
}

/** Editors of which one makes a draft that no page lists; each has its number in a field, or in the state of its script. */
export function unlistedDrafts(shows: (id: number) => string): Handler {
  let last = 40;
  return ({ path }) => {
    if (path === '/posts/new') last += 1;
    if (path === '/posts/new') return html(shows(last));
    if (path === '/notes/new') return html(`${shows(7)}<p>Visitor ${Math.random()}</p>`);
    return path === '/' ? html('<a href="/posts/new">Post</a><a href="/notes/new">Note</a>') : undefined;
  };
}

/** It sends a message, which nothing shows. */
export const contact = (): Handler => (request) => {
  if (isForm(request, '/write')) return html('<p>Thank you</p>');
  if (request.path === '/write')
    return html(post('/write', '<input type="email" name="from"><textarea name="text"></textarea>', 'Send'));
  return request.path === '/' ? html('<a href="/write">Write</a>') : undefined;
};

/** It takes a text and thanks for it, and does not say who reads it. */
export const suggestions = (): Handler => (request) => {
  if (isForm(request, '/box')) return html('<p>Thank you</p>');
  if (request.path === '/box') return html(post('/box', '<textarea name="text"></textarea>'));
  return request.path === '/' ? html('<a href="/box">Box</a>') : undefined;
};

/** A page that all may edit: what is not complete is shown once more, with how it would look, and nothing is kept yet. */
export function editedPage(): Handler {
  let kept = 'Welcome';
  const form = (text: string) =>
    post('/edit', `<input name="sum"><textarea name="text">${escapeHtml(text)}</textarea>`);
  return (request) => {
    if (isForm(request, '/edit')) {
      const values = valuesOf(request);
      const text = values.get('text') ?? '';
      if (values.get('sum') !== values.get('text')) kept = text;
      return html(`<p>Please try again</p><div>${escapeHtml(text)}</div>${form(text)}`);
    }
    if (request.path === '/edit') return html(form(''));
    return request.path === '/' ? html(`<a href="/edit">Edit</a><p>${escapeHtml(kept)}</p>`) : undefined;
  };
}

/** Each query is kept, and shown to all. */
export function recentSearches(): Handler {
  const recent: string[] = [];
  return (request) => {
    const query = valuesOf(request).get('q');
    if (request.path === '/search') {
      if (query) recent.push(query);
      return html(`<p>Nothing for ${escapeHtml(query ?? '')}</p>`);
    }
    if (request.path !== '/') return undefined;
    const form = '<form role="search" action="/search"><input type="search" name="q"><button>Search</button></form>';
    return html(form + items(recent));
  };
}

/** Each visitor is shown what they have asked for themselves. */
export function sessionHistory(): Handler {
  const histories = new Map<string, string[]>();
  return (request) => {
    const session = request.cookies.sid ?? `s${histories.size}`;
    const history = histories.get(session) ?? [];
    histories.set(session, history);
    const cookie = { 'set-cookie': `sid=${session}` };
    if (isForm(request, '/ask')) {
      const word = valuesOf(request).get('word') ?? '';
      history.push(word);
      return html(`<p>No answer to ${escapeHtml(word)}</p>`, 200, cookie);
    }
    if (request.path === '/ask') return html(post('/ask', '<input name="word">') + items(history), 200, cookie);
    return request.path === '/' ? html('<a href="/ask">Ask</a>', 200, cookie) : undefined;
  };
}

/** What a visitor wants to see lies in a cookie of theirs. */
export const rememberedView = (): Handler => (request) => {
  const shown = isForm(request, '/view') ? (valuesOf(request).get('columns') ?? '') : (request.cookies.columns ?? '');
  if (request.path === '/view')
    return html(post('/view', '<input name="columns">') + items([shown]), 200, {
      'set-cookie': `columns=${encodeURIComponent(shown)}`,
    });
  return request.path === '/' ? html('<a href="/view">View</a>') : undefined;
};

/** A cache gives out the page from before, and says so: nobody can know. */
export const cachedList = (): Handler => (request) => {
  const cached = { age: '20', 'x-cache': 'HIT' };
  if (isForm(request, '/tips')) return html(`<p>Got ${escapeHtml(valuesOf(request).get('tip') ?? '')}</p>`);
  if (request.path === '/tips') return html(post('/tips', '<input name="tip">') + items(['A tip']), 200, cached);
  return request.path === '/' ? html('<a href="/tips">Tips</a>', 200, cached) : undefined;
};

/** A form with a token of its session, which keeps what it is sent. */
export function withToken(): Handler {
  const entries: string[] = [];
  const tokens = new Set<string>();
  let sessions = 0;
  return (request) => {
    if (isForm(request, '/lines')) {
      const values = valuesOf(request);
      if (!tokens.delete(`${request.cookies.sid} ${values.get('csrf_token')}`))
        return html('<p>Not from here</p>', 403);
      entries.push(values.get('line') ?? '');
      return redirect('/lines');
    }
    if (request.path !== '/lines') return request.path === '/' ? html('<a href="/lines">Lines</a>') : undefined;
    const token = `t0k3n${Math.random().toString(36).slice(2, 14)}x1`;
    sessions += 1;
    const session = request.cookies.sid ?? `s${sessions}`;
    tokens.add(`${session} ${token}`);
    const form = post('/lines', `<input type="hidden" name="csrf_token" value="${token}"><input name="line">`);
    return html(form + items(entries), 200, { 'set-cookie': `sid=${session}` });
  };
}

/** It shows what it keeps already: sent as it is, it would change nothing, and with a value of ours it would. */
export const profile = (): Handler => (request) =>
  request.path === '/' ? html(post('/', '<input name="city" value="Oslo"><input name="motto">', 'Apply')) : undefined;

/**
 * Entries of a user about themselves, all empty at first, and a field of which it keeps nothing; `remembers` keeps a single one, and a
 * list that each send makes longer.
 */
export function ownEntries(remembers = false): { handler: Handler; kept: Record<string, string>; lines: string[] } {
  const kept: Record<string, string> = {};
  const lines: string[] = [];
  const field = (name: string) => `<input name="${name}" value="${escapeHtml(kept[name] ?? '')}">`;
  const area = (name: string) =>
    `<textarea name="${name}">${kept[name] ? `${escapeHtml(kept[name])}\n` : ''}</textarea>`;
  const handler: Handler = (request) => {
    if (isForm(request, '/me')) {
      for (const [name, value] of valuesOf(request)) if (name !== 'text') kept[name] = value;
      if (remembers) lines.push(valuesOf(request).get('text') ?? '');
      return { status: 303, headers: { location: '/me' } };
    }
    if (request.path === '/') return html('<a href="/me">me</a>');
    if (request.path !== '/me') return undefined;
    return html(
      post(
        '/me',
        `<input type="hidden" name="scale" value="metric">${field('motto')}${remembers ? '' : area('nick')}<input name="text">`,
        'Apply',
      ) + items(lines),
    );
  };
  return { handler, kept, lines };
}

/** Keeps addresses alone, and shows any other text again in a field that it marks. */
export function checkedAddresses(): Handler {
  const kept: string[] = [];
  const page = (value: string, isRefused: boolean): Answer =>
    html(
      `${post(
        '/ways',
        `<div class="field${isRefused ? ' error' : ''}">${isRefused ? '<div class="invalid-feedback">It has to begin with a slash.</div>' : ''}<input name="way" value="${escapeHtml(value)}"></div>`,
      )}<p>${kept.length} ways</p>`,
    );
  return (request) => {
    if (request.path === '/') return html('<a href="/ways">Ways</a>');
    if (!isForm(request, '/ways')) return request.path === '/ways' ? page('', false) : undefined;
    const way = valuesOf(request).get('way') ?? '';
    if (way.startsWith('/')) kept.push(way);
    return page(way, !way.startsWith('/'));
  };
}

/** Says in its own way that nothing was found, below a field whose hint for browsers always stands there. */
export const emptySearch = (): Handler => (request) => {
  const field = (value: string) =>
    `<div><input name="thing" value="${escapeHtml(value)}"><div class="invalid-feedback">Write something.</div></div>`;
  const { path } = request;
  if (isForm(request, '/find'))
    return html(
      `${post('/find', field(valuesOf(request).get('thing') ?? ''))}<div class="alert alert-danger">Nothing found.</div>`,
    );
  return path === '/find'
    ? html(post('/find', field('')))
    : path === '/'
      ? html('<a href="/find">Find</a>')
      : undefined;
};

/** Adds addresses alone, and says of any other text above the form why not. */
export function addedAddresses(button: string): Handler {
  const kept: string[] = [];
  return (request) => {
    if (request.path === '/') return html('<a href="/ways">Ways</a>');
    const way = valuesOf(request).get('way') ?? '';
    if (request.path !== '/ways') return undefined;
    if (way.startsWith('/')) kept.push(way);
    const isRefused = isForm(request, '/ways') && !way.startsWith('/');
    return html(
      `${isRefused ? '<p class="message-error">It has to begin with a slash.</p>' : ''}${post('/ways', `<input name="way" value="${escapeHtml(way)}">`, button)}<p>${kept.length} ways</p>`,
    );
  };
}
