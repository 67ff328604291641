import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { escapePattern } from '../../../../workflows/proof/pattern.ts';
import { filterFor } from '../../../../workflows/proof/reproduce/extract.ts';
import {
  formFieldFilter,
  functionsFor,
  hiddenFieldFilter,
  memberFilter,
} from '../../../../workflows/proof/reproduce/page-filters.ts';
import { shellWord } from '../../../../workflows/proof/shell.ts';
import { runIn } from './shell.ts';

const read = async (filter: string, text: string): Promise<string> => {
  const script = [...functionsFor([`| ${filter}`]), `X=$(printf %s "$TEXT" | ${filter}); printf %s "$X"`].join('\n');
  return (await runIn('sh', script, { TEXT: text })).stdout;
};

const test = suite('filters that read a value out of a text');

const hidden = (name: string) =>
  `(?i)<input\\b[^>]*\\bname=["']?${escapePattern(name)}["'\\s/>][^>]*\\bvalue=["']?([^"'\\s>]+)`;

const readable: [what: string, text: string, value: string, pattern?: string][] = [
  ['a hidden field', '<p>\n<input type="hidden" name="csrf" value="a1b2"> <b>x</b>', 'a1b2', hidden('csrf')],
  ['the first of two', '<input name=csrf value="first">\n<input name=csrf value="second">', 'first', hidden('csrf')],
  ['a value in quotes of the other kind', "<input name='csrf' value='a1b2'>", 'a1b2', hidden('csrf')],
  ['a parameter of a link', '<a href="/out?token=k9|/,#~&amp;x=1">out</a>', 'k9|/,', 'token=([^#]+)'],
  ['what ends a line', 'first\nkey: abc.def\nlast', 'abc.def', 'key: (\\S+)'],
  ['signs of regular expressions', '(a+b)*[c]{2}|^$.\\ = value;', 'value', `${escapePattern('{2}|^$.\\ = ')}([^;]+)`],
  ['a member of JSON, found by itself', '{"id":1,"street":"14 Mill Lane","city":"X"}', '14 Mill Lane'],
  ['a field of a form, found by itself', '<input name="city" value="Westbridge" required>', 'Westbridge'],
  ['a cookie, found by itself', 'HTTP/1.1 200 OK\nset-cookie: a=1; sid=77ab; Path=/', '77ab'],
];

for (const [what, text, value, pattern] of readable)
  test(`find ${what}`, async () => {
    const filter = filterFor(text, value, pattern) ?? '';
    assert.is(await read(filter, text), value, filter);
  });

test('find what stands in their place the next time', async () => {
  const page = (token: string) => `<form>\n<input type="hidden" name="csrf" value="${token}"></form>`;
  const filter = filterFor(page('a1b2'), 'a1b2', hidden('csrf')) ?? '';
  assert.is(await read(filter, page('other-one')), 'other-one');
  assert.not.match(filter, /a1b2/);
});

const unreadable: [what: string, text: string, value: string, pattern?: string][] = [
  ['a value over several lines', 'key="a\nb"', 'a\nb', 'key="([^"]+)'],
  ['one with nothing before it', 'abc', 'abc', '^(\\w+)$'],
  ['one that another of the same surroundings hides', '<i x="no">\n<i x="yes">', 'yes', '<i x="(yes)'],
  ['one that the pattern does not find', 'key=abc', 'abc', 'lock=(\\w+)'],
  ['words of a text', '<p>You live at Mill Lane now</p>', 'Mill Lane'],
  ['one far from the start of its context', `key${' '.repeat(200)}=abc`, 'abc', 'key +=(\\w+)'],
  ['nothing', 'abc', ''],
];

for (const [what, text, value, pattern] of unreadable)
  test(`are none for ${what}`, () => {
    assert.is(filterFor(text, value, pattern), undefined);
  });

const fields = [
  '<input type="hidden" name="a[b]" value="v1">',
  `<input value='v1' type=hidden name='a[b]'>`,
  '<input\n  name=a[b]\n  value=v1 >',
  '<p name="a[b]x" value="no"><input name="a[b]" value="v1"><input name="a[b]" value="v2">',
];
for (const html of fields)
  test(`read a field of ${JSON.stringify(html)}`, async () => {
    assert.is(await read(hiddenFieldFilter('a[b]'), html), 'v1');
    assert.is(await read(formFieldFilter('a[b]'), html), 'v1');
  });

test('read words of a person as they were typed', async () => {
  const html = `<input name="n" value="O&#39;Brien &amp; &quot;Söhne&quot; &lt;b&gt; 'x' 1/2 \\n &amp;lt;">`;
  assert.is(await read(formFieldFilter('n'), html), `O'Brien & "Söhne" <b> 'x' 1/2 \\n &lt;`);
  assert.is(await read(formFieldFilter('n'), `<textarea name="n">x</textarea><p value="no">`), '');
});

test('read a member of JSON by its name', async () => {
  assert.is(await read(memberFilter('a.b'), '{"axb": "no",\n "a.b" : "yes"}'), 'yes');
  assert.is(await read(memberFilter("it's/"), `{"it's/":"yes"}`), 'yes');
});

test('are quoted for a shell', () => {
  assert.match(filterFor("it's x='v'", 'v', "x='(\\w)") ?? '', shellWord("s/.*x='([^']*).*/\\1/p"));
});

test.run();
