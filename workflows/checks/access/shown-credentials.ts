import type { Exchange } from '../../model/http.ts';
import { parseJson } from '../../model/json.ts';
import { visibleText } from '../../probe/html/text.ts';

const maxShown = 3;
const minLength = 4;

const wordsFor = {
  password: 'pass(?:word|phrase|code)|passwort|kennwort|mot de passe|contraseña|senha|wachtwoord|hasło|пароль',
  name: 'user ?name|login(?: name)?|user ?id|(?:member(?:ship)?|customer|account|card|client)[ -]?(?:number|no|id)|benutzername|kundennummer',
  code: '(?:(?:confirmation|verification|activation|security|one-time|access|sms|e-?mail)[ -])?code|otp|pin',
  invitation:
    '(?:invit(?:e|ation)|referral|access|join(?:ing)?|member(?:ship)?|sign-?up|registration|beta|promo(?:tion)?|einladungs)[ -]?(?:code|key|token|word)|invitation',
} as const;

type ShownKind = keyof typeof wordsFor;

/** What may stand between the word for something and the thing itself: "password for this account is:". */
const between = String.raw`(?:\s+(?:for|of|to|is|was|will be|set|this|your|the|new|account|season|today|use|ist|lautet|est|es|é))*\s*[:=]?\s*["'“«(]?`;
const value = String.raw`([^\s"'“”«»<>()]{4,64})`;

const patterns = Object.fromEntries(
  Object.entries(wordsFor).map(([kind, words]) => [kind, new RegExp(`(?:${words})\\b${between}${value}`, 'giu')]),
) as Record<ShownKind, RegExp>;
/** What JSON calls it. */
const members: Record<ShownKind, RegExp> = {
  password: /^(?:(?:temp(?:orary)?|initial|generated|new)_?)?pass(?:word|wd|phrase|code)?$/i,
  name: /^(?:user_?name|login|(?:member|customer|account)_?(?:number|no|id))$/i,
  code: /(?:^|_)(?:code|otp|pin)$/i,
  invitation: /invit\w*(?:_?code)?$/i,
};

/** Values of one kind that a text shows to whoever reads it: a password that was made for a new account, a code. */
export function shownIn({ text }: Pick<Exchange, 'text'>, kind: ShownKind): string[] {
  const said = [...visibleText(text).matchAll(patterns[kind])].map(([, each = '']) => each.replace(/[.,;!?]+$/, ''));
  const own = /^\s*[{[]/.test(text) ? membersOf(parseJson(text), members[kind]) : [];
  return [...new Set([...own.filter((each) => each.length >= minLength), ...said.filter(isMade)])].slice(0, maxShown);
}

/** No word of the sentence. */
const isMade = (text: string): boolean =>
  text.length >= minLength && (/\d/.test(text) || /[A-Z].*[A-Z]/.test(text) || /\w[-_]\w/.test(text));

function membersOf(root: unknown, name: RegExp): string[] {
  const found: string[] = [];
  const visit = (at: unknown): void => {
    if (typeof at !== 'object' || at === null) return;
    for (const [key, each] of Object.entries(at))
      if (typeof each === 'string' || typeof each === 'number') {
        if (name.test(key)) found.push(String(each));
      } else visit(each);
  };
  visit(root);
  return found;
}

const confirming =
  /confirm|activat|verif|validat|complete|finish|enable|best[aä]tig|aktivier|freischalt|activer|confirmar|ativar|aktywuj/i;
const withToken = /[?&/=](?=[\w-]*\d)[\w-]{8,}(?:[&#]|$)/;
const addresses = /(?:https?:\/\/[^\s"'<>]+|(?<=["'\s])\/[\w./-]+(?:\?[\w.=&%-]+)?)/g;

/** Addresses by which an answer has a new account confirmed: each with a token of its own, and a word for it. */
export function confirmationsIn(answer: Pick<Exchange, 'text' | 'request'>): string[] {
  const { origin } = new URL(answer.request.url);
  const written = [...answer.text.replaceAll('&amp;', '&').matchAll(addresses)].map(([each]) => each);
  const found = written
    .filter((each) => URL.canParse(each, answer.request.url))
    .map((each) => new URL(each, answer.request.url))
    .filter((url) => url.origin === origin && confirming.test(url.pathname + url.search) && withToken.test(url.href));
  return [...new Set(found.map(({ href }) => href))].slice(0, maxShown);
}
