import type { HtmlElement } from '../../probe/html/parse.ts';
import { attributeOf, isElement, nodesOf } from '../../probe/html/tree.ts';
import { type ScriptState, scriptStateAt } from './script-state.ts';

/** The place in a page where a value of the request came back, as a browser's parser sees it. */
export type Reflection =
  /**
   * Between tags; `end` closes an element whose content is not markup, for instance "</title>". An encoded one stands in an attribute
   * whose value is a page of its own.
   */
  | { kind: 'markup'; end: string; isEncoded?: true }
  | { kind: 'comment' }
  | { kind: 'attribute'; quote: '"' | "'" | '' }
  /** Inside a tag, where a name of an attribute stands. */
  | { kind: 'tag' }
  /** The value of an event handler, or an address of script; entities in it are decoded before it is run. */
  | { kind: 'handler'; quote: '"' | "'" | ''; state: ScriptState; element: string; attribute: string }
  /** The beginning of a URL that is followed or loaded as a document. */
  | { kind: 'url'; quote: '"' | "'" | ''; element: string; attribute: string }
  | { kind: 'script'; state: ScriptState };

/** Elements whose content is text until their end tag. Source: HTML Standard, 13.2.5. */
const textElements = new Set(['title', 'textarea', 'style', 'iframe', 'xmp', 'noembed', 'noframes', 'noscript']);
const urlAttributes = new Set(['href', 'action', 'formaction', 'xlink:href', 'src', 'data']);
/** What they load is no document and no script: pictures, sounds, styles. */
const passiveElements = new Set(['img', 'image', 'audio', 'video', 'source', 'track', 'input', 'link', 'use', 'base']);
const scriptTypes =
  /^(?:|module|(?:text|application)\/(?:x-)?(?:java|ecma)script|text\/javascript1\.\d|text\/jscript)$/i;

/** Every place where the word came back, each kind once. */
export function reflectionsOf(html: string, word: string): Reflection[] {
  const found = new Map<string, Reflection>();
  const add = (reflection: Reflection) => found.set(JSON.stringify(reflection), reflection);
  for (const node of nodesOf(html)) {
    if (node.nodeName === '#comment' && 'data' in node && node.data.includes(word)) add({ kind: 'comment' });
    if (node.nodeName === '#text' && 'value' in node && node.value.includes(word))
      textReflections(node.value, word, node.parentNode).forEach(add);
    if (isElement(node)) elementReflections(html, node, word).forEach(add);
  }
  return [...found.values()];
}

function textReflections(text: string, word: string, parent: unknown): Reflection[] {
  const element =
    parent !== null && typeof parent === 'object' && 'tagName' in parent ? (parent as HtmlElement) : undefined;
  const name = element?.tagName ?? '';
  if (name !== 'script') return [{ kind: 'markup', end: textElements.has(name) ? `</${name}>` : '' }];
  // Data blocks are not run, but their end tag ends them all the same.
  if (!scriptTypes.test((element && attributeOf(element, 'type')?.trim()) ?? ''))
    return [{ kind: 'markup', end: '</script>' }];
  return positions(text, word).map((at) => ({ kind: 'script', state: scriptStateAt(text, at) }));
}

/** A page may repeat a word without end; the first places are enough. */
function positions(text: string, word: string): number[] {
  const found: number[] = [];
  for (let at = text.indexOf(word); at !== -1 && found.length < 8; at = text.indexOf(word, at + word.length))
    found.push(at);
  return found;
}

function elementReflections(html: string, element: HtmlElement, word: string): Reflection[] {
  const reflections: Reflection[] = element.tagName.includes(word) ? [{ kind: 'tag' }] : [];
  for (const { name, value } of element.attrs) {
    if (name.includes(word)) reflections.push({ kind: 'tag' });
    const at = value.indexOf(word);
    if (at === -1) continue;
    const quote = quoteOf(html, element, name);
    const code = codeIn(name, value);
    if (code !== undefined && at >= value.length - code.length)
      reflections.push({
        kind: 'handler',
        quote,
        state: scriptStateAt(code, at - (value.length - code.length)),
        element: element.tagName,
        attribute: name,
      });
    if (name === 'srcdoc') reflections.push({ kind: 'markup', end: '', isEncoded: true });
    else reflections.push({ kind: 'attribute', quote });
    // Leading white space and control characters do not keep a scheme from being one.
    if (urlAttributes.has(name) && !passiveElements.has(element.tagName) && value.slice(0, at).trim() === '')
      reflections.push({ kind: 'url', quote, element: element.tagName, attribute: name });
  }
  return reflections;
}

/** The script that an attribute's value ends with: that of a handler, or of an address that is one. */
function codeIn(name: string, value: string): string | undefined {
  if (/^on[a-z]/.test(name)) return value;
  return urlAttributes.has(name) ? /^\s*javascript:(.*)$/is.exec(value)?.[1] : undefined;
}

/** How the value of an attribute is quoted in the source. */
function quoteOf(html: string, element: HtmlElement, name: string): '"' | "'" | '' {
  const location = element.sourceCodeLocation?.attrs?.[name];
  const source = location ? html.slice(location.startOffset, location.endOffset) : '';
  const last = source.at(-1);
  return source.includes('=') && (last === '"' || last === "'") ? last : '';
}
