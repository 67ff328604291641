import type { PageHooks } from './agent-hooks.ts';

/** The form that a control sends, when that has fields of these kinds. */
export type SentFormTraits = { hasSecret: boolean; method: string };

/** What the agent reads of a page's elements. */
export type PageElements = {
  /** What may be a control; some come more than once. */
  candidates(): Generator<Element>;
  /** Events that an element answers. */
  eventsOf(element: Element): string[];
  hasOwnHandler(element: Element): boolean;
  /** Where an element stands: the same after the page was loaded anew. */
  placeOf(element: Element): string;
  /** What kind of element it is, and in what: without its number in a list. */
  kindOf(element: Element): string;
  /** Using another element is as good: the list of an option, the field of a label, the link in an entry of a menu; or it is the page itself, or nothing that is shown. */
  isUsedOtherwise(element: Element): boolean;
  /** It is a link, or stands in one. */
  leadsElsewhere(element: Element): boolean;
  formOf(element: Element): SentFormTraits | undefined;
  /** What it says of itself besides its text. */
  textsOf(element: Element): string[];
  /** The document and open shadow roots. */
  roots(): (Document | ShadowRoot)[];
  /** A text in one line, cut. */
  cut(text: string | null | undefined): string;
  /** Elements that were not looked at. */
  missed(): number;
};

/** Runs in the page, so it uses nothing but what it is given. */
export function readElements({
  known,
  listening,
  listeners,
  delegated,
}: Pick<PageHooks, 'known' | 'listening' | 'listeners' | 'delegated'>): PageElements {
  const maxLength = 300;
  /** Elements that are looked at each time; those beyond them once. */
  const maxLookedAgain = 3_000;
  /** Pages with more parts are not read elsewhere either. */
  const maxLooked = 50_000;
  const maxRoots = 500;
  /** Rows of a list whose listener is that of the list. */
  const maxRows = 8;
  /** Frameworks listen for more kinds of events, to far more than one list. */
  const maxTypes = 12;
  const lookedOnce = new WeakSet<Element>();
  /** What the list around hears of an element in one of its rows. */
  const heard = new WeakMap<Element, Set<string>>();
  let missed = 0;

  const cut = (text: string | null | undefined) => (text ?? '').replace(/\s+/g, ' ').trim().slice(0, maxLength);
  const frameworkEvents = (element: Element): string[] => {
    const events = [...known].filter((type) => typeof Reflect.get(element, `on${type}`) === 'function');
    for (const key of Reflect.ownKeys(element)) {
      const held: unknown = Reflect.get(element, key);
      // Solid and early Svelte 5 keep each handler under a name of its own.
      const type = typeof key === 'string' ? /^(?:__|\$\$)([a-z]+)$/.exec(key)?.[1] : undefined;
      if (type !== undefined && typeof held === 'function' && known.has(type)) events.push(type);
      if (typeof held !== 'object' || held === null) continue;
      // Svelte 5 keeps all of them under a symbol.
      if (typeof key === 'symbol') events.push(...Object.keys(held).filter((each) => known.has(each)));
      if (typeof key === 'symbol') continue;
      // React keeps an element's properties beside it, Vue its handlers.
      if (!/^__react(?:Props|EventHandlers)\$|^_vei$/.test(key)) continue;
      for (const [property, handler] of Object.entries(held))
        if (/^on[A-Z]/.test(property) && handler) events.push(property.slice(2).toLowerCase());
    }
    return events;
  };
  const inlineEvents = (element: Element): string[] =>
    element.getAttributeNames().flatMap((attribute) => /^(?:on|@|v-on:|ng-|x-on:)([a-z]+)/.exec(attribute)?.[1] ?? []);
  const controlSelector =
    'button, summary, select, input[type=button], input[type=submit], input[type=image], [role=button], [role=tab], [role=menuitem], [role=link], [role=option], [role=switch], [role=checkbox], [onclick], a:not([href]), a[href^="#"], a[href^="javascript:" i], label[for]';

  const isField = (element: Element) => element.matches('input, textarea, select, [contenteditable]');
  /** A form that is sent by a key alone: it has no button for it. */
  const isBare = (element: Element): element is HTMLFormElement =>
    element instanceof HTMLFormElement &&
    element.elements.length > 0 &&
    ![...element.elements].some((each) => /^(?:submit|image)$/.test(Reflect.get(each, 'type')));

  const eventsOf = (element: Element): string[] => {
    if (isBare(element)) return ['submit'];
    const own = new Set(
      [
        ...(listening.get(element) ?? []),
        ...(heard.get(element) ?? []),
        ...inlineEvents(element),
        ...frameworkEvents(element),
      ].filter((type) => known.has(type)),
    );
    if (element.matches(controlSelector)) own.add(element instanceof HTMLSelectElement ? 'change' : 'click');
    own.delete('submit');
    // What opens under a pointer stays open.
    if (own.has('mouseenter') || own.has('mouseover')) for (const type of ['mouseleave', 'mouseout']) own.delete(type);
    return [...own];
  };
  const hasOwnHandler = (element: Element) => inlineEvents(element).length > 0;
  /** The element around, across the bounds of components. */
  const parentOf = (element: Element): Element | null => {
    const root = element.parentElement ? undefined : element.getRootNode();
    return root instanceof ShadowRoot ? root.host : element.parentElement;
  };
  const placeOf = (element: Element): string => {
    const parts: string[] = [];
    for (let at: Element | null = element; at && parts.length < 12; at = parentOf(at)) {
      if (at.id !== '') {
        parts.push(`#${at.id}`);
        break;
      }
      const parent: ParentNode | null = at.parentNode;
      parts.push(`${at.tagName}${parent ? [...parent.children].indexOf(at) : ''}`);
    }
    return parts.reverse().join('>').slice(0, maxLength);
  };
  const kindOf = (element: Element): string => {
    const tags: string[] = [];
    for (let at: Element | null = element; at && tags.length < 12; at = parentOf(at)) tags.push(at.tagName);
    const named = element.parentElement?.id ? `#${element.parentElement.id} ` : '';
    return cut(`${named}${tags.join('<')} ${element.getAttribute('class') ?? ''}`.replace(/\d+/g, '0'));
  };
  /** The value names what a widget shows or hides: "toggle-modal" of `data-bs-toggle="modal"`. */
  const dataName = (attribute: string, value: string): string => {
    const [, shown] = /^data-(?:[a-z]{2,3}-)?(toggle|dismiss)$/.exec(attribute) ?? [];
    return shown !== undefined && /^[a-z]{2,20}$/.test(value)
      ? `${shown === 'dismiss' ? 'close' : shown}-${value}`
      : attribute.slice('data-'.length);
  };
  /** It shows or hides a part of its page: the names of such controls are no commands. Source: ARIA 1.2, `aria-expanded`. */
  const folds = (element: Element): boolean => {
    const [, id] = /^#(.+)$/.exec(element.getAttribute('href') ?? '') ?? [];
    return element.hasAttribute('aria-expanded') || (id !== undefined && document.getElementById(id) !== null);
  };
  const classOf = (element: Element): string => {
    const text = element.getAttribute('class') ?? '';
    return folds(element) ? text.replace(/(?<![\w-])[\w-]*toggler?(?![\w-])/g, '') : text;
  };
  const named = ['id', 'name', 'value', 'title', 'aria-label', 'href', 'formaction'];
  const textsOf = (element: Element): string[] => {
    const given = element.getAttributeNames().filter((attribute) => /^(?:on|@|v-on:|ng-)/.test(attribute));
    const data = element.getAttributeNames().filter((attribute) => attribute.startsWith('data-'));
    const labels = element instanceof HTMLInputElement ? [...(element.labels ?? [])] : [];
    return [
      cut(classOf(element)),
      ...[...named, ...given, ...data.slice(0, 20)].map((attribute) => cut(element.getAttribute(attribute))),
      ...data.slice(0, 20).map((attribute) => dataName(attribute, element.getAttribute(attribute) ?? '')),
      ...labels.slice(0, 5).map((label) => cut(label.textContent)),
    ];
  };
  const isHashRoute = (element: Element) => /^#!?\//.test(element.getAttribute('href') ?? '');
  const leadsElsewhere = (element: Element) => {
    const link = element.closest('a[href]');
    return link !== null && (isHashRoute(link) || !/^(?:#|javascript:)/i.test(link.getAttribute('href') ?? ''));
  };
  /** A link or button in it has all that it says: a press on that one reaches it, too. */
  const isAroundControl = (element: Element): boolean => {
    const [inner, ...others] = element.querySelectorAll('a[href], button');
    if (inner === undefined || others.length > 0 || cut(inner.textContent) !== cut(element.textContent)) return false;
    return (
      !hasOwnHandler(element) &&
      eventsOf(element).every((type) => /^(?:click|mouse(?:down|up)|pointer(?:down|up))$/.test(type))
    );
  };
  const isUsedOtherwise = (element: Element): boolean => {
    if (element.matches('html, body, option, optgroup, script, style, template')) return true;
    const field = element instanceof HTMLLabelElement ? element.control : null;
    const isOfField = field !== null && !field.matches('button, [type=checkbox], [type=radio], [type=file]');
    if (isOfField && !listening.has(element) && frameworkEvents(element).length === 0) return !hasOwnHandler(element);
    return isAroundControl(element);
  };
  const looksPressable = (element: Element): boolean => {
    if (element.childElementCount > 3 || getComputedStyle(element).cursor !== 'pointer') return false;
    const parent = element.parentElement;
    return parent === null || getComputedStyle(parent).cursor !== 'pointer';
  };
  /** A listener around it may act for it, and reads its data. Frameworks keep data of their own there. */
  const isDelegated = (element: Element): boolean => {
    if (!delegated.has('click') || element.childElementCount > 10) return false;
    return element
      .getAttributeNames()
      .some((each) => /^data-(?!v-|react|test|cy$|qa$|svelte|astro|sveltekit|theme|lang|src|srcset)/.test(each));
  };
  const formOf = (element: Element): SentFormTraits | undefined => {
    const { form: around, type } = element as HTMLButtonElement;
    const form = isBare(element) ? element : /^(?:submit|image)$/.test(type) ? around : null;
    if (!form) return undefined;
    const hasSecret =
      form.querySelector('input[type=password], input[type=email], input[type=file], [autocomplete^="cc-"]') !== null;
    return { hasSecret, method: form.method };
  };
  const roots = (): (Document | ShadowRoot)[] => {
    const all: (Document | ShadowRoot)[] = [document];
    // Components hold further components: what is found is looked through in turn.
    for (const root of all)
      for (const element of root.querySelectorAll('*'))
        if (element.shadowRoot && all.length < maxRoots) all.push(element.shadowRoot);
    return all;
  };
  /** A list may listen for all of its rows, as a table does for the cells below. Frameworks listen so for the whole page, to far more. */
  const rowsOf = function* (list: Element): Generator<Element> {
    const types = listening.get(list) ?? new Set<string>();
    if (types.size > maxTypes || !['click', 'mousedown', 'pointerdown', 'mouseover'].some((type) => types.has(type)))
      return;
    if (list.childElementCount === 0) return;
    const holder = list.matches('table') ? (list.querySelector('tbody') ?? list) : list;
    const rows = [...holder.children];
    if (rows.length < 2 || rows.some(({ tagName }) => tagName !== rows[0]?.tagName)) return;
    for (const [index, row] of rows.slice(0, maxRows).entries()) {
      const inner = [...row.querySelectorAll('*')].filter((each) => each.childElementCount === 0);
      // What one row has the others have, too.
      const meant = inner.length === 0 ? [row] : inner.slice(0, index === 0 ? maxRows : 1);
      for (const each of meant) {
        if (each.closest(`${controlSelector}, a, input, textarea, option`)) continue;
        heard.set(each, types);
        yield each;
      }
    }
  };
  /** Fields of a part of the page that listens for what is typed or chosen in them. */
  const fieldsOf = function* (part: ParentNode, listened: ReadonlySet<string>): Generator<Element> {
    const types = [...listened].filter((type) => /^(?:key|input$|change$)/.test(type));
    if (types.length === 0 || listened.size > maxTypes) return;
    for (const field of [...part.querySelectorAll('input, textarea, select')].slice(0, maxRows)) {
      if (/^(?:hidden|submit|image|reset|file)$/.test(Reflect.get(field, 'type'))) continue;
      heard.set(field, new Set([...(heard.get(field) ?? []), ...types]));
      yield field;
    }
  };
  const candidates = function* (): Generator<Element> {
    for (const root of roots()) yield* root.querySelectorAll(controlSelector);
    for (const root of roots()) yield* fieldsOf(root, delegated);
    for (const form of document.forms) if (isBare(form)) yield form;
    for (const reference of listeners) {
      const element = reference.deref();
      if (!element?.isConnected || element === document.documentElement || element === document.body) continue;
      if (!isField(element)) yield* fieldsOf(element, listening.get(element) ?? new Set());
      yield element;
      yield* rowsOf(element);
    }
    const all = roots().map((root) => root.querySelectorAll('*'));
    const count = all.reduce((sum, { length }) => sum + length, 0);
    missed = Math.max(missed, count - maxLooked);
    let looked = 0;
    for (const elements of all)
      for (const element of elements) {
        if (looked++ >= maxLooked) return;
        if (looked > maxLookedAgain && lookedOnce.has(element)) continue;
        lookedOnce.add(element);
        if (inlineEvents(element).length > 0 || frameworkEvents(element).length > 0) yield element;
        else if (/^(?:DIV|SPAN|LI|TD|P|IMG|SVG|I)$/i.test(element.tagName) && looksPressable(element)) yield element;
        else if (isDelegated(element)) yield element;
      }
  };
  return {
    ...{
      candidates,
      eventsOf,
      hasOwnHandler,
      placeOf,
      kindOf,
      isUsedOtherwise,
      leadsElsewhere,
      formOf,
      textsOf,
      roots,
      cut,
    },
    missed: () => missed,
  };
}
