/** Markup: text that is put into a page as it is. */
export class DemoMarkup {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

export type DemoPart = DemoMarkup | string | number | undefined | false | readonly DemoPart[];

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

function render(part: DemoPart): string {
  if (part === undefined || part === false) return '';
  if (part instanceof DemoMarkup) return part.text;
  if (typeof part === 'string') return part.replace(/[&<>"']/g, (character) => entities[character] ?? '');
  if (typeof part === 'number') return String(part);
  return part.map(render).join('');
}

/** Template tag that encodes every value but markup. */
export function html(strings: TemplateStringsArray, ...parts: DemoPart[]): DemoMarkup {
  return new DemoMarkup(strings.reduce((text, literal, index) => text + render(parts[index - 1]) + literal));
}
