import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { wrap } from '../../../core/report/chain-picture.ts';
import { markedExcerpt } from '../../../core/report/excerpt.ts';
import { cvssLink, externalLink } from '../../../core/report/links.ts';
import { styles } from '../../../core/report/styles.ts';
import { duration, firstSentence, givenText, shorten, withCode } from '../../../core/report/text.ts';
import { html, styleElement } from '../../../kit/html.ts';

const markup = suite('markup');

markup('encodes all that it did not make', () => {
  const inner = html`<b>${'<i>'}</b>`;
  assert.is(
    html`<p title="${'"\''}">${inner}${['&', 1]}</p>`.text,
    '<p title="&quot;&#39;"><b>&lt;i&gt;</b>&amp;1</p>',
  );
});
markup('leaves out what is false or undefined', () => assert.is(html`${false}${undefined}${0}`.text, '0'));
markup('does not take an object for markup because it looks like it', () => {
  const lookalike = JSON.parse('{"text":"<script>"}');
  assert.throws(() => html`${lookalike}`);
});
markup('refuses a stylesheet that would end its element', () => assert.throws(() => styleElement('a{}</style>')));
markup.run();

const parts = suite('parts of a report');
const marked = (text: string, marks: string[]) => markedExcerpt(text, marks).text;

parts('marks every place that decides, joined where they overlap', () => {
  assert.is(marked('a secret and a secret', ['secret']), 'a <mark>secret</mark> and a <mark>secret</mark>');
  assert.is(marked('abcdef', ['bcd', 'cde', 'ef']), 'a<mark>bcdef</mark>');
  assert.is(marked('<b>', ['<b>', '']), '<mark>&lt;b&gt;</mark>');
  assert.is(marked('abc', ['x']), 'abc');
});

parts('links lead to the web only', () => {
  for (const address of ['javascript:alert(1)', 'data:text/html,x', '//x.example', '/x', 'https://', 'ftp://x.example'])
    assert.not.match(externalLink(address).text, 'href');
  assert.is(
    externalLink('https://x.example/"').text,
    '<a href="https://x.example/%22" rel="noreferrer noopener">https://x.example/&quot;</a>',
  );
});

parts('half a character does not stop a link', () => {
  assert.match(cvssLink('3.1', 'CVSS\ud83d').text, '#CVSS%EF%BF%BD');
});

parts('code between backticks ends no sentence', () => {
  assert.is(firstSentence('Use `a = ? AND b.` here. Then more.'), 'Use `a = ? AND b.` here.');
  assert.is(firstSentence('No end'), 'No end');
});

parts('what is too long for a list is cut between words', () => {
  assert.is(shorten('one two three', 13), 'one two three');
  assert.is(shorten('one two three', 11), 'one two…');
  assert.is(shorten('one two (three four', 10), 'one two…');
  assert.is(shorten('abcdefghij', 5), 'abcd…');
});

parts('what a link of a chain gives is reported in words', () => {
  assert.is(givenText('session(admin)'), 'a session as admin');
  assert.is(givenText("read(other user's data)"), "reading other user's data");
  assert.is(givenText('signing-secret'), 'signing secret');
  assert.is(givenText('source of the shop'), 'source of the shop');
});

parts('an unclosed backtick stays a backtick', () => {
  assert.is(html`${withCode('a `b` c `d')}`.text, 'a <code>b</code> c `d');
});

parts('durations are reported in words', () => {
  const at = (seconds: number) => timestampFromDate(new Date(seconds * 1_000));
  assert.is(duration(at(0), at(3_725)), '1 h 2 min 5 s');
  assert.is(duration(at(0), at(0)), 'under a second');
  assert.is(duration(undefined, at(1)), undefined);
});

parts('titles in pictures break between words, and long words are cut', () => {
  assert.equal(wrap('one two three', 8), ['one two', 'three']);
  assert.equal(wrap('abcdefgh', 3), ['abc', 'def', 'gh']);
  assert.equal(wrap('漢字漢字', 4), ['漢字', '漢字']);
});
parts.run();

const colours = suite('colours of a report');

/** Relative luminance: WCAG 2.2. */
function luminance(hex: string): number {
  const full = hex.length === 4 ? hex.replace(/[\da-f]/g, '$&$&') : hex;
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => {
    const share = Number.parseInt(full.slice(start, start + 2), 16) / 255;
    return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

const contrast = (a: string, b: string) => {
  const [lower = 0, higher = 0] = [luminance(a), luminance(b)].toSorted((x, y) => x - y);
  return (higher + 0.05) / (lower + 0.05);
};

const grounds = ['paper', 'card', 'sunken'];
const tones = ['critical', 'high', 'medium', 'low', 'info', 'clean'];
const pairs = [
  ...['ink', 'soft', 'accent', ...tones].flatMap((text) => grounds.map((ground) => [text, ground] as const)),
  ...tones.map((tone) => [tone, `${tone}-tint`] as const),
  ...tones.map((tone) => ['ink', `${tone}-tint`] as const),
  ['mark-ink', 'mark'] as const,
  ['accent', 'high-tint'] as const,
  ['card', 'soft'] as const,
  ['card', 'clean'] as const,
];

for (const [index, scheme] of ['light', 'dark'].entries()) {
  colours(`every text colour has a contrast of 4.5 to its grounds in ${scheme}`, () => {
    const [paper = 0] = [[...styles.matchAll(/--paper:#[\da-f]+;--card/g)][index]?.index];
    const rule = styles.slice(paper, paper + 900);
    const colour = (name: string) => new RegExp(`--${name}:(#[\\da-f]{3,6})`).exec(rule)?.[1] ?? '';
    const low = pairs.filter(([text, ground]) => !(contrast(colour(text), colour(ground)) >= 4.5));
    assert.equal(low, []);
  });
}
colours.run();
