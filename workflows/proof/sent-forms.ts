import { baseOf } from '../probe/html/base.ts';
import { type HtmlToken, readTokens } from '../survey/page-tokens.ts';

/** A control with the value that a browser would send now. */
export type Entry = { name: string; value: string; type: string };

/** A form as a browser would send it from the page as it stands. */
type SentForm = {
  /** Absolute. */
  action: string;
  method: 'GET' | 'POST';
  enctype: string;
  entries: Entry[];
};

type Attributes = ReadonlyMap<string, string>;
type OpenForm = { id: string; attributes: Attributes; entries: Entry[]; hasButton: boolean };
type Option = { value: string | undefined; text: string; isSelected: boolean; isDisabled: boolean };
type OpenSelect = { attributes: Attributes; options: Option[] };

/** Controls that send nothing by themselves, and files, which nobody can send again. */
const unsent = new Set(['button', 'image', 'reset', 'file']);
const maxEntries = 1_000;

/**
 * The forms of a page with what they send: ticked boxes, selected options, hidden fields, the first button; nothing that
 * is disabled. Source: HTML standard §4.10.22.4, constructing the entry list. One that leads nowhere is left out.
 */
export function sentForms(html: string, pageUrl: string): SentForm[] {
  const reader = new FormReader();
  readTokens(html, (token) => reader.read(token));
  const base = baseOf(reader.base, pageUrl);
  return reader.forms().flatMap(({ attributes, entries }) => {
    const given = attributes.get('action') ?? '';
    const action = given === '' ? pageUrl : absolute(given, base);
    const method = attributes.get('method')?.toLowerCase() === 'post' ? 'POST' : 'GET';
    const enctype = attributes.get('enctype')?.toLowerCase() || 'application/x-www-form-urlencoded';
    return action === undefined ? [] : [{ action, method, enctype, entries }];
  });
}

/** Values of a field in the forms that go to a path with query. */
export const fieldValues = (html: string, pageUrl: string, target: string, name: string): string[] =>
  sentForms(html, pageUrl)
    .filter(({ action }) => targetOf(action) === target)
    .flatMap(({ entries }) => entries.filter((entry) => entry.name === name).map(({ value }) => value));

/** Path and query of a form's action, as a subject names them. */
export function targetOf(action: string): string {
  const { pathname, search } = new URL(action);
  return pathname + search;
}

function absolute(url: string | undefined, base: string): string | undefined {
  if (url === undefined) return undefined;
  const parsed = URL.parse(url.trim(), base);
  return parsed && /^https?:$/.test(parsed.protocol) ? parsed.href.replace(/#.*$/s, '') : undefined;
}

/** Follows the tags as they stand, so that a form around rows of a table has its fields, as in browsers. */
class FormReader {
  base: string | undefined;
  readonly #forms: OpenForm[] = [];
  readonly #elsewhere: { formId: string; entry: Entry }[] = [];
  /** Whether each open fieldset is disabled. */
  readonly #sets: boolean[] = [];
  #current: OpenForm | undefined;
  #select: OpenSelect | undefined;
  #area: { attributes: Attributes; text: string } | undefined;
  #openTemplates = 0;

  read(token: HtmlToken): void {
    if (token.kind === 'start') this.#start(token.name, token.attributes);
    else if (token.kind === 'end') this.#end(token.name);
    else this.#text(token.text);
  }

  /** Fields outside of their form are found by its id, as the `form` attribute says. */
  forms(): OpenForm[] {
    for (const { formId, entry } of this.#elsewhere.splice(0))
      this.#forms.find(({ id }) => id === formId)?.entries.push(entry);
    return this.#forms;
  }

  #start(name: string, attributes: Attributes): void {
    if (name === 'template') this.#openTemplates += 1;
    if (name === 'fieldset') this.#sets.push(attributes.has('disabled'));
    if (name === 'base') this.base ??= attributes.get('href');
    if (name === 'form') this.#openForm(attributes);
    if (name === 'input') this.#addInput(attributes);
    if (name === 'button') this.#addButton(attributes);
    if (name === 'textarea') this.#area = { attributes, text: '' };
    if (name === 'select') this.#select = { attributes, options: [] };
    if (name === 'option') this.#addOption(attributes);
  }

  #end(name: string): void {
    if (name === 'template') this.#openTemplates = Math.max(0, this.#openTemplates - 1);
    if (name === 'fieldset') this.#sets.pop();
    if (name === 'form') this.#current = undefined;
    if (name === 'select') this.#endSelect();
    if (name === 'textarea') this.#endArea();
  }

  #text(text: string): void {
    const option = this.#select?.options.at(-1);
    if (this.#area) this.#area.text += text;
    else if (option) option.text += text;
  }

  /** A form inside a form does not start one. Source: HTML standard §13.2.6.4.7. */
  #openForm(attributes: Attributes): void {
    if (this.#current || this.#openTemplates > 0) return;
    this.#current = { id: attributes.get('id') ?? '', attributes, entries: [], hasButton: false };
    this.#forms.push(this.#current);
  }

  #add(attributes: Attributes, type: string, value: string): void {
    const name = attributes.get('name') ?? '';
    const isOff = attributes.has('disabled') || this.#sets.includes(true) || this.#openTemplates > 0;
    if (name === '' || isOff) return;
    const formId = attributes.get('form');
    const entry = { name, type, value };
    if (formId !== undefined && this.#elsewhere.length < maxEntries) this.#elsewhere.push({ formId, entry });
    else if (this.#current && this.#current.entries.length < maxEntries) this.#current.entries.push(entry);
  }

  #addInput(attributes: Attributes): void {
    const type = attributes.get('type')?.toLowerCase() || 'text';
    const isBox = type === 'checkbox' || type === 'radio';
    if (type === 'submit') this.#addButton(attributes);
    if (type === 'submit' || unsent.has(type) || (isBox && !attributes.has('checked'))) return;
    this.#add(attributes, type, attributes.get('value') ?? (isBox ? 'on' : ''));
  }

  #addButton(attributes: Attributes): void {
    const isSubmit = (attributes.get('type')?.toLowerCase() || 'submit') === 'submit';
    if (!isSubmit || this.#current?.hasButton) return;
    if (this.#current) this.#current.hasButton = true;
    this.#add(attributes, 'submit', attributes.get('value') ?? '');
  }

  #addOption(attributes: Attributes): void {
    if (!this.#select || this.#select.options.length >= maxEntries) return;
    const [isSelected, isDisabled] = [attributes.has('selected'), attributes.has('disabled')];
    this.#select.options.push({ value: attributes.get('value'), text: '', isSelected, isDisabled });
  }

  #endSelect(): void {
    if (!this.#select) return;
    const { attributes, options } = this.#select;
    this.#select = undefined;
    for (const { value, text } of chosen(options, attributes.has('multiple')))
      this.#add(attributes, 'select', value ?? text.trim().replace(/\s+/g, ' '));
  }

  /** A line break right after the tag is not part of the text. Source: HTML standard §13.2.6.4.7. */
  #endArea(): void {
    if (this.#area) this.#add(this.#area.attributes, 'textarea', this.#area.text.replace(/^\r?\n/, ''));
    this.#area = undefined;
  }
}

/** Of a list that takes one, the last that is marked counts, else the first that can be chosen. */
function chosen(options: readonly Option[], isMultiple: boolean): Option[] {
  const usable = options.filter(({ isDisabled }) => !isDisabled);
  const selected = usable.filter(({ isSelected }) => isSelected);
  return isMultiple ? selected : [selected.at(-1) ?? usable[0] ?? []].flat();
}
