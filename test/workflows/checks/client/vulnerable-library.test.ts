import { createHash } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { vulnerableLibrary } from '../../../../workflows/checks/client/vulnerable-library.check.ts';
import { readLibraryData, shippedLibraryData } from '../../../../workflows/checks/library-data.ts';
import type { BrowserPool } from '../../../../workflows/probe/browser/launch.ts';
import { type Handler, html, startSite } from '../../../fixtures/site.ts';
import { libraries } from '../../../scorecard/sites/script-pages.ts';
import { further, usualRows } from '../../../support/further.ts';
import { type AuditOptions, places, runOn, stored, testBrowsers } from '../harness.ts';

const test = suite<{ browsers: BrowserPool }>('client.vulnerable-library');
test.before((context) => {
  context.browsers = testBrowsers();
});
test.after(({ browsers }) => browsers.close());

async function result(handler: Handler, browsers?: BrowserPool, options: AuditOptions = {}) {
  const site = await startSite(handler);
  try {
    return await runOn(site.url, vulnerableLibrary, { ...(browsers && { browsers }), ...options });
  } finally {
    await site.close();
  }
}

/** A page that loads this script; the script does what a library does when it is loaded. */
const loading =
  (script: string, name = 'vendor.js'): Handler =>
  ({ path }) =>
    path === '/'
      ? html(`<p>hello</p><script src="/${name}"></script>`)
      : path === `/${name}`
        ? { headers: { 'content-type': 'text/javascript' }, body: script }
        : undefined;

const jquery = (version: string) => `window.jQuery = window.$ = () => {}; jQuery.fn = { jquery: '${version}' };`;

further(test)(
  'data that the operator has turned off to be fetched is one limit, whichever visitor meets it',
  async ({ browsers }) => {
    const libraryData = { ...shippedLibraryData, isOff: true as const };
    const { outcome } = await result(loading('window.app = 1'), browsers, { libraryData });
    assert.equal(
      outcome.omitted.map(({ code, places }) => [outcome.kind, code, places]),
      [['clean', 'instrument_off', ['data on libraries']]],
    );
    assert.match(outcome.reason, /LIBRARY_DATA_URL/);
  },
);

further(test)('data of which the newest could not be fetched is a limit', async ({ browsers }) => {
  const libraryData = { ...shippedLibraryData, isOutdated: true as const };
  const { outcome } = await result(loading('window.app = 1'), browsers, { libraryData });
  assert.equal(
    outcome.omitted.map(({ code, places }) => [outcome.kind, code, places]),
    [['clean', 'outdated', ['data on libraries']]],
  );
  assert.match(outcome.reason, /the newest could not be fetched/);
});

further(test)('a page that a browser cannot open is named, and the others are looked at', async ({ browsers }) => {
  const found = await result(({ path, headers }) => {
    const isBrowser = headers['sec-fetch-dest'] !== undefined;
    if (path === '/a') return isBrowser ? { closes: true } : html('<script src="/a.js"></script>');
    return path === '/'
      ? html('<a href="/a">a</a><script src="/vendor.js"></script>')
      : { headers: { 'content-type': 'text/javascript' }, body: path === '/vendor.js' ? jquery('1.12.4') : '' };
  }, browsers);
  assert.equal([found.outcome.kind, places(found)], ['found', ['GET /']]);
  assert.match(found.outcome.reason, /\/a was not looked at/);
});

const vulnerable: Record<string, [string, RegExp]> = {
  'an old jQuery in a bundle without a name': [jquery('1.12.4'), /jquery 1\.12\.4, which has CVE-/],
  'a beta of jQuery': [jquery('3.0.0-rc.1'), /CVE-2020-11022/],
  'a build without some of its parts': [jquery('3.4.1 -ajax,-effects/Tween,-deprecated'), /jquery 3\.4\.1, which has/],
  'an old lodash': ['window._ = { VERSION: "4.17.4", runInContext() {} };', /lodash 4\.17\.4/],
  'an old Bootstrap as a plug-in of jQuery': [
    `${jquery('3.7.1')} jQuery.fn.modal = Object.assign(() => {}, { Constructor: { VERSION: '3.3.7' } });`,
    /bootstrap 3\.3\.7/,
  ],
};

for (const [what, [script, said]] of usualRows(vulnerable, ['an old jQuery in a bundle without a name'])) {
  test(`${what} is found by what it says when it runs`, async ({ browsers }) => {
    const found = await result(loading(script), browsers);
    assert.equal([found.outcome.kind, places(found)], ['found', ['GET /']], found.outcome.reason);
    assert.match(found.findings[0]?.description ?? '', said);
    assert.match(stored(found), /browser:libraries/);
  });
}

const wrapped = async () => `(() => { const module = { exports: {} };\n${await libraries.jquery()}\n})();`;

further(test)('a library that a bundle keeps to itself is found by the bytes of the file', async ({ browsers }) => {
  const found = await result(loading(await wrapped(), '9f3c.js'), browsers);
  assert.equal([found.outcome.kind, places(found)], ['found', ['GET /']], found.outcome.reason);
  assert.match(
    found.findings[0]?.description ?? '',
    /loads \/9f3c\.js, which holds jquery 3\.4\.1.*data of Retire\.js, as/,
  );
  assert.equal([found.findings[0]?.proof?.steps?.length, found.findings[0]?.proof?.control?.length], [2, 1]);
});

further(test)(
  'a file is found by its digest in fresh data, which the finding says the day of',
  async ({ browsers }) => {
    const script = 'document.title = "quilt";\n';
    const hashes = { [createHash('sha1').update(script).digest('hex')]: '1.0.2' };
    const weakness = { severity: 'high', below: '1.1.0', identifiers: { CVE: ['CVE-2099-0001'] } };
    const libraryData = readLibraryData(
      { quilt: { vulnerabilities: [weakness], extractors: { hashes } } },
      'fetched on 2099-01-02',
    );
    const found = await result(loading(script), browsers, { libraryData });
    assert.is(found.outcome.kind, 'found', found.outcome.reason);
    assert.match(found.findings[0]?.description ?? '', /quilt 1\.0\.2, which has CVE-2099-0001 .*2099-01-02/);
  },
);

further(test)('a server that gives the same file for every name proves nothing by its bytes', async ({ browsers }) => {
  const script = await wrapped();
  const page = html('<p>hello</p><script src="/vendor.js"></script>');
  const file = { headers: { 'content-type': 'text/javascript' }, body: script };
  const found = await result(({ path }) => (path.endsWith('.js') ? file : path === '/' ? page : undefined), browsers);
  assert.equal([found.outcome.kind, found.findings.length], ['clean', 0], found.outcome.reason);
});

const clean: Record<string, Handler> = {
  'runs a version without known weaknesses': loading(jquery('3.7.1')),
  'has an old number in a file name only': loading(jquery('3.7.1'), 'jquery-1.12.4.min.js'),
  'has an old file that does not run': loading('/*! jQuery v1.12.4 */ throw new Error("not today");'),
  'has a file with the banner of an old one, which says that it is newer': loading(
    `/*! jQuery v1.12.4 */ ${jquery('3.7.1')} ${'void 0;'.repeat(400)}`,
  ),
  'gives another library the same short name': loading('window._ = { VERSION: "1.0.0" };'),
  'says what is no version': loading('window.jQuery = { fn: { jquery: "1.12.4 <b>" } };'),
};

for (const [what, handler] of usualRows(clean, ['has an old file that does not run'])) {
  test(`a site that ${what} is clean`, async ({ browsers }) => {
    const found = await result(handler, browsers);
    assert.equal([found.outcome.kind, found.findings.length], ['clean', 0], found.outcome.reason);
  });
}

further(test)('a page whose library never ends answering holds nothing up', async ({ browsers }) => {
  const hostile = "Object.defineProperty(window, 'jQuery', { get() { for (;;) ; } });";
  const { outcome } = await result(loading(hostile), browsers);
  assert.ok(['clean', 'not-run'].includes(outcome.kind), outcome.kind);
});

test('a site without script has nothing to look at, and without a browser the check is not run', async ({
  browsers,
}) => {
  const none = await result(() => html('hello'), browsers);
  const without = await result(loading(jquery('1.12.4')));
  assert.equal([none.outcome.kind, without.outcome.kind], ['not-applicable', 'not-run']);
});

test.run();
