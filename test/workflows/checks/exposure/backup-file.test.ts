import { gzipSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { backupFile } from '../../../../workflows/checks/exposure/backup-file.check.ts';
import { type Answer, type Handler, html, startSite } from '../../../fixtures/site.ts';
import { firstRows, further } from '../../../support/further.ts';
import { places, runOn, stored } from '../harness.ts';

const test = suite('exposure.backup-file');

async function result(handler: Handler) {
  const site = await startSite(handler);
  try {
    return await runOn(site.url, backupFile);
  } finally {
    await site.close();
  }
}

/** A ZIP archive with one stored entry, as far as readers of its start are concerned. */
function zip(name: string, content = 'x'): Buffer {
  const header = Buffer.alloc(30);
  header.write('PK\x03\x04', 'latin1');
  header.writeUInt32LE(content.length, 18);
  header.writeUInt32LE(content.length, 22);
  header.writeUInt16LE(name.length, 26);
  return Buffer.concat([header, Buffer.from(name + content)]);
}

function tar(name: string, content: string): Buffer {
  const block = Buffer.alloc(1024);
  block.write(name);
  block.write(content.length.toString(8).padStart(11, '0'), 124);
  block.write('ustar\x0000', 257);
  block.write(content, 512);
  return block;
}

const source = "<?php\n$password = 'tRz8kk41';\nmysqli_connect('db', 'shop', $password);\n";

/** A shop in PHP or another language, with these files beside its pages. */
const shop =
  (files: Record<string, Answer>, page = '/list.php'): Handler =>
  ({ path }) =>
    files[path] ??
    (path === '/' ? html(`<a href="${page}">list</a>`) : path === page ? html('<p>a list</p>') : undefined);

const exposed: Record<string, [string, Answer, string?]> = {
  'a copy of a page in PHP': ['/list.php.bak', { body: source, headers: { 'content-type': 'text/html' } }],
  'the copy of an editor': ['/admin/list.php~', { body: source }, '/admin/list.php'],
  'settings that no page leads to': ['/wp-config.php.save', { body: source }],
  'what pages in PHP include': ['/settings.php.bak', { body: source }],
  'settings in a folder of files that pages in PHP include': ['/includes/config.php.bak', { body: source }],
  'settings in a folder that the site has its styles in': ['/inc/config.php.bak', { body: source }, '/inc/page.php'],
  'a page in ASP.NET': ['/list.aspx.old', { body: '<%@ Page Language="C#" %>\n<html></html>' }, '/list.aspx'],
  'a page in JSP': ['/list.jsp.orig', { body: '<%@ page import="java.sql.*" %>' }, '/list.jsp'],
  'a swap file of Vim': ['/.list.php.swp', { body: Buffer.from('b0VIM 9.1\0\0\0\0root\0host') }],
  'a ZIP of the site': ['/backup.zip', { body: zip('htdocs/index.php', source) }],
  'a gzipped tar of the site, cut off': [
    '/shop.tar.gz',
    { body: gzipSync(tar('site/.env', 'SECRET=1')).subarray(0, -6), headers: { 'content-type': 'application/gzip' } },
  ],
  'an application of Java': ['/ROOT.war', { body: zip('WEB-INF/web.xml') }],
};

for (const [what, [at, answer, page]] of firstRows(Object.entries(exposed), 3)) {
  further(test)(`${what} is found, and its text is not kept`, async () => {
    const found = await result(shop({ [at]: answer }, page));
    assert.equal([found.outcome.kind, places(found)], ['found', [`GET ${at}`]], found.outcome.reason);
    assert.not.match(stored(found), /tRz8kk41|SECRET=1/);
  });
}

for (const [server, at, code, others] of [
  ['Werkzeug/3.1.3 Python/3.12.3', '/config.py.bak', 'DEBUG = False\nOFFICE_PASSWORD = "tRz8kk41"\n', 'DEBUG off'],
  ['Express', '/server.js.bak', "const express = require('express');\nconst key = 'tRz8kk41';\n", 'const key = 1;'],
] as const)
  further(test)(`a copy of a program is found where the site shows what runs it (${server})`, async () => {
    const site = (body: string): Handler => {
      const headers = server === 'Express' ? { 'x-powered-by': server } : { server };
      return ({ path }) =>
        path === '/'
          ? { ...html('<p>a list</p>'), headers }
          : path === at
            ? { headers, body }
            : { status: 404, headers, body: 'no' };
    };
    const [found, clean] = [await result(site(code)), await result(site(others))];
    assert.equal(places(found), [`GET ${at}`], found.outcome.reason);
    assert.not.match(stored(found), /tRz8kk41/);
    assert.is(clean.findings.length, 0);
  });

const clean: Record<string, Handler> = {
  'has no copies': shop({}),
  'runs copies as it runs pages': shop({ '/list.php.bak': html('<p>a list</p>') }),
  'shows its home page for every path': () => html('<a href="/list.php">list</a>'),
  'shows the source of every unknown page': ({ path }) =>
    path === '/' ? html('<a href="/list.php">x</a>') : { body: source },
  'answers every path with a ZIP': ({ path }) => (path === '/' ? html('x') : { body: zip('a.php') }),
  'offers an archive for download': shop({
    '/': html('<a href="/backup.zip">get our templates</a>'),
    '/backup.zip': { body: zip('theme/index.php') },
  }),
  'has an archive of pictures': shop({ '/www.zip': { body: zip('press/logo.png') } }),
  'shows a lesson in which code is escaped': shop({ '/list.php.bak': html('<pre>&lt;?php echo 1;</pre>') }),
  'answers with a redirect': ({ path }) =>
    path === '/' ? html('x') : { status: 302, headers: { location: '/' }, body: source },
};

for (const [what, handler] of firstRows(Object.entries(clean), 1)) {
  test(`a site that ${what} is clean`, async () => {
    const found = await result(handler);
    assert.equal([found.outcome.kind, found.findings.length], ['clean', 0], found.outcome.reason);
  });
}

test('a page whose copies are not asked for, since its name is a command, keeps no other copy from being found', async () => {
  const { outcome, findings } = await result(({ path }) => {
    if (path === '/') return html('<a href="/install.php">Set-up</a> <a href="/list.php">list</a>');
    if (path === '/install.php') return html('<p>It is installed.</p>');
    return shop({ '/list.php~': { body: source } })({ path } as never);
  });
  assert.equal(
    findings.map(({ location }) => location?.url?.replace(/^.*\//, '')),
    ['list.php~'],
  );
  assert.ok(outcome.omitted.some(({ code }) => code === 'would_act'));
});

test.run();
