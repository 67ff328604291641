import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { stackTrace } from '../../../../workflows/checks/exposure/stack-trace.check.ts';
import { traceIn } from '../../../../workflows/checks/exposure/stack-traces.ts';
import { type Answer, escapeHtml, type Handler, html, json, type Request, startSite } from '../../../fixtures/site.ts';
import { runOn, stored } from '../harness.ts';

const test = suite('exposure.stack-trace');

async function result(handler: Handler) {
  const site = await startSite(handler);
  try {
    return await runOn(site.url, stackTrace);
  } finally {
    await site.close();
  }
}

/** As the programs write them. */
const traces: Record<string, string> = {
  django404: `<div id="explanation"><p>You’re seeing this error because you have <code>DEBUG = True</code> in your Django settings file.</p></div>`,
  python: `Traceback (most recent call last):\n  File "/srv/shop/views.py", line 12, in item\n    n = int(request.args["id"])\nValueError: invalid literal`,
  pythonHtml: `<pre>Traceback (most recent call last):\n  File &quot;/srv/shop/views.py&quot;, line 12, in item\n</pre>`,
  php: `<br />\n<b>Warning</b>:  htmlspecialchars() expects parameter 1 to be string, array given in <b>/var/www/html/item.php</b> on line <b>7</b><br />`,
  laravel: `#0 /var/www/app/Http/Kernel.php(12): App\\Item->find('x')\n#1 /var/www/vendor/laravel/x.php(3): y()`,
  tomcat: `<p><b>Exception</b></p><pre>java.lang.IllegalArgumentException: Invalid character found\n\torg.apache.coyote.http11.Http11InputBuffer.parseRequestLine(Http11InputBuffer.java:502)\n\torg.apache.coyote.http11.Http11Processor.service(Http11Processor.java:271)\n</pre>`,
  dotnet: `<pre>[FormatException: Input string was not in a correct format.]\n   at System.Number.StringToNumber(String str, NumberStyles options)\n   at Shop.Item.Page_Load(Object sender, EventArgs e) in c:\\shop\\item.aspx.cs:12\n</pre>`,
  express: `<pre>URIError: Failed to decode param &#39;%FF&#39;<br> &nbsp; &nbsp;at decodeURIComponent (&lt;anonymous&gt;)<br> &nbsp; &nbsp;at decode_param (/app/node_modules/express/lib/router/layer.js:172:12)<br> &nbsp; &nbsp;at Layer.match (/app/node_modules/express/lib/router/layer.js:148:15)<br></pre>`,
  rails: `<pre>app/models/item.rb:12:in &#39;Item.find&#39;\napp/controllers/items_controller.rb:4:in &#39;show&#39;\n</pre>`,
  phpText: '\nWarning: Undefined array key "id" in /var/www/html/a.php on line 3\n<h1>Shop</h1>',
  xdebug: "<font size='1'><table class='xdebug-error xe-warning' dir='ltr'>",
  codeIgniter: '<h4>A PHP Error was encountered</h4><p>Filename: controllers/A.php</p><p>Line Number: 24</p>',
};

const others: Record<string, string> = {
  railsRouting: '<h2>No route matches [GET] &quot;/x&quot;</h2><p><code>Rails.root: /srv/shop</code></p>',
  laravelJson: JSON.stringify({
    exception: 'ErrorException',
    trace: [{ file: '/var/www/vendor/laravel/Controller.php', line: 54, function: 'x' }],
  }).replaceAll('/', '\\/'),
  aspNetGerman:
    '<pre>\r\n[FormatException: Das Format ist falsch.]\r\n   System.Number.StringToNumber(String str, NumberStyles options) +12612563\r\n</pre>',
  obfuscatedJava: 'at com.acme.a.b(Unknown Source)\n\tat com.acme.c.d(Unknown Source)',
  nodeJson:
    '"stack":"x\\n    at Object.<anonymous> (/srv/a.js:1:2)\\n    at Module._compile (node:internal/modules/cjs/loader:1105:14)"',
  nextDevelopment: 'Error\\n    at f (webpack-internal:///./pages/a.js:10:11)\\n    at g (/srv/render.js:442:26)',
  cake: 'ROOT/src/Controller/AController.php:12</span><li>CORE/src/Http/Runner.php:77',
  yii: '<div class="call-stack"><ul><li><span class="text">in /var/www/yii/controllers/SiteController.php</span>',
  play: '<pre data-file="/srv/app/controllers/A.scala" data-line="12">',
  Symfony:
    '<!-- Undefined variable $x (500 Internal Server Error) -->\n<!DOCTYPE html><html><body><div class="exception-summary"></div></body></html>',
  Whoops: '<!doctype html><title>Whoops! There was an error.</title><div class="Whoops container"></div>',
  'ASP.NET with its source':
    '<b> Source File: </b> c:\\\\inetpub\\\\shop\\\\item.aspx.cs<b> &nbsp;&nbsp; Line: </b> 12'.replaceAll(
      '\\\\',
      '\\',
    ),
  ColdFusion: 'The error occurred in /var/www/shop/item.cfm: line 12',
  Rust: "thread 'tokio-runtime-worker' panicked at src/item.rs:12:5: index out of bounds",
  Elixir: '(ecto 3.11.1) lib/ecto/repo.ex:164: x\n(shop 0.1.0) lib/shop_web/item.ex:12: show/2',
  Perl: 'Illegal division by zero at /var/www/cgi-bin/item.pl line 12.',
  Lua: 'stack traceback:\n\t/srv/shop/item.lua:12: in function <x>',
  Oracle: 'ORA-01403: no data found\nORA-06512: at "SHOP.ITEM", line 12',
};

for (const [what, text] of Object.entries(others)) {
  test(`what ${what} writes is recognised by its form, and only of an error`, () => {
    assert.ok(traceIn(500, text));
    assert.is(traceIn(200, text), undefined);
    assert.is(
      traceIn(500, 'An error occurred at line 12 of your order. See item.pl, item.lua and ORA-06512 in our manual.'),
      undefined,
    );
  });
}

const trace = (name: string): string => traces[name] ?? '';
const spring = {
  timestamp: '2026',
  status: 400,
  trace:
    'java.lang.NumberFormatException: For input\n\tat java.base/java.lang.Long.parseLong(Long.java:709)\n\tat shop.Items.get(Items.java:21)\n',
};

const isBad = ({ target }: Request) => target.includes('%FF');
const isWord = ({ query }: Request) => /[a-z]/.test(query.get('id') ?? '');
const home = html('<a href="/item?id=7">an item</a>');

/** A shop whose page of an item fails on some requests. */
const shop =
  (fails: (request: Request) => boolean, answer: Answer, elsewhere?: Answer): Handler =>
  (request) => {
    if (request.path === '/item' && fails(request)) return answer;
    return request.path === '/' ? home : request.path === '/item' ? html('an item') : elsewhere;
  };

const exposed: Record<string, Handler> = {
  'Django for what does not exist': ({ path }) => (path === '/' ? home : html(trace('django404'), 404)),
  'Python as text': shop(isWord, { status: 500, headers: { 'content-type': 'text/plain' }, body: trace('python') }),
  'Python in a page': shop(isBad, html(trace('pythonHtml'), 500)),
  'PHP with status 200': shop(({ query }) => query.has('id[]'), html(trace('php'))),
  Laravel: shop(isWord, html(escapeHtml(trace('laravel')).replaceAll('&#10;', '\n'), 500)),
  'Tomcat for characters that no address may have': (request) =>
    request.target.includes('[|]') ? html(trace('tomcat'), 400) : request.path === '/' ? home : undefined,
  'ASP.NET': shop(isBad, html(trace('dotnet'), 500)),
  'Spring in JSON': shop(isWord, json(spring, 400)),
  'Express for a path in a broken encoding': (request) =>
    isBad(request) ? html(trace('express'), 400) : request.path === '/' ? home : undefined,
  Rails: shop(isBad, html(trace('rails'), 500)),
};

for (const [what, handler] of Object.entries(exposed)) {
  test(`a trace of ${what} is found`, async () => {
    const found = await result(handler);
    assert.equal([found.outcome.kind, found.findings.length], ['found', 1], found.outcome.reason);
  });
}

test('a server that ends the connection at one fault is asked with the others', async () => {
  for (const [text, outcome] of [
    [traces['python'], 'found'],
    ['Not found', 'clean'],
  ] as const) {
    const server = createServer(({ url = '' }, response) => {
      if (url.includes('^')) return void response.destroy();
      response.writeHead(url === '/' ? 200 : 404, { 'content-type': 'text/html' }).end(url === '/' ? 'Shop' : text);
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    try {
      const { port } = server.address() as AddressInfo;
      const found = await runOn(`http://shop.localhost:${port}`, stackTrace);
      assert.is(found.outcome.kind, outcome, found.outcome.reason);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  }
});

test('what stands beside the trace is not kept', async () => {
  const found = await result(shop(isBad, html(`${trace('pythonHtml')}<td>DATABASE: shop-internal-db</td>`, 500)));
  assert.is(found.outcome.kind, 'found');
  assert.not.match(stored(found), /shop-internal-db/);
});

const clean: Record<string, Handler> = {
  'answers with a plain error': shop(
    isBad,
    html('<h1>Internal Server Error</h1><p>java.lang.NullPointerException</p>', 500),
  ),
  'names the error without its place': shop(
    isWord,
    json({ error: 'ValueError: invalid literal for int()', line: 12 }, 500),
  ),
  'has a forum whose posts show traces': () =>
    html(
      Object.values(traces)
        .map((text) => `<pre>${escapeHtml(text)}</pre>`)
        .join(''),
    ),
  'has a search that finds posts with traces, whatever is asked': shop(() => true, html(trace('tomcat'))),
  'shows a lesson on errors as its page for what does not exist, and as its home': () => html(trace('express'), 404),
  'repeats what it was sent': (request) => html(escapeHtml(request.target), request.path === '/' ? 200 : 404),
};

for (const [what, handler] of Object.entries(clean)) {
  test(`a site that ${what} is clean`, async () => {
    const found = await result(handler);
    assert.equal([found.outcome.kind, found.findings.length], ['clean', 0], found.outcome.reason);
  });
}

test.run();
