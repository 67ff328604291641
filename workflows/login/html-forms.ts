import { ProbeError } from '../model/probe-error.ts';
import { baseOf } from '../probe/html/base.ts';
import { type HtmlElement as Element, type HtmlNode as Node, parseHtml } from '../probe/html/parse.ts';
import type { FieldTraits } from '../probe/login-fields.ts';

/** A field or button of a form. */
export type Control = FieldTraits & {
  tag: string;
  /** What is sent when nobody touches it. */
  value: string;
  /** A browser sends it along by itself: it is enabled, ticked, and no button. */
  isSent: boolean;
  isButton: boolean;
  attribute(name: string): string | undefined;
};

export type PageForm = {
  pageUrl: string;
  /** Absolute. */
  action: string;
  method: 'GET' | 'POST';
  enctype: string;
  /** It says neither where it goes nor how, so script on the page is meant to send it. */
  isScripted: boolean;
  /** In document order. */
  controls: Control[];
};

const fieldTags = new Set(['input', 'button', 'select', 'textarea']);

/**
 * The forms of a page, as a browser without script would send them.
 * @throws ProbeError `too_large` when the page is too much to be read to its end
 */
export function readForms(html: string, pageUrl: string): PageForm[] {
  const { document, complete } = parseHtml(html);
  if (!complete) throw new ProbeError('too_large', `${pageUrl} has more elements, or deeper ones, than are read`);
  const all = elements(document);
  const first = all.find(({ tagName }) => tagName === 'base');
  const base = baseOf(first && attribute(first, 'href'), pageUrl);
  const labels = labelsOf(all);
  const fields = fieldsByForm(all);
  return all
    .filter(({ tagName }) => tagName === 'form')
    .flatMap((form): PageForm[] => {
      const own = fields.get(form) ?? [];
      const action = attribute(form, 'action')?.trim() || pageUrl;
      if (!URL.canParse(action, base)) return [];
      const method = attribute(form, 'method');
      return [
        {
          pageUrl,
          action: new URL(action, base).href,
          method: method?.toLowerCase() === 'post' ? 'POST' : 'GET',
          enctype: attribute(form, 'enctype')?.toLowerCase() ?? '',
          isScripted: isScripted(attribute(form, 'action'), method),
          controls: own.map((field) => controlOf(field, labels)),
        },
      ];
    });
}

/** The fields of each form. The `form` attribute goes before the place in the tree (HTML Living Standard §4.10.17.3). */
function fieldsByForm(all: readonly Element[]): Map<Element, Element[]> {
  const forms = all.filter(({ tagName }) => tagName === 'form');
  // Of several with an id the first one counts: a map keeps the last.
  const byId = new Map(forms.toReversed().map((form) => [attribute(form, 'id'), form]));
  const owned = new Map<Element, Element[]>(forms.map((form) => [form, []]));
  for (const field of all.filter(({ tagName }) => fieldTags.has(tagName))) {
    const id = attribute(field, 'form');
    const owner = id === undefined ? formAround(field) : byId.get(id);
    if (owner) owned.get(owner)?.push(field);
  }
  return owned;
}

function formAround(field: Element): Element | undefined {
  for (let parent = field.parentNode; parent; parent = 'parentNode' in parent ? parent.parentNode : null)
    if ('tagName' in parent && parent.tagName === 'form') return parent;
  return undefined;
}

const isScripted = (action: string | undefined, method: string | undefined): boolean =>
  /^\s*(?:javascript:|#)/i.test(action ?? '') || (!action && method === undefined);

function controlOf(field: Element, labels: ReadonlyMap<string, string>): Control {
  const get = (name: string) => attribute(field, name);
  const type = typeOf(field);
  const isButton = ['submit', 'image', 'button', 'reset'].includes(type);
  const isTicked = !['checkbox', 'radio'].includes(type) || get('checked') !== undefined;
  const text = isButton
    ? [textOf(field), get('value'), get('title')]
    : [get('placeholder'), labels.get(get('id') ?? '')];
  return {
    tag: field.tagName,
    type,
    name: get('name') ?? '',
    id: get('id') ?? '',
    autocomplete: get('autocomplete') ?? '',
    label: [...text, get('aria-label')].filter(Boolean).join(' '),
    value: sentValue(field, type),
    isSent: !isButton && isTicked && type !== 'file' && get('name') !== undefined && get('disabled') === undefined,
    isButton,
    attribute: get,
  };
}

/** A button without a type submits (HTML Living Standard §4.10.8), an input without one takes text. */
function typeOf(field: Element): string {
  if (field.tagName === 'select' || field.tagName === 'textarea') return field.tagName;
  return attribute(field, 'type')?.toLowerCase() || (field.tagName === 'button' ? 'submit' : 'text');
}

function sentValue(field: Element, type: string): string {
  if (field.tagName === 'select') {
    const options = elements(field).filter(({ tagName }) => tagName === 'option');
    const chosen = options.find((option) => attribute(option, 'selected') !== undefined) ?? options[0];
    return chosen ? (attribute(chosen, 'value') ?? textOf(chosen)) : '';
  }
  if (field.tagName === 'textarea') return textOf(field);
  return attribute(field, 'value') ?? (['checkbox', 'radio'].includes(type) ? 'on' : '');
}

/** Texts of labels by the id of their field. */
function labelsOf(all: readonly Element[]): Map<string, string> {
  const labels = all.filter(({ tagName }) => tagName === 'label');
  return new Map(labels.map((label) => [attribute(label, 'for') ?? '', textOf(label).trim()]));
}

const attribute = (element: Element, name: string): string | undefined =>
  element.attrs.find((attr) => attr.name === name)?.value;

/** What a reader sees of a page, scripts and styles left out; of one that is too much to read, of its beginning. */
export const visibleText = (html: string): string =>
  textOf(parseHtml(html).document, {
    without: new Set(['script', 'style', 'noscript', 'template']),
    maxNodes: Number.POSITIVE_INFINITY,
  });

/** Labels, buttons and options are short; hostile ones hold each other, and each all the text of the page. */
const maxNodesOfText = 200;

/** Text below a node in document order. */
function textOf(
  root: Node,
  { without, maxNodes }: { without: ReadonlySet<string>; maxNodes: number } = {
    without: new Set(),
    maxNodes: maxNodesOfText,
  },
): string {
  let text = '';
  let nodes = 0;
  const work: Node[] = [root];
  for (let node = work.pop(); node !== undefined && nodes < maxNodes; node = work.pop()) {
    nodes += 1;
    if (node.nodeName === '#text' && 'value' in node) text += node.value;
    if ('childNodes' in node && !without.has(node.nodeName)) work.push(...node.childNodes.toReversed());
  }
  return text;
}

/** All elements below a node in document order. */
function elements(root: Node): Element[] {
  const found: Element[] = [];
  const work: Node[] = 'childNodes' in root ? root.childNodes.toReversed() : [];
  for (let node = work.pop(); node !== undefined; node = work.pop()) {
    if ('tagName' in node) found.push(node);
    if ('childNodes' in node) work.push(...node.childNodes.toReversed());
  }
  return found;
}
