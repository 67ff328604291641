import { randomBytes } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { integrityMissing } from '../../../../workflows/checks/client/integrity-missing.check.ts';
import { type Handler, html, startSite } from '../../../fixtures/site.ts';
import { places, runOn, stored } from '../harness.ts';

const test = suite('client.integrity-missing');

async function result(handler: Handler) {
  const site = await startSite(handler);
  try {
    return await runOn(site.url, integrityMissing);
  } finally {
    await site.close();
  }
}

const page = (content: string) => () => html(content);

const missing: Record<string, Handler> = {
  'jQuery from its own host': page('<script src="https://code.jquery.com/jquery-3.7.1.min.js"></script>'),
  'a library in a folder of its version': page(
    `<script defer crossorigin="anonymous" src='//cdnjs.cloudflare.com/ajax/libs/lodash.js/4.17.21/lodash.min.js'></script>`,
  ),
  'a package of a full version': page(
    '<SCRIPT SRC=https://cdn.jsdelivr.net/npm/vue@3.4.21/dist/vue.global.prod.js></SCRIPT>',
  ),
  'a library below a base, behind one without an address': page(
    '<base target="_top"><base href="https://unpkg.com/"><script nomodule src="htmx.org@1.9.12/dist/htmx.min.js"></script>',
  ),
  'a style sheet of a library': page(
    '<link href=//cdn.jsdelivr.net/npm/bootstrap@5.3.3/dist/css/bootstrap.min.css rel="preload stylesheet" as=style>',
  ),
  'a library with an empty hash': page(
    '<script integrity="" src="https://unpkg.com/htmx.org@1.9.12/dist/htmx.min.js"></script>',
  ),
  'a library with the nonce of a policy': () =>
    html(
      `<script nonce="${randomBytes(8).toString('hex')}" src="https://code.jquery.com/jquery-3.7.1.min.js"></script>`,
    ),
};

for (const [what, handler] of Object.entries(missing)) {
  test(`${what} without a hash is found`, async () => {
    const found = await result(handler);
    assert.equal([found.outcome.kind, places(found)], ['found', ['GET /']], found.outcome.reason);
  });
}

test('the layout of every page is one finding, with each script once', async () => {
  const scripts =
    '<script src="https://code.jquery.com/jquery-3.7.1.min.js"></script><script src="https://unpkg.com/a@1.2.3/a.js"></script>';
  const found = await result(({ path }) =>
    /^\/[a-c]?$/.test(path) ? html(`<a href="/a">a</a><a href="/b">b</a>${scripts}`) : undefined,
  );
  assert.equal([found.findings.length, found.findings[0]?.locations?.length], [1, 1]);
  assert.match(stored(found), /unpkg\.com\/a@1\.2\.3/);
});

const hash = 'integrity="sha384-1H217gwSVyLSIfaLxHbE7dRb3v4mYCKbpQvzx0cegeju1MVsGrX5xXxAvs/HgeFs"';
const fine: Record<string, Handler> = {
  'pins its library': page(
    `<script src="https://code.jquery.com/jquery-3.7.1.min.js" ${hash} crossorigin="anonymous"></script>`,
  ),
  'pins its style sheet': page(
    `<link rel="stylesheet" href="https://cdn.jsdelivr.net/npm/bootstrap@5.3.3/dist/css/bootstrap.min.css" ${hash}>`,
  ),
  'takes fonts of a service, and an icon of a host of libraries': page(
    '<link rel="stylesheet" href="https://fonts.googleapis.com/css2?family=Inter"><link rel="icon" href="https://unpkg.com/a@1.2.3/a.png">',
  ),
  'serves its library itself': page('<script src="/js/jquery-3.7.1.min.js"></script>'),
  'loads a service that changes on purpose': page(
    '<script src="https://js.stripe.com/v3/"></script><script src="https://www.googletagmanager.com/gtag/js?id=G-1"></script>',
  ),
  'loads a moving version': page('<script src="https://cdn.jsdelivr.net/npm/vue@3"></script>'),
  'has it in a comment for old browsers': page(
    '<!--[if lt IE 9]><script src="https://cdnjs.cloudflare.com/ajax/libs/html5shiv/3.7.3/html5shiv.min.js"></script><![endif]-->',
  ),
  'has it in a template': page(
    '<template><script src="https://code.jquery.com/jquery-3.7.1.min.js"></script></template>',
  ),
  'shows how it is done': page(
    '<textarea><script src="https://code.jquery.com/jquery-3.7.1.min.js"></script></textarea>',
  ),
};

for (const [what, handler] of Object.entries(fine)) {
  test(`a site that ${what} has no finding`, async () => {
    const found = await result(handler);
    assert.ok(['clean', 'not-applicable'].includes(found.outcome.kind), found.outcome.reason);
    assert.is(found.findings.length, 0);
  });
}

test.run();
