import { calledLogin } from '../../login/json-path.ts';
import type { Exchange } from '../../model/http.ts';
import { parseJson } from '../../model/json.ts';
import { pointerTo } from '../../model/json-pointer.ts';
import { attributeOf, isElement, nodesOf } from '../../probe/html/tree.ts';
import { isHtml } from '../../probe/http/document-type.ts';
import { endsSession } from '../../probe/session-words.ts';
import { parsePage } from '../../survey/page.ts';

/** Words of pages for whoever has just come in. */
const entered =
  /\b(?:welcome|hello,? |hi,? |(?:logged|signed)[- ]in|log[- ]?in success\w*|success(?:ful(?:ly)?)?|congratulations|access granted|willkommen|hallo|angemeldet|eingeloggt|bienvenue|connect[ée]|bienvenid[oa]s?|benvenut[oa]|bem[- ]vindo|welkom|witaj)\b/i;
/** And of pages that refuse, beside them. */
const refusing =
  /\b(?:please|must|need|not|un|no|in|to|failed|error|denied|wrong|bitte|nicht|veuillez|pas)\b|\b(?:un|in)[- ]?(?:success|correct|valid)/i;

/** What says of pieces of a page that somebody is let in. */
export const saysEntered = (piece: string): boolean => entered.test(piece) && !refusing.test(piece);
export const sessionWords = new RegExp(`${entered.source}|log[-_ ]?out|sign[-_ ]?out`, 'i');

/** A field for a password that a visitor sees. */
export const asksForPassword = (exchange: Exchange): boolean =>
  isHtml(exchange) &&
  [...nodesOf(exchange.text)].some(
    (node) => isElement(node) && node.tagName === 'input' && attributeOf(node, 'type')?.toLowerCase() === 'password',
  );

/** A link or form of the page's own that ends the session. */
export function offersLogout(exchange: Exchange): boolean {
  if (exchange.status !== 200 || !isHtml(exchange)) return false;
  const { links, forms } = parsePage(exchange.text, exchange.request.url);
  const { origin } = new URL(exchange.request.url);
  const addresses = [...links.map(({ url }) => url), ...forms.map(({ action }) => action)].filter((address) =>
    URL.canParse(address),
  );
  return addresses.some((address) => {
    const { origin: where, pathname, search } = new URL(address);
    return where === origin && endsSession.test(pathname + search);
  });
}

const grantName =
  /^(?:ok|success(?:ful)?|succeeded|valid|correct|granted|access|allowed|accepted|unlocked|opened|logged_?in|auth(?:enticated|ori[sz]ed)?|result|status)$/i;

/** Members of JSON that say yes or no to what was sent, by their names and with a truth value: those that say yes. */
export function grantsIn({ text, status }: Exchange): string[] {
  if (status >= 300 || !/^\s*\{/.test(text)) return [];
  const root = parseJson(text);
  const members = Object.entries(Object(root) as Record<string, unknown>);
  const granted = members.filter(([name, value]) => grantName.test(name) && value === true);
  return [...granted.map(([name]) => pointerTo(name)), ...loginsIn(root, (value) => value === true)];
}

/** Pointers to what mutations of GraphQL that let somebody in have as their value: `{"data":{"signIn":true}}`. */
function loginsIn(root: unknown, isSought: (value: unknown) => boolean): string[] {
  const { data } = Object(root) as { data?: unknown };
  const members = Object.entries(Object(data) as Record<string, unknown>);
  return members
    .filter(([name, value]) => calledLogin.test(`data.${name}`) && isSought(value))
    .map(([name]) => `/data${pointerTo(name)}`);
}

/** An object with a member that denies or tells an error gives no session: its token is one of a form, its ticket one of the support. */
const saysNo = (value: object): boolean =>
  Object.entries(value).some(
    ([name, member]) => (member === false && grantName.test(name)) || (Boolean(member) && /^errors?$/i.test(name)),
  );

/** The same of an answer in JSON. */
export function deniesIn({ text }: Exchange): boolean {
  if (!/^\s*\{/.test(text)) return false;
  const root = parseJson(text);
  return saysNo(Object(root) as object) || loginsIn(root, (value) => value === false || value === null).length > 0;
}

const tokenName = /(?:^|[_-])(?:token|jwt|sid|bearer)$|token$|session_?(?:id|key)?$|api_?key|authorization/i;
/** Names of much else, as of a text in a catalogue: "login.failed.password". */
const vagueName = /^(?:key|auth|ticket)$/i;
const randomValue = /^(?=.*\d)(?=.*[a-z])[\w~+/=-]+$/i;
const minTokenLength = 16;
/** A JSON Web Token says by its form what it is, whatever it is called: RFC 7519 §3. */
const jwtShape = /^eyJ[\w-]+\.eyJ[\w-]+\.[\w-]*$/;

/** Pointers (RFC 6901) to the tokens in JSON, by their names or their form. */
export function tokensIn({ text, status }: Exchange): string[] {
  if (status >= 300 || !/^\s*[{[]/.test(text)) return [];
  const found: string[] = [];
  const left: [at: string, value: unknown][] = [['', parseJson(text)]];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const [at, value] = next;
    if (typeof value !== 'object' || value === null || saysNo(value)) continue;
    for (const [name, member] of Object.entries(value)) {
      const pointer = at + pointerTo(name);
      if (typeof member !== 'string') left.push([pointer, member]);
      else if (isToken(name, member) || isLoginData(pointer, member)) found.push(pointer);
    }
  }
  return found;
}

/** A mutation of GraphQL may have nothing but the token as its value: `{"data":{"signIn":"…"}}`. */
const isLoginData = (pointer: string, value: string): boolean =>
  calledLogin.test(pointer.slice(1).replaceAll('/', '.')) &&
  value.length >= minTokenLength &&
  /^(?=.*\d)[\x21-\x7e]+$/.test(value.replace(/^Bearer /, ''));

const isToken = (name: string, value: string): boolean =>
  jwtShape.test(value) ||
  ((tokenName.test(name) || (vagueName.test(name) && randomValue.test(value))) &&
    value.length >= minTokenLength &&
    !/\s./.test(value.replace(/^Bearer /, '')));
