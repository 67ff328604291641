import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createJar } from '../../../../workflows/probe/http/cookies.ts';
import { html, startSite } from '../../../fixtures/site.ts';
import { testBrowsers } from '../../../support/browsers.ts';
import { firstRows, further } from '../../../support/further.ts';
import { openFor } from '../support.ts';

const browsers = testBrowsers();
const test = suite('a page that is used in the browser');
test.after(() => browsers.close());

/** Uses a page with this content; every address of the site answers. */
async function explore(content: string, timeoutMs = 15_000) {
  const asked: string[] = [];
  const site = await startSite(({ method, path }) => {
    if (path === '/') return html(content);
    asked.push(`${method} ${path}`);
    return { headers: { 'content-type': 'application/json' }, body: '{}' };
  });
  const probes = openFor(site.url, { browsers });
  try {
    const explored = await probes.browser.explore({ url: `${site.url}/`, timeoutMs });
    const line = ({ method, url, held }: (typeof explored.requests)[number]) =>
      `${method} ${url.replace(site.url, '')}${held ? ` ${held}` : ''}`;
    return {
      ...explored,
      asked: asked.filter((each) => !each.endsWith('favicon.ico')),
      reported: explored.requests.map(line).filter((each) => each !== 'GET /'),
      routes: explored.routes.map((url) => url.replace(site.url, '')),
    };
  } finally {
    await probes.close();
    await site.close();
  }
}

const onPress = (code: string) => `<button type=button onclick="${code}">Show</button>`;

for (const [what, content, request] of firstRows(
  [
    ['a button', onPress("fetch('/x')"), 'GET /x'],
    [
      'a request written out in the button',
      onPress(
        "var x=new XMLHttpRequest();x.open('GET','/x');x.setRequestHeader('X-Tone','warm');x.send();return false",
      ),
      'GET /x',
    ],
    ['a listener', '<div id=d>More</div><script>d.addEventListener("mousedown", () => fetch("/x"))</script>', 'GET /x'],
    ['a pointer', '<p onmouseover="fetch(\'/x\')">Over</p>', 'GET /x'],
    [
      'what opens under a pointer',
      '<div onmouseenter="u.innerHTML=\'<button onclick=fetch(`/x`)>Show</button>\'" onmouseleave="u.innerHTML=\'\'">Menu<p id=u></p></div>',
      'GET /x',
    ],
    [
      'what is enabled later',
      '<button disabled id=b onclick="fetch(`/x`)">Show</button><button onclick="b.disabled=false">First</button>',
      'GET /x',
    ],
    ['a choice', '<select onchange="fetch(\'/x\' + this.value)"><option>1<option>2</select>', 'GET /x2'],
    ['what is typed', '<input onkeyup="fetch(\'/x\')">', 'GET /x'],
    ['a link of script', '<a href="javascript:fetch(\'/x\')">More</a>', 'GET /x'],
    ['a timer of seconds', '<script>setTimeout(() => fetch("/x"), 4000)</script>', 'GET /x'],
    [
      'what another control brings forth',
      `<script>function go(){const b=document.createElement("button");b.textContent="Next";b.onclick=()=>fetch("/x");document.body.append(b)}</script>${onPress('go()')}`,
      'GET /x',
    ],
    [
      'the shadow of an element',
      '<p id=h></p><script>h.attachShadow({mode:"open"}).innerHTML="<button onclick=\\"fetch(\'/x\')\\">Show</button>"</script>',
      'GET /x',
    ],
    ['a frame', `<iframe srcdoc="<button onclick=fetch('/x')>Show</button>"></iframe>`, 'GET /x'],
  ] as const,
  2,
)) {
  test(`reports what ${what} asks for`, async () => {
    const { reported, asked } = await explore(content);
    assert.ok(reported.includes(request), reported.join('\n'));
    assert.ok(asked.includes(request));
  });
}

further(test)('reads what it has read before it sent something to the same address', async () => {
  const { requests } = await explore(`<form id=f><button>Add</button></form><script>fetch("/x");
    f.onsubmit = (event) => { event.preventDefault(); fetch("/x", { method: "POST", body: "{}" }); }</script>`);
  const toX = requests.filter(({ url }) => url.endsWith('/x'));
  assert.equal(
    toX.map(({ method, refused }) => `${method} ${refused}`),
    ['GET false', 'POST true'],
  );
});

test('with a session, sends no cookie that a control has made or changed, and those that the server gives', async () => {
  const asked: string[] = [];
  const site = await startSite(({ path, headers }) => {
    if (path === '/')
      return html(
        onPress("document.cookie='menu=folded';document.cookie='width=99';fetch('/given').then(() => fetch('/later'))"),
      );
    asked.push(`${path} ${headers.cookie ?? ''}`);
    return { headers: path === '/given' ? { 'set-cookie': 'seen=1; Path=/' } : {}, body: '{}' };
  });
  const probes = openFor(site.url, { browsers });
  const jar = createJar();
  jar.store(`${site.url}/`, ['sid=s1; Path=/; HttpOnly', 'menu=open; Path=/']);
  try {
    const { cookies } = await probes.browser.explore({ url: `${site.url}/`, timeoutMs: 15_000, jar });
    assert.ok(cookies.some(({ name }) => name === 'width'));
    const sent = asked.filter((each) => !each.includes('favicon')).map((each) => each.split('; ').sort().join('; '));
    assert.ok(sent.some((each) => each.startsWith('/given')) && sent.length > 1, sent.join('\n'));
    assert.not.match(sent.join('\n'), /folded|width/);
    assert.ok(
      sent.some((each) => /menu=open/.test(each) && /sid=s1/.test(each) && /seen=1/.test(each)),
      sent.join('\n'),
    );
  } finally {
    await probes.close();
    await site.close();
  }
});

test('is not left: where a control leads is reported, and not asked for', async () => {
  const { reported, asked, finalUrl } = await explore(onPress("location='/away'") + onPress("fetch('/stays')"));
  assert.ok(reported.includes('GET /away') && reported.includes('GET /stays'), reported.join('\n'));
  assert.equal(asked, ['GET /stays']);
  assert.is(new URL(finalUrl).pathname, '/');
});

test('sends what a control brought forth after another control has led away', async () => {
  const { reported, asked } = await explore(`<p id=b></p><p id=a></p><script>
    a.innerHTML = '<button>Filter</button>';
    a.firstChild.onclick = () => { a.innerHTML += '<i></i><button>Apply</button>'; a.lastChild.onclick = () => fetch('/x', { method: 'POST', body: '{}' }); };
    b.innerHTML = '<button>Further</button>';
    b.firstChild.onclick = () => history.pushState({}, '', '/further')</script>`);
  assert.ok(reported.includes('POST /x sends'), reported.join('\n'));
  assert.not.ok(asked.includes('POST /x'));
});

test('says where the page stood when it had loaded, wherever its controls led', async () => {
  const { finalUrl } = await explore(onPress("history.pushState({}, '', '/further')"));
  assert.is(new URL(finalUrl).pathname, '/');
});

further(test)('reports addresses that script gives to windows and to the history', async () => {
  const { routes } = await explore(
    `${onPress("window.open('/window')")}<i onclick="history.pushState({}, '', '/state')">x</i><b onclick="location.hash='#/orders'">y</b>`,
  );
  for (const route of ['/window', '/state', '/#/orders']) assert.ok(routes.includes(route), routes.join('\n'));
});

for (const [what, control] of firstRows(
  [
    ['saves', `<button type=button onclick="fetch('/x', {method: 'POST', body: 'a=1'})">Save</button>`],
    ['saves by a GET', `<button type=button onclick="fetch('/x?a=1')">Save</button>`],
    ['deletes', `<button type=button onclick="fetch('/x?id=1')">Delete</button>`],
    [
      'deletes by its handler',
      `<button type=button onclick="deleteRow()">7</button><script>const deleteRow = () => fetch('/x?id=1')</script>`,
    ],
    ['sends a form', '<form method=post action=/x><input name=a><button>OK</button></form>'],
    ['sends a beacon', `<button type=button onclick="navigator.sendBeacon('/x', 'a=1')">Save</button>`],
    ['saves an image’s way', `<button type=button onclick="new Image().src='/x?a=1'">Save</button>`],
    ['saves a little later', `<button type=button onclick="setTimeout(() => fetch('/x?a=1'), 150)">Save</button>`],
  ] as const,
  1,
)) {
  test(`a control that ${what} is used with nothing let out`, async () => {
    const { reported, asked } = await explore(control);
    assert.equal(asked, []);
    assert.ok(
      reported.some((line) => / \/x/.test(line) && /(?:acts|sends)$/.test(line)),
      reported.join('\n'),
    );
  });
}

test('fields are filled in before a form of script is sent, so that its names are known', async () => {
  const { requests } = await explore(
    `<input id=e type=email><input id=p type=password><button type=button onclick="fetch('/login', {method: 'POST', headers: {'content-type': 'application/json'}, body: JSON.stringify({email: e.value, password: p.value})})">Log in</button>`,
  );
  const { body = '' } = requests.find(({ url }) => url.endsWith('/login')) ?? {};
  assert.match(body, /"email":".+","password":".+"/);
});

test('ends in time, whatever its script does', async () => {
  const loops = `${onPress('for(;;);')}${onPress("fetch('/x')")}`;
  const startMs = performance.now();
  await explore(loops, 4_000).catch(() => {});
  assert.ok(performance.now() - startMs < 20_000);
});

further(test)('that is full of controls reports how many were left', async () => {
  const { unused, states } = await explore(
    `${onPress('1').repeat(600)}<script>document.onclick = () => document.body.append(document.createElement("button"))</script>`,
  );
  assert.ok(unused > 100, String(unused));
  assert.ok(states.length <= 12);
});

further(test)('that keeps being led away reports how many controls were left', async () => {
  const away = Array.from(
    { length: 20 },
    (_, at) =>
      `<button id="b${at}" onclick="history.pushState({}, '', '/away/${String.fromCharCode(97 + at)}')">${at}</button>`,
  );
  const { unused, alike } = await explore(away.join(''));
  assert.ok(unused + alike > 0);
});

further(test)('is used as far as it has kinds of rows, and reports the rest', async () => {
  const rows = Array.from(
    { length: 20 },
    (_, at) => `<li onclick="history.pushState({}, '', '/row/${at}')">r${at}</li>`,
  );
  const { alike, unused, routes } = await explore(`<ul>${rows.join('')}</ul>`);
  assert.is(alike, 18);
  assert.is(unused, 0);
  assert.is(routes.filter((route) => route.startsWith('/row/')).length, 2);
});

further(test)('is used as far as rows of one kind ask for something of a new kind, and reports the rest', async () => {
  const rows = Array.from(
    { length: 30 },
    (_, at) => `<li onclick="fetch('/shown?row=${at}').catch(() => 0); this.title = '${at}'">entry ${at}</li>`,
  );
  const last = `<p onclick="fetch('/last').catch(() => 0)">more</p>`;
  const { alike, unused, requests } = await explore(`<ul>${rows.join('')}</ul>${last}`);
  assert.ok(alike >= 10, String(alike));
  assert.is(unused, 0);
  assert.ok(requests.some(({ url }) => url.includes('/shown')));
  assert.ok(requests.some(({ url }) => url.includes('/last')));
});

test('of a calendar a few days are chosen', async () => {
  const { alike, reported } = await explore(`<table id=t></table><button onclick="fetch('/last')">Later</button><script>
    let chosen = 0;
    const draw = () => {
      t.innerHTML = '<tr>' + Array.from({ length: 28 }, (_, at) => '<td><a href="#" onclick="choose(' + at + ')">' + (at + 1) + '</a></td>').join('') + '</tr>';
    };
    const choose = (day) => { chosen += 1; draw(); if (chosen > 9) fetch('/chosen'); };
    draw();
  </script>`);
  assert.ok(alike >= 20, String(alike));
  assert.not(reported.includes('GET /chosen'));
  assert.ok(reported.includes('GET /last'));
});

test('is not loaded anew for each entry of a menu that is copied to where it is shown', async () => {
  const entries = ['ales', 'beds', 'cups', 'dishes'].map(
    (name) => `<li><a href="#" class=pick data-pick=${name}>${name}</a></li>`,
  );
  const { requests, asked } =
    await explore(`<button id=b>Menu</button><div><section><ul id=m hidden>${entries.join('')}</ul></section></div><script>
    const close = () => document.querySelectorAll('.copy').forEach((each) => each.remove());
    b.addEventListener('click', () => {
      close();
      const copy = m.cloneNode(true);
      Object.assign(copy, { className: 'copy', hidden: false, id: '' });
      document.body.append(copy);
    });
    document.addEventListener('click', ({ target }) => {
      if (target.dataset.pick) { fetch('/pick/' + target.dataset.pick); close(); }
    });
  </script>`);
  for (const name of ['ales', 'beds', 'cups', 'dishes'])
    assert.ok(asked.includes(`GET /pick/${name}`), asked.join('\n'));
  const loaded = requests.filter(({ url }) => new URL(url).pathname === '/');
  assert.is(loaded.length, 1, String(loaded.length));
});

further(test)('is not loaded anew again and again for what does not come again', async () => {
  const { requests, unused } = await explore(`<script>
    if (sessionStorage.getItem('seen') === null) {
      sessionStorage.setItem('seen', '1');
      document.write('<div id=d>' + 'abcdefghij'.split('').map((each) => '<p class=' + each + each + '><b onclick="d.remove()">' + each + '</b></p>').join('') + '</div>');
    }
    addEventListener('load', () => { localStorage.setItem('a', 'b'); });
  </script>`);
  const loaded = requests.filter(({ url }) => new URL(url).pathname === '/');
  assert.ok(loaded.length <= 4, String(loaded.length));
  assert.ok(unused > 0);
});

test('stays where it keeps in its address what is typed into a filter', async () => {
  const rows = 'ales beds cups dishes ewers'.split(' ');
  const { requests, asked } =
    await explore(`<input id=f><p id=p></p>${rows.map((row) => `<p class=${row}><b onclick="fetch('/row/${row}')">${row}</b></p>`).join('')}<script>
    f.addEventListener('input', () => setTimeout(() => {
      history.pushState({}, '', '?word=' + f.value);
      fetch('/found?word=' + f.value);
    }, 100));
  </script>`);
  for (const row of rows) assert.ok(asked.includes(`GET /row/${row}`), asked.join('\n'));
  assert.ok(asked.includes('GET /found?word=test') || asked.includes('GET /found'), asked.join('\n'));
  assert.is(requests.filter(({ url }) => new URL(url).pathname === '/').length, 1);
});

further(test)('brings back what another control has taken away', async () => {
  const { reported } = await explore(`<div id=m><button onclick="show()">Boards</button></div><script>
    const into = (html) => { m.innerHTML = html; };
    const show = () => into('<b onclick="open1()">Board</b><i onclick="filter()">Narrow down</i>');
    const open1 = () => { fetch('/board'); into('<p>one</p>'); };
    const filter = () => into('<input id=w><button onclick="narrow()">Apply</button>');
    const narrow = () => fetch('/filter', { method: 'POST', body: w.value });
  </script>`);
  for (const request of ['GET /board', 'POST /filter sends'])
    assert.ok(reported.includes(request), reported.join('\n'));
});

test('with its data read by a listener of the whole page', async () => {
  const { reported, asked } =
    await explore(`<div data-open=7>Seven</div><div data-command=remove data-id=8>Eight</div><script>
    document.addEventListener('click', ({ target }) => fetch('/open/' + (target.dataset.open ?? target.dataset.id)));
  </script>`);
  assert.ok(asked.includes('GET /open/7'), asked.join('\n'));
  assert.ok(reported.includes('GET /open/8 acts') && !asked.includes('GET /open/8'), reported.join('\n'));
});

test('with what folds a part of it and loads that, whatever its class is called', async () => {
  const { reported, asked } =
    await explore(`<a class=entry-toggle href="#p1">One</a><p id=p1></p><a class=entry-toggle href="#" id=t7>Seven</a><script>
    for (const each of document.querySelectorAll('.entry-toggle')) each.onclick = () => fetch('/part/' + (each.id || 'p1'));
  </script>`);
  assert.ok(asked.includes('GET /part/p1'), asked.join('\n'));
  assert.ok(reported.includes('GET /part/t7 acts') && !asked.includes('GET /part/t7'), reported.join('\n'));
});

test('made of components in components, open or closed, is read and used with what these draw', async () => {
  const { reported, states } = await explore(
    `<x-menu></x-menu><script>
customElements.define("x-menu", class extends HTMLElement { connectedCallback() {
  this.attachShadow({ mode: "closed" }).innerHTML = "<x-entry name=a></x-entry><x-entry name=b></x-entry>" } });
customElements.define("x-entry", class extends HTMLElement { connectedCallback() {
  const root = this.attachShadow({ mode: "open" });
  root.innerHTML = "<a href=/entry/" + this.getAttribute("name") + ">More</a><button>Show</button>";
  root.querySelector("button").onclick = () => fetch("/" + this.getAttribute("name")) } });
</script>`,
  );
  assert.equal(reported.toSorted(), ['GET /a', 'GET /b']);
  assert.match(states[0] ?? '', 'href="/entry/b"');
});

test('with lists that listen for their rows, and with what waits for the visitor to scroll', async () => {
  const row = (name: string) => `<tr id=${name}><td>${name}<td><b>x</b>`;
  const { reported } = await explore(
    `<table id=t>${['one', 'two', 'six'].map(row).join('')}</table><p style="height:3000px"></p><p id=end></p><script>
t.addEventListener("click", (e) => e.target.closest("tr") && fetch("/row/" + e.target.closest("tr").id));
addEventListener("scroll", () => fetch("/more"));
new IntersectionObserver(([e]) => e.isIntersecting && fetch("/end")).observe(end);
</script>`,
  );
  for (const each of ['/row/one', '/row/two', '/row/six', '/more', '/end'])
    assert.ok(reported.includes(`GET ${each}`), `${each}: ${reported.join(' ')}`);
});

test('that wants to be loaded anew is shown by what was chosen', async () => {
  const { states } = await explore(
    `<select onchange="document.cookie='region=' + this.value; location.reload()"><option>south<option>north</select>
<script>if (document.cookie.includes("north")) document.write("<a href=/north>Notices</a>")</script>`,
  );
  assert.ok(states.some((html) => html.includes('href="/north"')));
});

test('sends nothing later that a control has put off', async () => {
  const { reported, asked } = await explore(`<div id=m><u onclick="menu()">Menu</u></div><script>
    if (localStorage.queue) fetch('/flushed');
    const menu = () => { m.innerHTML = '<b onclick="gone()">Away</b><button onclick="put()">Save</button>'; };
    const gone = () => { m.innerHTML = ''; };
    const put = () => { localStorage.queue = 1; setTimeout(() => fetch('/late'), 200); };
  </script>`);
  assert.ok(
    reported.some((line) => line.startsWith('GET /late')),
    reported.join('\n'),
  );
  assert.equal(asked, []);
});

further(test)('chooses files, ticks boxes and types a word that look-ups take', async () => {
  const { reported } = await explore(`<input id=f type=file accept=".csv"><button id=u disabled>Upload</button>
    <input type=checkbox onchange="fetch('/box?on=' + this.checked)"><input oninput="value.length > 2 && fetch('/find?q=' + value)"><script>
    f.onchange = () => { u.disabled = false; };
    u.onclick = () => { const d = new FormData(); d.append('list', f.files[0]); fetch('/read', { method: 'POST', body: d }); };
  </script>`);
  for (const request of ['POST /read sends', 'GET /box?on=true', 'GET /find?q=test'])
    assert.ok(reported.includes(request), reported.join('\n'));
});

test('chooses a file with the text that its page has written beside it', async () => {
  const { reported } =
    await explore(`<textarea id=t>&lt;track>walk&lt;/track></textarea><input id=f type=file><button id=b>Read</button><script>
    f.onchange = async () => { t.value = await f.files[0].text(); };
    b.onclick = () => fetch('/read?text=' + encodeURIComponent(t.value));
  </script>`);
  assert.ok(reported.includes(`GET /read?text=${encodeURIComponent('<track>walk</track>')}`), reported.join('\n'));
});

further(test)('whose states differ in texts and looks alone is read whole', async () => {
  const counting = Array.from(
    { length: 16 },
    (_, index) => `<button onclick="n.textContent='${index}',n.style.top='${index}px'">Show ${index}</button>`,
  );
  const { unread, states } = await explore(`<p id=n>none</p>${counting.join('')}`);
  assert.is(unread.states, 0);
  assert.ok(states.length > 1);
});

further(test)('of which more states are shown than are kept reports how many', async () => {
  const { unread } = await explore(
    `<p id=p></p><script>let n = 0; const more = () => { const b = document.createElement('button'); b.textContent = 'x' + n++; b.onclick = more; if (n < 30) p.append(b) }; more()</script>`,
  );
  assert.ok(unread.states > 0);
});

for (const [what, content, isTold] of firstRows(
  [
    ['events', `<script>for (let i = 0; i < 12_000; i++) history.replaceState({}, "", "#" + i)</script>`, true],
    ['addresses', `<script>for (let i = 0; i < 600; i++) history.replaceState({}, "", "/" + i)</script>`, true],
    ['elements', `<script>document.write("<i></i>".repeat(51_000))</script>`, true],
    [
      'listeners',
      `<script>for (let i = 0; i < 5_100; i++) document.createElement("i").addEventListener("click", () => {})</script>`,
      true,
    ],
    ['frames', '<iframe srcdoc="a"></iframe>'.repeat(9), true],
    ['what the browser keeps', '<script>for (let i = 0; i < 300; i++) localStorage.setItem("k" + i, i)</script>', true],
    [
      'nothing that is missed, though it logs without end,',
      '<script>for (let i = 0; i < 900; i++) console.log(i)</script>',
      false,
    ],
  ] as const,
  2,
)) {
  test(`that has too much of ${what} is said to be read in part`, async () => {
    const { unread } = await explore(content);
    assert.is(unread.parts > 0, isTold, String(unread.parts));
  });
}

further(test)('with too many choices and fields reports how many were left', async () => {
  const { unused } = await explore(
    `<select onchange="1">${'<option>a'.repeat(12)}</select>${'<input onkeyup="1">'.repeat(105)}`,
  );
  assert.is(unused, 4 + 5);
});

further(test)('has controls far down on a large page, which are used', async () => {
  const { asked } = await explore(
    `${'<i></i>'.repeat(9_000)}<div style="cursor:pointer" id=d>More</div><script>d.onclick = () => fetch("/far")</script>`,
  );
  assert.ok(asked.includes('GET /far'), asked.join('\n'));
});

test('that lies to the agent is taken no further than its form', async () => {
  const { routes, states } = await explore(
    `<script>Array.prototype.map = String.prototype.slice = () => ({ length: 1e9 }); JSON.stringify = () => "x"; for (let i = 0; i < 2000; i++) history.pushState({}, "", "/" + i)</script>${onPress('1')}`,
  );
  assert.ok(routes.length <= 500);
  assert.ok(states.length >= 1);
});

test.run();
