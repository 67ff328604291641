import { readTokens } from '../../probe/html/tokens.ts';
import { rot13 } from '../sessions/text-codings.ts';
import { accountPhrases, accountsInCode } from './account-phrases.ts';
import type { AccountPair } from './default-accounts.ts';
import { pairsInFields } from './field-accounts.ts';
import { furtherPairs, listedPairs, passwordField } from './listed-accounts.ts';
import { looseIn, loosePairs, phrasesAtLogin } from './loose-accounts.ts';

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
  /^(?:required|wrong|incorrect|invalid|false|true|null|undefined|none|string|text|pass(?:word)?|user(?:name)?|e-?mail|the|your|an?|use|try|access|enter|not|too|must|should|is|https?|[*.x•]+|(?:\w+\.)+\w*(?:user|name|mail|pass|pwd|value)\w*|\$.*|\{.*)$/i;

/** No password, but the name behind what the account is called. */
const isMail = /^[\w.+-]+@[\w-]+(?:\.[\w-]+)+$/;

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
  const sure = unlessMany([
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
  if (sure.length > 0) return sure;
  const loose = worthy(loosePairs(html.slice(0, maxTextLength)), 'text');
  const further = passwordField.test(html) ? phrasesAtLogin : [];
  return unlessMany([...loose, ...worthy(looseIn(texts.comment, further), 'comment')]);
}

/** Pairs that a script has: as data, as variables, or as what it compares with. */
export function accountsInScript(code: string): ShownAccount[] {
  const text = code.slice(0, maxTextLength);
  const hidden = decodedWords(text);
  return unlessMany([
    ...accountsIn(drawnTexts(text), 'text'),
    ...accountsIn(text, 'script'),
    ...found(accountsInCode, text, 'script'),
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
  const sure = unlessMany([...accountsIn(text, 'file'), ...found(bare, text, 'file')]);
  return sure.length > 0 ? sure : unlessMany(worthy(looseIn(text), 'file'));
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
  const first = accountPhrases.flatMap((pattern) => found(pattern, text, place));
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
    .filter(([, word]) => !isMail.test(word))
    .filter((pair) => pair.every((each) => each !== '' && !noValue.test(each) && decodedWords(each) === ''))
    .map((pair) => ({ pair, in: place }));
