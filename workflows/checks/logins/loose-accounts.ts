import { readTokens } from '../../probe/html/tokens.ts';
import type { AccountPair } from './default-accounts.ts';
import { passwordField } from './listed-accounts.ts';
import { sharedPairs } from './shared-passwords.ts';

/** What a line says that has an account in it. */
const announcing =
  /\b(?:demo|test(?:ing|ers?|s)?|trial|sample|example|guests?|visitors?|default|hints?|cred(?:ential)?s?|access|accounts?|log(?:ged|ging)?[ -]?in|sign[ -]?in|try(?:ing)?|use|using|zugang\w*|testzugang|benutzer\w*)\b/i;
const name = `(?:user(?:[ _-]?(?:name|id))?|log[ -]?in|account|e-?mail(?: address)?|customer|member|benutzer(?:name)?)`;
const password = `(?:pass(?:word|wd|phrase|code)?|pwd|pw|passwort|kennwort)`;
const sign = String.raw`[\s"'\x60]{0,3}(?:[:=,;(|/\u2013\u2014\u2192>-]{1,2}[\s"'\x60]{0,3})?`;
const joined = String.raw`${sign}(?:(?:and|with|und|mit)\s{1,3})?(?:(?:the|its)\s{1,3})?`;
const who = String.raw`(?!(?:and|or|is|as|the|your|an?|with|name|names|user|login|account|password|e-?mail|mail|phone|sms|get|in|to|id)\b)([a-z][\w.@+-]{1,63}?)`;
const secret = String.raw`(?!(?:and|or|is|as|the|your|an?|with|for|in|to|must|should|will|can|may|required|incorrect|wrong|reset|field|here|below)\b)([^\s"'\x60<>,;|(){}[\]]{4,64})`;
const mail = String.raw`(?<![\w.+-])([\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4})`;
/** A secret without a word before it is no word of a sentence. */
const odd = String.raw`(?=\p{L})(?=[^\s]{0,40}[\d_!#$])([^\s"'\x60<>,;|(){}[\]/]{5,64})`;
/** Behind "code" and "PIN": it has a digit or stands in quotes, other words are those of a sentence. */
const setOff = String.raw`(?:(?=[^\s]{0,20}\d)|(?<=["'\x60]))`;

/** In one line that announces an account. */
const phrases = [
  // "demo user kim, password kimpass"; "as kim (password: kimpass)"; "default user is kim, pw kimpass".
  new RegExp(
    String.raw`\b(?:${name}(?:\s{1,3}is)?|as|is)\s{0,3}[:=]?[\s"'\x60]{1,3}${who}${joined}${password}(?:\s{1,3}is)?\s{0,3}[:=]?[\s"'\x60]{1,3}${secret}`,
    'giu',
  ),
  // "Demo member 1001, PIN 4471"; "customer no. 1001 (code 4471)"; "card 1001 with PIN "fairwind"".
  new RegExp(
    String.raw`\b(?:${name}|card|employee|student|staff|reader|patient|number)(?:\s{1,2}(?:no\.?|number|id|code))?\s{0,3}[:=]?[\s"'\x60]{1,3}([\w.-]{0,20}\d[\w.-]{0,20})${joined}(?:${password}|pin|code)(?:\s{1,3}is)?\s{0,3}[:=]?[\s"'\x60]{1,3}${setOff}([\w.-]{3,32})`,
    'giu',
  ),
  // "name kim and PIN 4471".
  new RegExp(
    String.raw`\b(?:${name}|name|as)\s{0,3}[:=]?[\s"'\x60]{1,3}${who}${joined}(?:pin|code)(?:\s{1,3}is)?\s{0,3}[:=]?[\s"'\x60]{1,3}${setOff}([\w-]{4,32})`,
    'giu',
  ),
  // "the account kim with kimpass as password".
  new RegExp(
    String.raw`(?<![\w.@+-])${who}\s{1,3}(?:and|with)\s{1,3}${secret}\s{1,3}as\s{1,3}(?:(?:the|its|your)\s{1,3})?${password}`,
    'giu',
  ),
  // "with kim@site.example and the password kimpass".
  new RegExp(String.raw`${mail}${joined}${password}(?:\s{1,3}is)?\s{0,3}[:=]?[\s"'\x60]{1,3}${secret}`, 'giu'),
  // "kim@site.example (kim-2031)", "kim@site.example, kim-2031".
  new RegExp(String.raw`${mail}(?:\s{0,2}[:/|,;(\u2013\u2014\u2192]\s{0,2}|\s{1,3}(?:-|with|and)\s{1,3})${odd}`, 'giu'),
  // "use kim@site.example:kimpass".
  new RegExp(String.raw`${mail}(?:\s{1,2}/\s{1,2}|:)(?!\d)([^\s"'\x60<>,;|(){}[\]/]{5,64})`, 'giu'),
  // Two words in bold and the like: "kim" – "kimpass".
  /"([a-z][\w.@+-]{1,63})"[\s:/|,\u2013\u2014\u2192-]{0,4}(?:(?:and|with|und|mit)\s{1,3})?"(?!\d{1,3}")([^\s"'\x60<>,;|(){}[\]]{4,64})"/giu,
  // "kim – kim-2031", "with kim and kim-2031".
  new RegExp(
    String.raw`(?<![\w.@+-])${who}(?:\s{1,2}[\u2013\u2014\u2192-]\s{1,2}|\s{1,3}(?:and|with)\s{1,3})${odd}`,
    'giu',
  ),
];
const plain = String.raw`(?=\p{L})([^\s"'\x60<>,;|(){}[\]/:]{4,64}?)(?=\s{0,2}(?:[.,;)!]?\s{0,2}$|[.,;)]\s|\s(?:until|if|when|while|as|for|to|in|on)\b))`;
/** Plain words are taken for a pair only beside a field for passwords, where one of them can be tried. */
export const phrasesAtLogin = [
  // "Trainees use kim / kimpass", "Login details: kim/kimpass".
  new RegExp(
    String.raw`\b(?:use|try|as|with|details|credentials?|log[ -]?in|account|access)(?:\s{0,2}:)?\s{1,3}${who}\s{0,2}[/|]\s{0,2}${plain}`,
    'giu',
  ),
  // "For trying out: kim / kimpass".
  new RegExp(String.raw`(?<=:\s{1,3})(?-i:(?=[a-z]))${who}\s{1,2}[/|]\s{1,2}${plain}`, 'giu'),
  // "Staff login: kim – kimpass".
  new RegExp(
    String.raw`\b(?:details|credentials?|log[ -]?in|account|access)\s{0,2}:\s{1,3}${who}\s{1,2}[\u2013\u2014\u2192-]\s{1,2}${plain}`,
    'giu',
  ),
  // "sign in with kim and kimpass", "try kim@site.example and kimpass".
  new RegExp(
    String.raw`\b(?:(?:log|sign)[ -]?in\s{1,3}(?:as|with|using)|use|try)\s{1,3}(?-i:(?=[a-z]))${who}\s{1,3}(?:and|with)\s{1,3}${plain}`,
    'giu',
  ),
  new RegExp(String.raw`${mail}\s{1,3}(?:and|with)\s{1,3}(?=\S{5})${plain}`, 'giu'),
];
/** A label, and what stands in the next cell or line. */
const labelled = new RegExp(
  String.raw`(?:^|\n)\s{0,20}${name}\s{0,3}:?\s{0,3}\n\s{0,20}([^\s<>"']{2,64})\s{0,20}\n\s{0,20}${password}\s{0,3}:?\s{0,3}\n\s{0,20}([^\s<>"']{3,64})\s{0,20}(?:\n|$)`,
  'giu',
);

const inline = /^(?:a|abbr|b|bdi|cite|code|em|i|kbd|label|mark|s|samp|small|span|strong|sub|sup|tt|u|var)$/;
const quoting = /^(?:b|strong|code|em|i|kbd|samp|tt|mark|var)$/;
/** Longer pages without a login say many things. */
const maxTextLength = 4_000;
const maxLines = 2_000;
const maxLineLength = 300;

/** Accounts in what a page says of them more freely than by a name and a password behind their labels; each once. */
export function loosePairs(html: string): AccountPair[] {
  let text = '';
  readTokens(html, (token) => {
    if (token.kind === 'text') text += token.text.replace(/\s+/g, ' ');
    else if (!inline.test(token.name)) text += '\n';
    else if (quoting.test(token.name)) text += '"';
  });
  const isLogin = passwordField.test(html);
  return text.length > maxTextLength && !isLogin ? [] : looseIn(text, isLogin ? phrasesAtLogin : []);
}

/** The same in lines of text. @param further phrases that count where no other one does */
export function looseIn(text: string, further: readonly RegExp[] = []): AccountPair[] {
  const lines = text.split(/\n+/).slice(0, maxLines);
  const announced = lines.filter((line) => line.length <= maxLineLength && announcing.test(line));
  const inLines = announced.flatMap((line) => {
    const shared = sharedPairs(line);
    if (shared.length > 0) return shared;
    return [...phrases, ...further].map((phrase) => inOneWriting(phrase, line)).find(([first]) => first) ?? [];
  });
  return [
    ...new Map([...pairsOf(labelled, lines.join('\n')), ...inLines].map((pair) => [pair.join(' '), pair])).values(),
  ];
}

const pairsOf = (phrase: RegExp, text: string): AccountPair[] => [...text.matchAll(phrase)].map(pairOf);

const pairOf = ([, whoever = '', word = '']: RegExpMatchArray): AccountPair => [whoever, word.replace(/[.,;:!?]$/, '')];

/** The first pair, and those that it goes on to: "as kim with kim-2031, or as lea with lea-2032". */
function inOneWriting(phrase: RegExp, line: string): AccountPair[] {
  const all = [...line.matchAll(phrase)];
  const isNext = (at: RegExpMatchArray, index: number): boolean => {
    const before = all[index - 1];
    return !before || goingOn.test(line.slice(before.index + before[0].length, at.index));
  };
  const end = all.findIndex((match, index) => !isNext(match, index));
  return (end === -1 ? all : all.slice(0, end)).map(pairOf);
}

const goingOn = /^[\s,;"'`]{0,5}(?:and|or|und|oder)\s{1,3}(?:as\s{1,3})?$/i;
