import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { directoryListing } from '../../../../workflows/checks/exposure/directory-listing.check.ts';
import { type Answer, type Handler, html, startSite } from '../../../fixtures/site.ts';
import { firstRows, further } from '../../../support/further.ts';
import { places, runOn } from '../harness.ts';

const test = suite('exposure.directory-listing');

async function result(handler: Handler) {
  const site = await startSite(handler);
  try {
    return await runOn(site.url, directoryListing);
  } finally {
    await site.close();
  }
}

const page = (body: string): Answer => ({ headers: { 'content-type': 'text/html' }, body });

/** Lists of the folder "/files/" as servers write them. */
const lists: Record<string, string> = {
  'Apache httpd with its table': `<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 3.2 Final//EN">
<html>
 <head>
  <title>Index of /files</title>
 </head>
 <body>
<h1>Index of /files</h1>
  <table>
   <tr><th><a href="?C=N;O=D">Name</a></th></tr>
<tr><td><a href="/">Parent Directory</a></td></tr>
<tr><td><a href="report%202024.pdf">report 2024.pdf</a></td></tr>
</table></body></html>`,
  'Apache httpd without fancy indexing': `<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 3.2 Final//EN">
<html>
 <head>
  <title>Index of /files</title>
 </head>
 <body>
<h1>Index of /files</h1>
<ul><li><a href="/"> Parent Directory</a></li>
<li><a href="report%202024.pdf"> report 2024.pdf</a></li>
</ul>
</body></html>`,
  nginx: `<html>\r\n<head><title>Index of /files/</title></head>\r\n<body>\r\n<h1>Index of /files/</h1><hr><pre><a href="../">../</a>\r\n<a href="report%202024.pdf">report 2024.pdf</a>   01-Jan-2024 10:00   12\r\n</pre><hr></body>\r\n</html>\r\n`,
  lighttpd: `<!DOCTYPE html>
<html><head><title>Index of /files/</title><style>a{}</style></head><body>
<h2>Index of /files/</h2>
<div class="list"><table><tbody><tr><td class="n"><a href="../">..</a>/</td></tr><tr><td class="n"><a href="report%202024.pdf">report 2024.pdf</a></td></tr></tbody></table></div>
<div class="foot">lighttpd/1.4.76</div></body></html>`,
  "Python's http.server": `<!DOCTYPE HTML>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>Directory listing for /files/</title>\n</head>\n<body>\n<h1>Directory listing for /files/</h1>\n<hr>\n<ul>\n<li><a href="report%202024.pdf">report 2024.pdf</a></li>\n</ul>\n<hr>\n</body>\n</html>\n`,
  IIS: `<html><head><title>shop.localhost - /files/</title></head><body><H1>shop.localhost - /files/</H1><hr>\r\n\r\n<pre><A HREF="/">[To Parent Directory]</A><br><br> 1/1/2024 10:00 AM  12 <A HREF="/files/report%202024.pdf">report 2024.pdf</A><br></pre><hr></body></html>`,
  Caddy: `<!DOCTYPE html><html><head><title>/files/</title></head><body><div class="meta"><div id="summary">\n<span class="meta-item"><b>1</b> directory</span></div></div><div class="listing"><table aria-describedby="summary"><tr><td><a href="./report%202024.pdf"><span>report 2024.pdf</span></a></td></tr></table></div></body></html>`,
  'Apache httpd below a text of its owner':
    '<title>Index of /files</title><p>Our mirror</p><table><tr><th><a href="?C=N;O=D">Name</a></th></tr><tr><td><a href="report%202024.pdf">r</a></td></tr></table>',
  'nginx with fancyindex':
    '<h1>Index of\n/files/</h1>\n<table id="list"><tr><td><a href="report%202024.pdf">r</a></td></tr></table>',
  'IIS in German':
    '<H1>shop.localhost - /files/</H1><hr>\r\n\r\n<pre><A HREF="/">[Zum übergeordneten Verzeichnis]</A><br> 12 <A HREF="/files/report%202024.pdf">r</A></pre>',
  'serve (Node.js)':
    '<title>Files within shop&#47;files&#47;</title><header><h1> <i>Index of&nbsp;</i> <a href="/">shop&#47;</a></h1></header><ul id="files"><li><a href="&#47;files&#47;report%202024.pdf">r</a></li></ul>',
  'ASP.NET Core':
    '<title>Index of /files/</title><h1>Index of <a href="/">/</a></h1><table id="index" summary="Files"><tr><td><a href="./report%202024.pdf">r</a></td></tr></table>',
  Deno: '<title>Deno File Server</title><h1>Index of <a href="/">home</a>/files</h1><a href="/files/report%202024.pdf">r</a>',
  Go: `<!doctype html>\n<meta name="viewport" content="width=device-width">\n<pre>\n<a href="report%202024.pdf">report 2024.pdf</a>\n<a href="sub/">sub/</a>\n</pre>\n`,
};

const home = html('<a href="/files/hidden.html">x</a><img src="/files/a.png">');
const withList =
  (list: string, file: Answer = { body: '%PDF' }): Handler =>
  ({ path }) =>
    path === '/'
      ? home
      : path === '/files/'
        ? page(list)
        : path === '/files/report 2024.pdf'
          ? file
          : path === '/files/hidden.html'
            ? html('x')
            : undefined;

for (const [server, list] of firstRows(Object.entries(lists), 6)) {
  test(`a list made by ${server} is found by following an entry`, async () => {
    const found = await result(withList(list));
    assert.equal([found.outcome.kind, places(found)], ['found', ['GET /files/']], found.outcome.reason);
    assert.match(found.findings[0]?.proof?.curl ?? '', /report%202024\.pdf/);
  });
}

further(test)('the same setting in several folders is one finding', async () => {
  const list = lists.nginx ?? '';
  const found = await result(({ path }) => {
    const folder = /^\/(a|b)\/$/.exec(path)?.[0];
    if (folder) return page(list.replaceAll('/files/', folder));
    return path === '/'
      ? html('<a href="/a/x">1</a><a href="/b/x">2</a>')
      : /report|x$/.test(path)
        ? html('x')
        : undefined;
  });
  assert.equal([found.findings.length, found.findings[0]?.locations?.length], [1, 2]);
});

test('where one folder is listed, folders that are there on many sites are asked for, too, and nowhere else', async () => {
  const asked: string[] = [];
  const site =
    (listed: readonly string[]): Handler =>
    (request) => {
      asked.push(request.path);
      const [, folder = '', file] = /^\/([\w.]+)\/(.*)$/.exec(request.path) ?? [];
      if (!listed.includes(folder)) return request.path === '/' ? home : undefined;
      const list = lists.nginx?.replaceAll('/files/', `/${folder}/`) ?? '';
      return file === '' ? page(list) : file === 'report 2024.pdf' ? { body: '%PDF' } : undefined;
    };
  const found = await result(site(['files', 'config', 'database']));
  assert.equal(
    found.findings.flatMap(({ locations = [] }) => locations.map(({ url = '' }) => new URL(url).pathname)),
    ['/config/', '/database/', '/files/'],
    found.outcome.reason,
  );
  asked.length = 0;
  await result(site([]));
  assert.not.ok(asked.includes('/config/'));
});

test('folders and entries whose names say that they act are passed over', async () => {
  const list = (lists.nginx ?? '').replace(
    '<a href="../">../</a>',
    '<a href="../">../</a>\n<a href="delete/">delete/</a>',
  );
  const site = withList(list);
  const found = await result((request) =>
    request.path === '/' ? html('<a href="/files/hidden.html">x</a><a href="/purge/a.png">y</a>') : site(request),
  );
  assert.equal([found.outcome.kind, places(found)], ['found', ['GET /files/']], found.outcome.reason);
});

const nginx = lists.nginx ?? '';

further(test)('a site that answers every other name with its page lists a file of another kind', async () => {
  const report: Answer = { headers: { 'content-type': 'application/pdf' }, body: '%PDF-1.7' };
  const found = await result(({ path }) =>
    path === '/files/' ? page(nginx) : path === '/files/report 2024.pdf' ? report : home,
  );
  assert.equal(places(found), ['GET /files/'], found.outcome.reason);
});

const clean: Record<string, Handler> = {
  'has an index page in each folder': withList('<h1>Files</h1><a href="report%202024.pdf">report 2024.pdf</a>'),
  'refuses the folder': ({ path }) =>
    path === '/' ? home : path === '/files/' ? { ...page(nginx), status: 403 } : html('x'),
  'explains what such lists look like': withList(
    `<title>Lists</title><pre>&lt;h1&gt;Index of /files/&lt;/h1&gt;</pre><a href="report%202024.pdf">r</a>`,
  ),
  'has a list of another folder, as an archive of the web has': withList(nginx.replaceAll('/files/', '/other/')),
  'has a list whose entries do not exist': withList(nginx, { status: 404 }),
  'answers every name, so that nothing is proven': ({ path }) =>
    path === '/files/' ? page(nginx) : path === '/' ? home : html('x'),
  'has an empty list': withList(nginx.replace(/<a href="report.*?<\/a>/, '')),
};

for (const [what, handler] of firstRows(Object.entries(clean), 3)) {
  test(`a site that ${what} is clean`, async () => {
    const found = await result(handler);
    assert.equal([found.outcome.kind, found.findings.length], ['clean', 0], found.outcome.reason);
  });
}

test.run();
