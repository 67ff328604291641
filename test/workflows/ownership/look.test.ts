import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { lookForProof, type OwnershipLook } from '../../../workflows/ownership/look.ts';
import { parseAllowRules } from '../../../workflows/probe/guard/allow.ts';
import type { OpenProbes } from '../../../workflows/probe/open.ts';
import { startNameServer, type Zone } from '../../fixtures/name-server.ts';
import { type Handler, startSite } from '../../fixtures/site.ts';
import { further } from '../../support/further.ts';
import { certificateFor, openFor } from '../probe/support.ts';

const test = suite('the look for a proof of ownership');

const token = 'b3d1'.repeat(10);
const proof = `scan-audit-verification=${token}`;
const domain = 'shop.example';
const file = '/.well-known/scan-audit-verification.txt';
const page = (head: string, body = '') => `<!doctype html><html><head>${head}</head><body>${body}</body></html>`;
const html = (body: string) => ({ headers: { 'content-type': 'text/html' }, body });
const tag = `<meta name="scan-audit-verification" content="${token}">`;

type World = { zone?: Zone; failing?: Record<string, 'SERVFAIL'>; https?: Handler; http?: Handler; allow?: string[] };

/** Looks at a domain whose DNS and web servers are real ones on this machine. */
async function look(method: string, { zone = {}, failing = {}, https, http, allow }: World): Promise<OwnershipLook> {
  const names = { [`${domain} A`]: ['127.0.0.1'], [`${domain} AAAA`]: [], ...zone };
  const nameServer = await startNameServer(names, failing);
  const nobody: Handler = () => undefined;
  const secure = await startSite(https ?? nobody, { host: domain, tls: await certificateFor(domain) });
  const plain = await startSite(http ?? nobody, { host: domain });
  const opened: OpenProbes[] = [];
  try {
    const rules = parseAllowRules(allow ?? [`${domain}=127.0.0.0/8`]);
    const guard = { allow: rules, dnsServer: nameServer.address };
    const probesFor = (url: string) => {
      const probes = openFor(url, { guard });
      opened.push(probes);
      return probes;
    };
    const ports = { https: secure.port, http: plain.port };
    return await lookForProof({ domain, token, method }, { probesFor, ports });
  } finally {
    await Promise.all(opened.map((probes) => probes.close()));
    await Promise.all([secure.close(), plain.close()]);
    nameServer.close();
  }
}

const txt = (name: string, ...texts: string[]): Zone => ({ [`${name} TXT`]: texts });

async function is(outcome: OwnershipLook['outcome'], method: string, world: World, why?: string): Promise<void> {
  const seen = await look(method, world);
  assert.is(seen.outcome, outcome, `${why ?? ''} ${seen.detail}`);
  if (outcome === 'found') assert.is(seen.method, method);
  else assert.ok(seen.detail.length > 10, 'it says what was seen');
}

test('finds a TXT record, beside others and in parts', async () => {
  await is('found', 'dns-txt', { zone: txt(`_scan-audit.${domain}`, 'something else', proof) });
  const inParts = { [`_scan-audit.${domain} TXT`]: [[proof.slice(0, 20), proof.slice(20)]] };
  await is('found', 'dns-txt', { zone: inParts });
});

test('follows an alias of the record, which the owner has put there', async () => {
  const zone = {
    [`_scan-audit.${domain} TXT`]: [{ alias: 'proofs.example' }, proof],
  };
  await is('found', 'dns-txt', { zone });
});

test('takes no TXT record of the parent, a sibling, "www", the name itself, or another token for the proof', async () => {
  for (const name of ['_scan-audit.example', '_scan-audit.blog.example', `_scan-audit.www.${domain}`, domain])
    await is('missing', 'dns-txt', { zone: txt(name, proof) }, name);
  for (const text of [token, `${proof}0`, proof.replace('b3d1', 'b3d2'), ` x ${proof}`])
    await is('missing', 'dns-txt', { zone: txt(`_scan-audit.${domain}`, text) }, text);
});

test('does not call a record missing that could not be asked for', async () => {
  await is('failed', 'dns-txt', { failing: { [`_scan-audit.${domain} TXT`]: 'SERVFAIL' } });
});

test('finds a file over https, and over http', async () => {
  const serve: Handler = ({ path }) => (path === file ? { body: `${proof}\n` } : undefined);
  await is('found', 'http-file', { https: serve });
  await is('found', 'http-file', { http: serve });
});

test('takes no file that holds more, another token, or is a page that answers to everything', async () => {
  for (const body of [`${proof}\n${proof}`, proof.slice(0, -1), `<p>${proof}</p>`, '', `${proof}${' '.repeat(5_000)}x`])
    await is('missing', 'http-file', { https: () => ({ body }) }, body.slice(0, 60));
  await is('missing', 'http-file', { https: ({ path }) => ({ status: 404, body: path === file ? proof : '' }) });
});

test('follows a redirect on the host, and none to another host or port', async () => {
  const onHost: Handler = ({ path }) =>
    path === file ? { status: 302, headers: { location: '/proof' } } : { body: path === '/proof' ? proof : '' };
  await is('found', 'http-file', { https: onHost });
  for (const location of [
    'https://www.shop.example/p',
    'http://evil.example/',
    '//blog.example/p',
    'https://127.0.0.1/',
  ])
    await is('missing', 'http-file', { https: () => ({ status: 302, headers: { location } }) }, location);
});

test('gives up on a redirect that never ends', async () => {
  const loop: Handler = ({ target }) => ({ status: 302, headers: { location: `${target}x` } });
  await is('missing', 'http-file', { https: loop });
});

test('does not call a file missing when the host is down, broken or too busy', async () => {
  await is('failed', 'http-file', { https: () => ({ status: 503 }), http: () => ({ status: 500 }) });
  await is('failed', 'http-file', { https: () => ({ status: 429 }), http: () => ({ status: 429 }) });
  await is('failed', 'http-file', { zone: { [`${domain} A`]: [] } });
});

further(test)('reads no more of a body than a proof needs', async () => {
  const huge = Buffer.alloc(64 * 1_048_576, 'x');
  await is('missing', 'http-file', { https: () => ({ body: huge }), http: () => ({ body: huge }) });
  await is('missing', 'meta-tag', { https: () => ({ headers: { 'content-type': 'text/html' }, body: huge }) });
});

test('asks nothing of a host at a private address', async () => {
  const serve: Handler = () => ({ body: proof });
  await is('failed', 'http-file', { https: serve, allow: [] });
});

test('finds a meta element in the head, however it is written', async () => {
  for (const head of [
    tag,
    `<title>x</title><META CONTENT='${token}' NAME=Scan-Audit-Verification />`,
    `<script>"</head>"</script>${tag}`,
  ])
    await is('found', 'meta-tag', { https: () => html(page(head)) }, head);
  await is('found', 'meta-tag', { https: () => html(`${tag}<p>a page without head tags`) });
});

test('takes no element from a comment, a script, a template, noscript, the body or a frame', async () => {
  const srcdoc = tag.replaceAll('"', '&quot;');
  for (const body of [
    page('', tag),
    page(`<!-- ${tag} -->`),
    page(`<script>document.write('${tag}')</script>`),
    page(`<template>${tag}</template>`),
    page(`<title>${tag}</title>`),
    page(`<p>text ends the head${tag}`),
    page('', `<iframe srcdoc="${srcdoc}"></iframe>`),
    page('', `<svg><head>${tag}</head></svg>`),
    page(tag.replace(token, `${token} `.repeat(2))),
  ])
    await is('missing', 'meta-tag', { https: () => html(body) }, body);
});

test('takes a meta element of the root page only, and only from a page', async () => {
  await is('missing', 'meta-tag', { https: ({ path }) => html(path === '/about' ? page(tag) : page('')) });
  const asText = () => ({ headers: { 'content-type': 'text/plain' }, body: page(tag) });
  await is('missing', 'meta-tag', { https: asText, http: asText });
});

test('tries each way when none is named, and says which one it was', async () => {
  const byTag = await look('', { https: ({ path }) => (path === '/' ? html(page(tag)) : undefined) });
  assert.equal([byTag.outcome, byTag.method], ['found', 'meta-tag']);
  const none = await look('', {});
  assert.is(none.outcome, 'missing');
  for (const part of ['_scan-audit.shop.example', file]) assert.match(none.detail, part);
});

test.run();
