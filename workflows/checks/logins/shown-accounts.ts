import { readTokens } from '../../probe/html/tokens.ts';
import type { AccountPair } from './default-accounts.ts';

/** A pair of a name and a password that a page has. */
export type ShownAccount = {
  pair: AccountPair;
  /** Where: for readers of the page, or for those of its source alone. */
  in: 'text' | 'comment' | 'script';
};

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
const patterns = [
  // "User: demo, password: demo".
  new RegExp(String.raw`(?<!\p{L})${name}${is}${user}${between}${password}${is}${secret}`, 'giu'),
  // "Log in as demo with the password demo".
  new RegExp(
    String.raw`\bas\s{1,3}${quote}?${user}${quote}?\s{1,3}(?:with|using|and)\s{1,3}(?:the\s{1,3})?${password}(?:${is}|\s{1,3})${secret}`,
    'giu',
  ),
  // "Test account: test / test123", "demo credentials (demo:demo)", "log in with demo:demo".
  new RegExp(
    String.raw`\b(?:demo|test(?:ing|ers?)?|trial|sample|guests?|visitors?|everybody|anybody|default|log-?\s?in with|sign in with)\b[^<>\n]{0,60}?(?<![\w:/.@-])(?!(?:accounts?|credentials?|creds|users?|log-?ins?)\b)(?=[\w.@+-]*[a-z])([\w.@+-]{2,64})\s{0,2}[:/|]\s{0,2}${quote}?(?!/)([^\s"'\x60<>,;|(){}[\]/]{2,64})`,
    'giu',
  ),
];
/** What stands there in sentences and in code. */
const noValue =
  /^(?:required|wrong|incorrect|invalid|false|true|null|undefined|none|string|text|pass(?:word)?|user(?:name)?|e-?mail|the|your|an?|not|too|must|should|is|https?|[*.x•]+|\$.*|\{.*)$/i;

/** Elements that stand for quotes: "user <b>kim</b>, password <b>kim-2031</b>". */
const emphasis = /^(?:b|strong|code|em|i|kbd|samp|tt|mark|var)$/;

/** Pairs that a page shows, in its text, its comments or its scripts; each once. None where there are many. */
export function shownAccounts(html: string): ShownAccount[] {
  const texts: Record<ShownAccount['in'], string> = { text: '', comment: '', script: '' };
  let quotedText = '';
  let place: ShownAccount['in'] = 'text';
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
      },
    },
  );
  const places = ['text', 'comment', 'script'] as const;
  const found = [
    ...places.flatMap((each) => pairsIn(texts[each]).map((pair): ShownAccount => ({ pair, in: each }))),
    ...pairsIn(quotedText).map((pair): ShownAccount => ({ pair, in: 'text' })),
  ];
  const unique = [...new Map(found.toReversed().map((each) => [JSON.stringify(each.pair), each])).values()];
  return unique.length > maxAccounts ? [] : unique.toReversed();
}

const pairsIn = (text: string): AccountPair[] =>
  patterns
    .flatMap((pattern) => [...text.matchAll(pattern)])
    .map(([, who = '', word = '']): AccountPair => [who, word.replace(/[.,;:]$/, '')])
    .filter((pair) => pair.every((each) => each !== '' && !noValue.test(each)));
