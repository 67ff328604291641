import { readTokens } from '../../probe/html/tokens.ts';
import { rot13 } from '../sessions/text-codings.ts';
import type { AccountPair } from './default-accounts.ts';
import { pairsInFields } from './field-accounts.ts';
import { furtherPairs, listedPairs } from './listed-accounts.ts';

/** A pair of a name and a password that a page has. */
export type ShownAccount = {
  pair: AccountPair;
  /** Where: for readers of the page, for those of its source alone, or in a file that no page is for. */
  in: 'text' | 'comment' | 'script' | 'file';
};

/** What a page of HTML is made of. */
type PagePart = Exclude<ShownAccount['in'], 'file'>;

/** More names than these on one page are a list of users, of which trying each would lock accounts. */
const maxAccounts = 4;
const maxTextLength = 200_000;

const name = '(?:user[ _-]?(?:name|id)?|log[ _-]?in|e-?mail(?:[ _-]?address)?|account|benutzer(?:name)?)';
const password = '(?:pass(?:word|wd|phrase|code)?|pwd|pw|passwort|kennwort)';
const quote = String.raw`["'\x60]`;
const is = String.raw`(?:${quote}{0,2}\s{0,3}(?:[:=]|=>|\bis\b)\s{0,3}${quote}{0,2}|\s{1,3}${quote})`;
const user = String.raw`([^\s"'\x60<>,;|&(){}[\]]{1,64})`;
const secret = String.raw`([^\s"'\x60<>,;|(){}[\]]{1,64})`;
const between = String.raw`["'\x60.)]{0,3}[\s,;|/&*]{0,8}(?:(?:and|und|with)\s{1,3})?(?:(?:the|its)\s{1,3})?`;
/** Not "Demo reader: kim / kim-2031" at its first word: there the pair begins behind it. */
const ends = String.raw`(?=[\s"'\x60<>,;|(){}[\]/]|$)(?!\s{0,2}[:/|]\s{0,2}[\w@+-])`;
const patterns = [
  // "User: demo, password: demo"; "account: demo, password demo-1".
  new RegExp(
    String.raw`(?<!\p{L})${name}${is}${user}${between}${password}(?:${is}|\s{1,3}(?=[^\s\d]{0,40}\d))${secret}`,
    'giu',
  ),
  // "For reviewers: kim, password kim-2031".
  new RegExp(
    String.raw`(?<=[:(]\s{0,3}${quote}?)([a-z][\w.@+-]{1,63})${between}${password}(?:${is}|\s{1,3}(?=[^\s\d]{0,40}\d))${secret}`,
    'giu',
  ),
  // "Log in as demo with the password demo".
  new RegExp(
    String.raw`\b(?:as|use|try)\s{1,3}${quote}?${user}${quote}?\s{1,3}(?:with|using|and)\s{1,3}(?:the\s{1,3})?${password}(?:${is}|\s{1,3})${secret}`,
    'giu',
  ),
  // "Log in as kim with kim-2031", "use kim:kim-2031": a secret without a word before it has a digit.
  new RegExp(
    String.raw`\b(?:(?:log|sign)[ -]?in\s{1,3}as|use|try)\s{1,3}${quote}?([a-z][\w.@+-]{1,63})${quote}?(?:\s{1,3}(?:with|using|and)\s{1,3}|\s{0,2}[:/]\s{0,2})${quote}?(?=\p{L})(?=[^\s]{0,40}\d)([^\s"'\x60<>,;|(){}[\]/]{5,64})${ends}`,
    'giu',
  ),
  // "Singers use kim / la-la-la": two words with a stroke between them, behind the verb, are no others.
  new RegExp(
    String.raw`\b(?:(?:log|sign)[ -]?in\s{1,3}as|use|try)\s{1,3}([a-z][\w.@+-]{1,63})\s{1,2}/\s{1,2}(?=\p{L})(?=[^\s]{0,40}[-_!#$])([^\s"'\x60<>,;|(){}[\]/]{6,64})${ends}`,
    'giu',
  ),
  // "Readers: kim / kim-2031": whatever people are called, what stands there is no word of a sentence.
  new RegExp(
    String.raw`(?<=[:(]\s{0,2})([a-z][\w.@+-]{1,63})\s{1,2}/\s{1,2}(?=\p{L})(?=[^\s]{0,40}\d)([^\s"'\x60<>,;|(){}[\]/]{6,64})${ends}`,
    'giu',
  ),
  // "kim@site.example / kim-2031".
  new RegExp(
    String.raw`(?<![\w.+-])([\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4})\s{0,2}[:/|]\s{0,2}(?=\p{L})(?=[^\s]{0,40}\d)([^\s"'\x60<>,;|(){}[\]/]{6,64})${ends}`,
    'giu',
  ),
  // "Test account: test / test123", "demo credentials (demo:demo)", "log in with demo:demo".
  new RegExp(
    String.raw`\b(?:demo|test(?:ing|ers?)?|try|trial|sample|guests?|visitors?|everybody|anybody|default|log-?\s?in with|sign in with)\b[^<>\n]{0,60}?(?<![\w:/.@-])(?!(?:accounts?|credentials?|creds|users?|log-?ins?)\b)(?![\w-]+:\s+[\w.@+-]{2,64}\s{0,2}[:/|])(?=[\w.@+-]*[a-z])([\w.@+-]{2,64})\s{0,2}[:/|]\s{0,2}${quote}?(?!/)([^\s"'\x60<>,;|(){}[\]/]{2,64})${ends}`,
    'giu',
  ),
  // "student / student", "kim:kim": nothing else writes a word twice like this.
  /(?<![\w:/.@-])([a-z][\w.@+-]{2,31})\s{0,2}[:/]\s{0,2}(\1)(?![\w:/@-])/giu,
];
/** "testUser = 'kim'; testPassword = 'kim-2031'", and the same as comparisons. */
const inCode = new RegExp(
  String.raw`(?:user(?:_?name|_?id)?|log_?in|e_?mail|account)(?:\.value)?["']?\s{0,3}(?:={1,3}|:)\s{0,3}["'\x60]${user}["'\x60]` +
    String.raw`[\s;,)(&]{0,12}(?:(?:var|let|const)\s{1,3})?["']?[\w$.]{0,30}?(?:pass(?:_?word|wd|_?phrase)?|pwd|pw)(?:\.value)?["']?\s{0,3}(?:={1,3}|:)\s{0,3}["'\x60]${secret}["'\x60]`,
  'giu',
);
/** A name and a password, and nothing else: a whole comment, or a line of a list of accounts. */
const bare =
  /^\s{0,20}(?!(?:creds?|credentials?|accounts?|log-?ins?|users?|todo|fixme|note)\b)([a-z][\w.@+-]{1,63})\s{0,2}[:;,|/\t]\s{0,2}([^\s"'<>,;|(){}[\]/]{3,64})\s{0,20}$/gim;
/** In a comment, "dev:devpass1" and "test:test" among other words. */
const joined =
  /(?<![\w:/.@-])(?!(?:build|built|version|rev|revision|commit|release|id|node|server|host|cache|request|trace|page|theme|template|component|block|module|file|sha\d*|md5|etag)\b)([a-z][\w.@+-]{2,31}):(\1|(?!v\d)(?=\p{L})(?=[^\s]{0,40}\d)[^\s"'<>,;|(){}[\]/:]{6,64})(?![\w:/.-])/giu;
/** Of comments and scripts, what is hidden in base64 or hexadecimal digits. */
const encodedWord = /(?<![\w+/=-])[A-Za-z0-9+/]{8,200}={0,2}(?![\w+/=-])/g;
const maxEncoded = 20;
/** In a comment, "login is kim / kim-2031" and "credentials: kim, kim-2031". */
const announced =
  /\b(?:log-?ins?|accounts?|cred(?:ential)?s?|users?)\b[^\w\n]{0,3}(?:is|are)?[^\w\n]{0,3}(?!(?:is|are|as|with|for|and|to)\b)([a-z][\w.@+-]{2,31})\s{0,2}[:/|,]\s{0,2}(?!\d{1,3}\b)([^\s"'<>,;|(){}[\]/]{4,64})(?![\w/-])/gi;
/** What stands there in sentences and in code. */
const noValue =
  /^(?:required|wrong|incorrect|invalid|false|true|null|undefined|none|string|text|pass(?:word)?|user(?:name)?|e-?mail|the|your|an?|not|too|must|should|is|https?|[*.x•]+|(?:\w+\.)+\w*(?:user|name|mail|pass|pwd|value)\w*|\$.*|\{.*)$/i;

/** Elements that stand for quotes: "user <b>kim</b>, password <b>kim-2031</b>". */
const emphasis = /^(?:b|strong|code|em|i|kbd|samp|tt|mark|var)$/;

/** Pairs that a page shows, in its text, its comments or its scripts; each once. None where there are many. */
export function shownAccounts(html: string): ShownAccount[] {
  const texts: Record<PagePart, string> = { text: '', comment: '', script: '' };
  const comments: string[] = [];
  let quotedText = '';
  let place: PagePart = 'text';
  readTokens(
    html.slice(0, maxTextLength),
    (token) => {
      if (token.kind !== 'text') place = token.kind === 'start' && token.name === 'script' ? 'script' : 'text';
      texts[place] += token.kind === 'text' ? token.text : ' ';
      if (place === 'text') quotedText += token.kind === 'text' ? token.text : emphasis.test(token.name) ? '"' : ' ';
    },
    {
      onAside({ text }) {
        texts.comment += `${text}\n`;
        comments.push(text);
      },
    },
  );
  return unlessMany([
    ...found(announced, texts.comment, 'comment'),
    ...accountsIn(texts.text, 'text'),
    ...accountsIn(texts.comment, 'comment'),
    ...comments.filter((text) => !text.trim().includes('\n')).flatMap((text) => found(bare, text, 'comment')),
    ...found(joined, texts.comment, 'comment'),
    ...accountsIn(decodedWords(texts.comment), 'comment'),
    ...found(bare, decodedWords(texts.comment), 'comment'),
    ...accountsIn(disguised(texts.comment), 'comment'),
    ...accountsInScript(texts.script),
    ...accountsIn(quotedText, 'text'),
    ...worthy([...listedPairs(html.slice(0, maxTextLength)), ...pairsInFields(html.slice(0, maxTextLength))], 'text'),
  ]);
}

/** Pairs that a script has: as data, as variables, or as what it compares with. */
export function accountsInScript(code: string): ShownAccount[] {
  const text = code.slice(0, maxTextLength);
  const hidden = decodedWords(text);
  return unlessMany([
    ...accountsIn(drawnTexts(text), 'text'),
    ...accountsIn(text, 'script'),
    ...found(inCode, text, 'script'),
    ...accountsIn(hidden, 'script'),
    ...found(bare, hidden, 'script'),
  ]);
}

/** What a script writes into its page for readers: "<p>Try it: kim / kim-2031</p>". */
const drawnTexts = (code: string): string =>
  [
    ...code.matchAll(
      /<(?:p|div|small|li|span|h[1-6]|b|strong|em|i|code|td|dd|label)\b[^<>]{0,200}>([^<>]{3,300})(?=<)/g,
    ),
  ]
    .map(([, text]) => text)
    .join('\n');

/** Pairs that a file of text has, one a line or with words before them. */
export function accountsInFile(content: string): ShownAccount[] {
  const text = content.slice(0, maxTextLength);
  return unlessMany([...accountsIn(text, 'file'), ...found(bare, text, 'file')]);
}

/** Each pair once, where it is surest; none where there are many. */
function unlessMany(accounts: readonly ShownAccount[]): ShownAccount[] {
  const unique = [...new Map(accounts.toReversed().map((each) => [JSON.stringify(each.pair), each])).values()];
  return unique.length > maxAccounts ? [] : unique.toReversed();
}

/** What words in base64 or hexadecimal digits stand for, a line each. */
const decodedWords = (text: string): string =>
  [...text.matchAll(encodedWord)]
    .slice(0, maxEncoded)
    .map(([word]) => Buffer.from(word, /^(?:[0-9a-f]{2})+$/i.test(word) ? 'hex' : 'base64').toString('latin1'))
    .filter((decoded) => /^[\x20-\x7e]{5,}$/.test(decoded))
    .join('\n');

/** A comment in ROT13, where that makes words about a login of it. */
function disguised(text: string): string {
  const read = rot13(text);
  return /pass(?:word|wd)/i.test(read) ? read : '';
}

function accountsIn(text: string, place: ShownAccount['in']): ShownAccount[] {
  const first = patterns.flatMap((pattern) => found(pattern, text, place));
  const further = first.slice(0, maxAccounts).flatMap(({ pair }) => furtherPairs(text, pair));
  return [...first, ...worthy(further, place)];
}

const found = (pattern: RegExp, text: string, place: ShownAccount['in']): ShownAccount[] =>
  worthy(
    [...text.matchAll(pattern)].map(([, who = '', word = '']): AccountPair => [who, word.replace(/[.,;:]$/, '')]),
    place,
  );

const worthy = (pairs: readonly AccountPair[], place: ShownAccount['in']): ShownAccount[] =>
  pairs
    .filter((pair) => pair.every((each) => each !== '' && !noValue.test(each) && decodedWords(each) === ''))
    .map((pair) => ({ pair, in: place }));
