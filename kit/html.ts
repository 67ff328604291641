/** Markup made by `html`. The class is not exported, so nothing else can claim that a string is markup. */
class Markup {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
  toString(): string {
    return this.text;
  }
}

export type Html = Markup;
export type Part = Html | string | number | undefined | false | readonly Part[];

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/**
 * Characters that change how text around them is shown without being seen themselves: controls but tab and newline,
 * bidirectional and other formatting characters (CVE-2021-42574), line and paragraph separators.
 */
const unseen = /(?![\t\n])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** There are some two hundred of them, and a hostile text may hold nothing else. */
const shown = new Map<string, string>();

function codePoint(character: string): string {
  const known = shown.get(character);
  if (known !== undefined) return known;
  const text = `⟨U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`;
  shown.set(character, text);
  return text;
}

/** Text as markup, for an element's content or a quoted attribute. Unseen characters become visible, for instance ⟨U+202E⟩. */
function escapeText(text: string): string {
  return text
    .toWellFormed()
    .replaceAll('\r\n', '\n')
    .replace(unseen, codePoint)
    .replace(/[&<>"']/g, (character) => entities[character] ?? '');
}

function render(part: Part): string {
  if (part === undefined || part === false) return '';
  if (part instanceof Markup) return part.text;
  if (typeof part === 'string') return escapeText(part);
  if (typeof part === 'number') return String(part);
  return part.map(render).join('');
}

/** Template tag: everything put in is escaped, unless this tag made it. Attributes must be quoted. */
export function html(strings: TemplateStringsArray, ...parts: Part[]): Html {
  return new Markup(strings.reduce((text, literal, index) => text + render(parts[index - 1]) + literal));
}

/** A style element around a stylesheet of ours, which is not escaped: in a style element entities are not decoded. */
export function styleElement(css: string): Html {
  if (css.includes('</')) throw new Error('a stylesheet cannot contain "</"');
  return new Markup(`<style>${css}</style>`);
}
