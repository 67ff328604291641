import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { BrowserVisit, SinkCall } from '../../../../workflows/model/browser.ts';
import { html, startSite } from '../../../fixtures/site.ts';
import { testBrowsers } from '../../../support/browsers.ts';
import { firstRows } from '../../../support/further.ts';
import { openFor } from '../support.ts';

const browsers = testBrowsers();
const test = suite('what script gives to sinks');
test.after(() => browsers.close());

const word = 'w1x2y3z4';

/** Opens a page with this content under the word as its fragment. */
async function visit(content: string, more: Partial<BrowserVisit> = {}) {
  const site = await startSite(({ path }) => {
    if (path === '/app.js')
      return { headers: { 'content-type': 'text/javascript' }, body: 'document.body.innerHTML = location.hash' };
    return path === '/' ? html(content) : undefined;
  });
  const probes = openFor(site.url, { browsers });
  try {
    return await probes.browser.visit({ url: `${site.url}/#${word}`, trace: { words: [word] }, ...more });
  } finally {
    await probes.close();
    await site.close();
  }
}

const short = ({ kind, sink, element, text }: SinkCall) => [kind, sink, element, text].join(' | ');

const calls: Record<string, [script: string, call: string]> = {
  innerHTML: ['document.body.innerHTML = "<i>" + h + "</i>"', `html | innerHTML | body | <i>${word}</i>`],
  outerHTML: ['document.querySelector("p").outerHTML = h', `html | outerHTML | p | ${word}`],
  insertAdjacentHTML: [
    'document.body.insertAdjacentHTML("beforeend", h)',
    `html | insertAdjacentHTML | body | ${word}`,
  ],
  'document.write': ['document.write("<b>", h, "</b>")', `html | document.write |  | <b>${word}</b>`],
  srcdoc: ['document.createElement("iframe").setAttribute("srcdoc", h)', `html | srcdoc | iframe | ${word}`],
  'a range': ['document.createRange().createContextualFragment(h)', `html | createContextualFragment |  | ${word}`],
  eval: ['try { eval("x." + h) } catch {}', `code | eval |  | x.${word}`],
  'the constructor of functions': ['new Function("a", "return a." + h)', `code | Function |  | return a.${word}`],
  'a timer with a text': ['setTimeout("void \'" + h + "\'", 1)', `code | setTimeout |  | void '${word}'`],
  'a handler': ['document.body.setAttribute("onclick", "go(" + h + ")")', `code | onclick | body | go(${word})`],
  'the text of a script': ['document.createElement("script").text = "//" + h', `code | text | script | //${word}`],
  'a link': ['document.createElement("a").href = h', `address | href | a | ${word}`],
  'the address of a script': ['document.createElement("script").src = h', `address | src | script | ${word}`],
};

for (const [what, [script, call]] of firstRows(Object.entries(calls), 4)) {
  test(`${what} is seen with the text and its element`, async () => {
    const { sinkCalls } = await visit(`<p>x</p><script>const h = location.hash.slice(1);${script}</script>`);
    assert.ok(sinkCalls.map(short).includes(call), sinkCalls.map(short).join('\n'));
  });
}

test('what one script gives to one sink again and again is noted some times, and counted', async () => {
  const script = `for (let i = 0; i < 30; i += 1) document.createElement("a").href = "/p" + i + "?" + location.hash`;
  const { sinkCalls, unread } = await visit(`<script>${script}</script>`);
  assert.equal([sinkCalls.length, unread.alikeCalls, unread.calls], [20, 10, 0]);
});

test('a page that goes where its fragment says is seen, and its own address is not', async () => {
  const { sinkCalls } = await visit('<script>location.href = location.hash.slice(1)</script>');
  assert.equal(
    sinkCalls.map(({ sink, text }) => [sink, new URL(text).pathname]),
    [['location', `/${word}`]],
  );
});

test('the name of the window is there before the first script', async () => {
  const { sinkCalls } = await visit('<script>document.body.innerHTML = window.name</script>', {
    trace: { words: ['n7m8k9'], windowName: 'n7m8k9' },
  });
  assert.equal(sinkCalls.map(short), ['html | innerHTML | body | n7m8k9']);
});

test('the file of the script is reported, and texts without the word are not', async () => {
  const { sinkCalls } = await visit('<script>document.body.innerHTML = "x"</script><script src="/app.js"></script>');
  assert.equal(
    sinkCalls.map(({ script }) => new URL(script).pathname),
    ['/app.js'],
  );
});

test('text that is put in as text is nothing', async () => {
  const { sinkCalls, html: shown } = await visit('<script>document.body.textContent = location.hash</script>');
  assert.equal(sinkCalls, []);
  assert.match(shown, word);
});

test('the page works as it does unwatched', async () => {
  const { console } = await visit(`<div id=d></div><script>
    const results = [eval('1+1'), new Function('return 3')(), Function('return 4')(), (() => {}) instanceof Function];
    d.innerHTML = '<b>x</b>'; results.push(d.innerHTML, d.firstChild.tagName);
    setTimeout((a) => { results.push(a); console.log(results.join()) }, 1, 'late');</script>`);
  assert.ok(console.includes('2,3,4,true,<b>x</b>,B,late'), console.join('\n'));
});

test('a page that gives no end of texts is bounded', async () => {
  const { sinkCalls } = await visit(
    `<script>for (let i = 0; i < 500; i++) document.body.innerHTML = 'x'.repeat(9000) + location.hash + 'y'.repeat(9000)</script>`,
  );
  assert.ok(sinkCalls.length <= 100 && sinkCalls.every(({ text }) => text.length <= 4_000 && text.includes(word)));
});

test.run();
