import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Reflection, reflectionsOf } from '../../../../workflows/checks/dom/reflection.ts';
import { ProbeError } from '../../../../workflows/model/probe-error.ts';

const test = suite('places where a word came back');

const attribute = (quote: '"' | "'" | ''): Reflection => ({ kind: 'attribute', quote });

const table: [string, Reflection[]][] = [
  ['<p>other</p>', []],
  ['<p>a WORD b</p>', [{ kind: 'markup', end: '' }]],
  ['WORD', [{ kind: 'markup', end: '' }]],
  ['<title>WORD</title>', [{ kind: 'markup', end: '</title>' }]],
  ['<textarea>WORD</textarea>', [{ kind: 'markup', end: '</textarea>' }]],
  ['<style>a { b: WORD }</style>', [{ kind: 'markup', end: '</style>' }]],
  ['<noscript>WORD</noscript>', [{ kind: 'markup', end: '</noscript>' }]],
  ['<template><p>WORD</p></template>', [{ kind: 'markup', end: '' }]],
  ['<!-- WORD -->', [{ kind: 'comment' }]],
  ['<p title="a WORD">', [attribute('"')]],
  ["<p title='a WORD'>", [attribute("'")]],
  ['<p title=aWORD>', [attribute('')]],
  ['<p WORD>', [{ kind: 'tag' }]],
  ['<xWORD>', [{ kind: 'tag' }]],
  ['<a href="WORD/x">', [attribute('"'), { kind: 'url', quote: '"', element: 'a', attribute: 'href' }]],
  ['<a href="/x?WORD">', [attribute('"')]],
  ['<iframe srcdoc="WORD">', [{ kind: 'markup', end: '', isEncoded: true }]],
  [
    '<body onload="f(\'WORD\')">',
    [{ kind: 'handler', quote: '"', state: "'", element: 'body', attribute: 'onload' }, attribute('"')],
  ],
  [
    '<a href="javascript:f(WORD)">',
    [{ kind: 'handler', quote: '"', state: 'code', element: 'a', attribute: 'href' }, attribute('"')],
  ],
  ['<script>f("WORD")</script>', [{ kind: 'script', state: '"' }]],
  [
    '<script>// WORD\nf(WORD)</script>',
    [
      { kind: 'script', state: 'line-comment' },
      { kind: 'script', state: 'code' },
    ],
  ],
  ['<script type="application/json">{"a":"WORD"}</script>', [{ kind: 'markup', end: '</script>' }]],
  ['<script type="module">let a = `WORD`</script>', [{ kind: 'script', state: '`' }]],
  ['<p>WORD</p><p>WORD</p><!--WORD-->', [{ kind: 'markup', end: '' }, { kind: 'comment' }]],
];

for (const [html, expected] of table) {
  test(`${html} has ${expected.length}`, () => {
    assert.equal(reflectionsOf(html.replaceAll('WORD', 'word7'), 'word7'), expected);
  });
}

test('a page that is nested without end is not taken for one where the word is nowhere', () => {
  assert.throws(
    () => reflectionsOf(`${'<div>'.repeat(50_000)}word7`, 'word7'),
    (error: unknown) => error instanceof ProbeError && error.code === 'too_large',
  );
});

test.run();
