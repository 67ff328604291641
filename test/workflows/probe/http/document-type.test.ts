import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { documentTypeOf } from '../../../../workflows/probe/http/document-type.ts';
import { makeExchange } from '../../../../workflows/probe/http/exchange.ts';

const test = suite('types of documents');

function typeOf(headers: [string, string][], body: string): string {
  const request = { method: 'GET', url: 'https://shop.example/', headers: [], body: '' };
  const answer = { status: 200, httpVersion: '1.1', truncated: false, remoteAddress: '', elapsedMs: 1, redirects: [] };
  return documentTypeOf(makeExchange({ request, headers, body: Buffer.from(body), ...answer }));
}

const page = '<!DOCTYPE html><title>Shop</title>';

for (const [what, headers, body, expected] of [
  ['a type in capitals with parameters', [['Content-Type', 'Text/HTML; charset=utf-8']], '', 'text/html'],
  ['no type before a page', [], page, 'text/html'],
  ['no type before white space and a comment', [], ' \r\n<!-- made by hand --><p>Shop', 'text/html'],
  ['no type before a paragraph with attributes', [], '<p class="a">Shop', 'text/html'],
  ['no type before a word that begins as an element does', [], '<articles><a/></articles>', ''],
  ['no type before text', [], 'Shop <b>open</b>', ''],
  ['no type and no sniffing', [['X-Content-Type-Options', 'NoSniff']], page, ''],
  ['a type that is none', [['Content-Type', 'html']], page, 'text/html'],
  ['a type that stands for any', [['Content-Type', '*/*']], page, 'text/html'],
  ['text that looks like a page', [['Content-Type', 'text/plain']], page, 'text/plain'],
  [
    'the last of several types',
    [
      ['Content-Type', 'text/plain'],
      ['content-type', 'text/html'],
    ],
    '',
    'text/html',
  ],
  ['the last of a list', [['Content-Type', 'text/html, application/json']], page, 'application/json'],
] as const satisfies [string, [string, string][], string, string][])
  test(`${what} is taken as browsers take it`, () =>
    assert.is(
      typeOf(
        [...headers].map(([a, b]) => [a, b]),
        body,
      ),
      expected,
    ));

test.run();
