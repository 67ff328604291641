/** A control of a page, as the agent tells of it. */
export type Control = {
  /** By which the agent knows it. */
  id: number;
  /** Events that it answers, in the order in which they are sent. */
  events: string[];
  /** What it says of itself: text, name, value, title, handler, … */
  texts: string[];
  /** What stands on it. */
  label: string;
  /** It sends a form that has fields of these kinds. */
  form?: { hasSecret: boolean; method: string };
  /** Where it stands, with its label: the same after the page was loaded anew. */
  signature: string;
};

/** What came of using some controls. */
export type Used = {
  /** How many were used. */
  count: number;
  /** Something was shown that had not been there, or the address changed. */
  changed: boolean;
};

/** What the agent answers to. */
export type Agent = {
  collect(max: number): { controls: Control[]; left: number };
  /** Uses controls one after the other until one of them changes the page. */
  use(ids: readonly number[]): Promise<Used>;
  /** Fills in what is empty. @returns how many fields were left, each once */
  fill(): number;
  /** Addresses that script has put into the history, and of windows that it opened. */
  routes(): string[];
  /** How many elements and addresses there was no room for. */
  cut(): number;
};

export type AgentSettings = {
  /** Name of the window's property that the agent is behind. */
  name: string;
  /** Timers of the page are over after this many milliseconds when they would take longer. */
  timerMs: number;
};

/** The script that puts the agent into a page before its own scripts run. */
export const agentScript = (settings: AgentSettings): string => `(${install})(${JSON.stringify(settings)});`;

/** Runs in the page, so it uses nothing but what it is given. */
function install({ name, timerMs }: AgentSettings): void {
  const usual = ['click', 'dblclick', 'mousedown', 'mouseup', 'mouseover', 'mouseout', 'mouseenter', 'mouseleave'];
  const typed = ['focus', 'keydown', 'keypress', 'keyup', 'input', 'change', 'blur'];
  const touched = ['pointerdown', 'pointerup', 'touchstart', 'touchend'];
  const known = new Set([...usual, ...typed, ...touched, 'focusin', 'focusout', 'submit']);
  const listening = new WeakMap<EventTarget, Set<string>>();
  const listeners = new Set<WeakRef<Element>>();
  const seen = new WeakSet<Element>();
  const found = new Map<number, { element: HTMLElement; events: string[] }>();
  const addresses = new Set<string>();
  const maxLength = 300;
  const maxAddresses = 500;
  const maxAddressLength = 2_048;
  const maxListeners = 5_000;
  /** Elements that are looked at each time; those beyond them once. */
  const maxLookedAgain = 3_000;
  /** Pages with more parts are not read elsewhere either. */
  const maxLooked = 50_000;
  const lookedOnce = new WeakSet<Element>();
  const maxFields = 100;
  const maxOptions = 8;
  const unfilled = new WeakSet<Element>();
  const pastOptions = new WeakSet<Element>();
  const missed = { listeners: 0, addresses: 0, elements: 0 };

  const note = (target: unknown, type: string) => {
    if (!(target instanceof Element) || !known.has(type)) return;
    const types = listening.get(target) ?? new Set();
    if (!listening.has(target) && listeners.size < maxListeners) listeners.add(new WeakRef(target));
    else if (!listening.has(target)) missed.listeners += 1;
    listening.set(target, types.add(type));
  };
  const wrap = (owner: object, key: string, before: (on: unknown, given: unknown[]) => void) => {
    const real: unknown = Reflect.get(owner, key);
    if (typeof real !== 'function') return;
    const value = new Proxy(real, {
      apply(target, on, given) {
        before(on, given);
        return Reflect.apply(target, on, given);
      },
    });
    Object.defineProperty(owner, key, { value, configurable: true, writable: true });
  };
  const noteAddress = (address: unknown) => {
    if (address === undefined || address === null) return;
    try {
      const { href } = new URL(String(address), document.baseURI);
      if (addresses.has(href)) return;
      if (addresses.size < maxAddresses && href.length <= maxAddressLength) addresses.add(href);
      else missed.addresses += 1;
    } catch {
      // What is no address leads nowhere.
    }
  };
  wrap(EventTarget.prototype, 'addEventListener', (on, [type]) => note(on, String(type)));
  wrap(History.prototype, 'pushState', (_on, [, , address]) => noteAddress(address));
  wrap(History.prototype, 'replaceState', (_on, [, , address]) => noteAddress(address));
  wrap(globalThis, 'open', (_on, [address]) => noteAddress(address));
  addEventListener('hashchange', () => noteAddress(location.href));
  const later = globalThis.setTimeout.bind(globalThis);
  const hurried = new WeakSet<object>();
  // What a page would do in some seconds is seen now, once; what repeats itself keeps its pace.
  globalThis.setTimeout = Object.assign(
    (handler: TimerHandler, delay?: number, ...rest: unknown[]) => {
      const isNew = typeof handler === 'function' && !hurried.has(handler);
      if (typeof handler === 'function') hurried.add(handler);
      return later(handler, isNew && Number(delay) > timerMs ? timerMs : delay, ...rest);
    },
    { __promisify__: undefined },
  ) as unknown as typeof setTimeout;

  const cut = (text: string | null | undefined) => (text ?? '').replace(/\s+/g, ' ').trim().slice(0, maxLength);
  const frameworkEvents = (element: Element): string[] => {
    const events: string[] = [];
    for (const key of Object.keys(element)) {
      const held: unknown = Reflect.get(element, key);
      if (typeof held !== 'object' || held === null) continue;
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

  const eventsOf = (element: Element): string[] => {
    const own = new Set(
      [...(listening.get(element) ?? []), ...inlineEvents(element), ...frameworkEvents(element)].filter((type) =>
        known.has(type),
      ),
    );
    if (element.matches(controlSelector)) own.add(element instanceof HTMLSelectElement ? 'change' : 'click');
    if (own.has('submit')) own.delete('submit');
    return [...own];
  };
  const placeOf = (element: Element): string => {
    const parts: string[] = [];
    for (let at: Element | null = element; at && parts.length < 12; at = at.parentElement) {
      if (at.id !== '') {
        parts.push(`#${at.id}`);
        break;
      }
      const parent: Element | null = at.parentElement;
      parts.push(`${at.tagName}${parent ? [...parent.children].indexOf(at) : ''}`);
    }
    return parts.reverse().join('>').slice(0, maxLength);
  };
  const isHashRoute = (element: Element) => /^#!?\//.test(element.getAttribute('href') ?? '');
  const leadsElsewhere = (element: Element) => {
    const link = element.closest('a[href]');
    return link !== null && (isHashRoute(link) || !/^(?:#|javascript:)/i.test(link.getAttribute('href') ?? ''));
  };
  const looksPressable = (element: Element): boolean => {
    if (element.childElementCount > 3 || getComputedStyle(element).cursor !== 'pointer') return false;
    const parent = element.parentElement;
    return parent === null || getComputedStyle(parent).cursor !== 'pointer';
  };
  const formOf = (element: Element): Control['form'] => {
    const { form, type } = element as HTMLButtonElement;
    if (!form || !/^(?:submit|image)$/.test(type)) return undefined;
    const hasSecret =
      form.querySelector('input[type=password], input[type=email], input[type=file], [autocomplete^="cc-"]') !== null;
    return { hasSecret, method: form.method };
  };
  const roots = (): (Document | ShadowRoot)[] => {
    const all: (Document | ShadowRoot)[] = [document];
    for (const element of document.querySelectorAll('*')) if (element.shadowRoot) all.push(element.shadowRoot);
    return all;
  };
  const candidates = function* (): Generator<Element> {
    for (const root of roots()) yield* root.querySelectorAll(controlSelector);
    for (const reference of listeners) {
      const element = reference.deref();
      if (element?.isConnected && element !== document.documentElement && element !== document.body) yield element;
    }
    const all = roots().map((root) => root.querySelectorAll('*'));
    const count = all.reduce((sum, { length }) => sum + length, 0);
    missed.elements = Math.max(missed.elements, count - maxLooked);
    let looked = 0;
    for (const elements of all)
      for (const element of elements) {
        if (looked++ >= maxLooked) return;
        if (looked > maxLookedAgain && lookedOnce.has(element)) continue;
        lookedOnce.add(element);
        if (inlineEvents(element).length > 0 || frameworkEvents(element).length > 0) yield element;
        else if (/^(?:DIV|SPAN|LI|TD|P|IMG|SVG|I)$/i.test(element.tagName) && looksPressable(element)) yield element;
      }
  };

  let lastId = 0;
  const agent: Agent = {
    collect(max) {
      const controls: Control[] = [];
      let left = 0;
      for (const element of candidates()) {
        if (seen.has(element) || !(element instanceof HTMLElement || element instanceof SVGElement)) continue;
        if (leadsElsewhere(element) && inlineEvents(element).length === 0) continue;
        seen.add(element);
        const events = eventsOf(element);
        const sent = events.length === 0 ? ['click'] : events;
        if (element instanceof HTMLSelectElement && !pastOptions.has(element)) {
          pastOptions.add(element);
          left += Math.max(0, element.options.length - maxOptions);
        }
        if (controls.length >= max) {
          left += 1;
          continue;
        }
        const id = ++lastId;
        found.set(id, { element: element as HTMLElement, events: sent });
        const named = ['id', 'class', 'name', 'value', 'title', 'aria-label', 'href', 'formaction', 'data-action'];
        const handlers = element.getAttributeNames().filter((attribute) => /^(?:on|@|v-on:|ng-)/.test(attribute));
        const label =
          cut(element.textContent) || cut(element.getAttribute('value')) || cut(element.getAttribute('title'));
        const form = formOf(element);
        controls.push({
          id,
          events: sent,
          label,
          texts: [label, ...[...named, ...handlers].map((attribute) => cut(element.getAttribute(attribute)))].filter(
            (text) => text !== '',
          ),
          signature: `${placeOf(element)} ${label.slice(0, 60)}`,
          ...(form ? { form } : {}),
        });
      }
      return { controls, left };
    },
    async use(ids) {
      let changed = false;
      const observer = new MutationObserver((records) => {
        changed ||= records.some(({ addedNodes, type, attributeName }) =>
          type === 'childList'
            ? [...addedNodes].some((node) => node.nodeType === Node.ELEMENT_NODE)
            : /^(?:hidden|style|class|open)$/.test(attributeName ?? ''),
        );
      });
      observer.observe(document, { childList: true, attributes: true, subtree: true });
      const start = location.href;
      let count = 0;
      for (const id of ids) {
        count += 1;
        const control = found.get(id);
        if (!control?.element.isConnected) continue;
        for (const event of control.events) send(control.element, event);
        await new Promise((resolve) => later(resolve, 15));
        changed ||= location.href !== start;
        if (location.href !== start) noteAddress(location.href);
        if (changed) break;
      }
      observer.disconnect();
      return { count, changed };
    },
    fill() {
      const fields = roots().flatMap((root) => [
        ...root.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('input, textarea'),
      ]);
      for (const field of fields.slice(0, maxFields)) fillIn(field);
      const left = fields.slice(maxFields).filter((field) => !unfilled.has(field));
      for (const field of left) unfilled.add(field);
      return left.length;
    },
    routes: () => [...addresses],
    cut: () => missed.listeners + missed.addresses + missed.elements,
  };

  const samples: Record<string, string> = {
    email: 'audit@example.com',
    number: '1',
    range: '1',
    url: 'https://example.com/',
    tel: '5550100',
    date: '2026-01-31',
    'datetime-local': '2026-01-31T12:00',
    month: '2026-01',
    week: '2026-W05',
    time: '12:00',
    color: '#336699',
    password: 'Audit-pass-1',
  };
  const fillIn = (field: HTMLInputElement | HTMLTextAreaElement) => {
    if (field.disabled || field.readOnly) return;
    if (field.type === 'checkbox' || field.type === 'radio') {
      if (field instanceof HTMLInputElement && field.required && !field.checked) field.click();
      return;
    }
    if (/^(?:hidden|submit|button|image|reset|file)$/.test(field.type) || field.value !== '') return;
    // Frameworks watch the setter of the element that they made, not that of its kind.
    const owner = field instanceof HTMLTextAreaElement ? HTMLTextAreaElement.prototype : HTMLInputElement.prototype;
    Object.getOwnPropertyDescriptor(owner, 'value')?.set?.call(field, samples[field.type] ?? 'a');
    for (const type of ['input', 'change']) field.dispatchEvent(new Event(type, { bubbles: true }));
  };
  const send = (element: HTMLElement, type: string) => {
    try {
      if (element instanceof HTMLSelectElement && type === 'change') {
        for (const option of [...element.options].slice(0, maxOptions)) {
          element.value = option.value;
          for (const each of ['input', 'change']) element.dispatchEvent(new Event(each, { bubbles: true }));
        }
      } else if (type === 'click') {
        for (const each of ['pointerdown', 'mousedown', 'pointerup', 'mouseup'])
          element.dispatchEvent(new MouseEvent(each, { bubbles: true, cancelable: true, view: window }));
        if (typeof element.click === 'function') element.click();
        else element.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, view: window }));
      } else if (/^key/.test(type)) {
        const key = type === 'keydown' ? 'Enter' : 'a';
        element.dispatchEvent(new KeyboardEvent(type, { key, bubbles: true, cancelable: true }));
      } else if (/^(?:mouse|pointer|dblclick)/.test(type))
        element.dispatchEvent(
          new MouseEvent(type, { bubbles: !/enter|leave/.test(type), cancelable: true, view: window }),
        );
      else if (/^focus/.test(type)) element.focus();
      else element.dispatchEvent(new Event(type, { bubbles: true, cancelable: true }));
    } catch {
      // A control whose own handler fails is left.
    }
  };
  Object.defineProperty(globalThis, name, { value: Object.freeze(agent), enumerable: false });
}
