import type { Exchange } from '../model/http.ts';
import { parseJson } from '../model/json.ts';
import { readTokens } from '../probe/html/tokens.ts';

/** What an answer shows, by kind of place: texts in their order, and an empty one for each element. */
export type ShownTexts = ReadonlyMap<string, readonly string[]>;

/** `isCut` when the answer shows more than is read of it: that nothing has changed there proves nothing. */
type ShownReading = { shown: ShownTexts; isCut: boolean };

/** Elements without content, which no end tag closes. Source: HTML standard §13.1.2. */
const empty = /^(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)$/;
const unseen = /^(?:script|style|template|noscript|title)$/;
/** Values of these fields are not shown, or are made anew each time. */
const unseenFields = /^(?:hidden|password|submit|button|image|reset)$/i;
/** Elements around a text that identify its kind of place. */
const placeDepth = 4;
const maxTexts = 20_000;
const maxLeafDepth = 12;
/** Of what names a kind of place: those that begin alike for so long are one kind. */
const maxNameLength = 200;
/** Times of day and dates go on by themselves. */
const clock = /\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}|\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?/g;
/** How long ago something was goes on, too: in the units of many languages. "Just now" is none of them, since that shows a change. */
const units = [
  'seconds?|secs?|minutes?|mins?|hours?|hrs?|days?|weeks?|[smhdw]',
  'sekunden?|minuten?|stunden?|std|tage?n?|wochen?|seconden?|uur|uren|dag(?:en)?|weken',
  'secondes?|heures?|jours?|semaines?|segundos?|minutos?|horas?|d[ií]as?|semanas?',
  'second[io]|minut[io]|or[ae]|giorn[io]|settiman[ae]|sekund[aey]?|minut[aęy]?|godzin[aęy]?|dni',
  'секунд[аыу]?|минут[аыу]?|час(?:а|ов)?|дн(?:я|ей)|день',
];
const shortUnits = '秒|分|小时|小時|時間|天|日|초|분|시간';
const age = new RegExp(
  String.raw`(?<![\p{L}\d])\d{1,3}\s{0,2}(?:(?:${units.join('|')})(?!\p{L})|${shortUnits})`,
  'giu',
);

export function shownIn(exchange: Pick<Exchange, 'text' | 'header'>): ShownReading {
  const { text } = exchange;
  const type = exchange.header('content-type') ?? '';
  const places = new Map<string, string[]>();
  let count = 0;
  const add = (place: string, value: string) => {
    count += 1;
    if (count > maxTexts) return;
    const texts = places.get(place) ?? [];
    texts.push(value.replace(clock, '‹time›').replace(age, '‹age›'));
    places.set(place, texts);
  };
  let isTooDeep = false;
  if (/json/i.test(type)) isTooDeep = addJson(text, add);
  else if (/html|xml/i.test(type)) addHtml(text, add);
  else for (const line of text.split('\n')) add('line', line.trim());
  return { shown: places, isCut: isTooDeep || count > maxTexts };
}

type Add = (place: string, value: string) => void;

function addHtml(html: string, add: Add): void {
  const open: { name: string; kind: string }[] = [];
  /** How often each name is among them: looked for no further than it is there. */
  const openOf = new Map<string, number>();
  const count = (name: string, by: 1 | -1) => openOf.set(name, (openOf.get(name) ?? 0) + by);
  let unseenOpen = 0;
  const place = () =>
    open
      .slice(-placeDepth)
      .map(({ kind }) => kind)
      .join(' ');
  readTokens(html, (token) => {
    if (token.kind === 'text') {
      const value = token.text.trim();
      if (value !== '' && unseenOpen === 0) add(place(), value);
      return;
    }
    if (token.kind === 'end') {
      if (!openOf.get(token.name)) return;
      const at = open.findLastIndex(({ name }) => name === token.name);
      for (const { name } of open.splice(at)) {
        count(name, -1);
        if (unseen.test(name)) unseenOpen -= 1;
      }
      return;
    }
    const { name, attributes } = token;
    const classes = (attributes.get('class') ?? '').slice(0, maxNameLength).split(/\s+/);
    const kind = [name.slice(0, maxNameLength), ...classes].filter((word) => word !== '').join('.');
    if (!unseen.test(name)) add(`${place()} <${kind}>`, '');
    if (name === 'input' && !unseenFields.test(attributes.get('type') ?? ''))
      add(`field ${attributes.get('name')}`, attributes.get('value') ?? '');
    if (empty.test(name)) return;
    open.push({ name, kind });
    count(name, 1);
    if (unseen.test(name)) unseenOpen += 1;
  });
}

/** Members of a list are one kind of place. @returns whether it has values below `maxLeafDepth` */
function addJson(text: string, add: Add): boolean {
  let isTooDeep = false;
  const visit = (value: unknown, place: string, depth: number) => {
    if (depth > maxLeafDepth) {
      isTooDeep = true;
      return;
    }
    if (typeof value !== 'object' || value === null) return add(place, String(value));
    const isList = Array.isArray(value);
    for (const [name, each] of Object.entries(value)) {
      if (isList) add(`${place}/* <item>`, '');
      visit(each, `${place}/${isList ? '*' : name.slice(0, maxNameLength)}`, depth + 1);
    }
  };
  const root = parseJson(text);
  if (root === undefined) add('text', text.trim());
  else visit(root, '', 0);
  return isTooDeep;
}

/** Kinds of places that show something else. */
export function changesBetween(before: ShownTexts, after: ShownTexts): string[] {
  const places = new Set([...before.keys(), ...after.keys()]);
  return [...places].filter((place) => !isSame(before.get(place) ?? [], after.get(place) ?? []));
}

const isSame = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((text, index) => text === other[index]);
