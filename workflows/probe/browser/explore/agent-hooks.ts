/** What the agent records while the page's own scripts run. */
export type PageHooks = {
  /** Events that controls answer. */
  known: ReadonlySet<string>;
  /** Events that script listens to, by who is listened at. */
  listening: WeakMap<EventTarget, Set<string>>;
  listeners: Set<WeakRef<Element>>;
  /** Events that script listens to for the whole page. */
  delegated: Set<string>;
  /** Addresses that script has put into the history, and of windows that it opened. */
  addresses: Set<string>;
  noteAddress(address: unknown): void;
  /** The page's setTimeout as it was. */
  later(work: (value: undefined) => void, delayMs: number): unknown;
  /** Script waits for the visitor to scroll. */
  watchesScroll(): boolean;
  /** How many requests scripts have made, and how many of them wait for their answer. */
  asked(): number;
  underWay(): number;
  /** GET forms that script has sent in place of the browser: where they would go, and the names of their fields, as JSON. */
  takenForms: Set<string>;
  /** What was beyond a limit. */
  missed: { listeners: number; addresses: number };
};

/** Hooks listeners, the history, windows and timers. Runs in the page, so it uses nothing but what it is given. */
export function hookPage({ timerMs }: { timerMs: number }): PageHooks {
  const usual = ['click', 'dblclick', 'mousedown', 'mouseup', 'mouseover', 'mouseout', 'mouseenter', 'mouseleave'];
  const typed = ['focus', 'keydown', 'keypress', 'keyup', 'input', 'change', 'blur'];
  const touched = ['pointerdown', 'pointerup', 'pointerenter', 'pointerover', 'touchstart', 'touchend'];
  const further = ['focusin', 'focusout', 'submit', 'search', 'contextmenu', 'paste', 'drop'];
  const known = new Set([...usual, ...typed, ...touched, ...further]);
  const listening = new WeakMap<EventTarget, Set<string>>();
  const listeners = new Set<WeakRef<Element>>();
  const addresses = new Set<string>();
  const maxAddresses = 500;
  const maxAddressLength = 2_048;
  const takenMs = 30;
  const maxListeners = 5_000;
  const missed = { listeners: 0, addresses: 0 };

  const delegated = new Set<string>();
  let watchesScroll = false;
  const note = (target: unknown, type: string) => {
    watchesScroll ||= type === 'scroll' || type === 'scrollend' || type === 'wheel';
    if (target === document || target === document.body || target === document.documentElement) delegated.add(type);
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
  wrap(IntersectionObserver.prototype, 'observe', () => {
    watchesScroll = true;
  });
  // A component may keep what it draws to itself; visitors see it all the same.
  wrap(Element.prototype, 'attachShadow', (_on, given) => {
    if (typeof given[0] === 'object') given[0] = { ...given[0], mode: 'open' };
  });
  wrap(History.prototype, 'pushState', (_on, [, , address]) => noteAddress(address));
  wrap(History.prototype, 'replaceState', (_on, [, , address]) => noteAddress(address));
  wrap(globalThis, 'open', (_on, [address]) => noteAddress(address));
  addEventListener('hashchange', () => noteAddress(location.href));
  let [asked, underWay] = [0, 0];
  const began = () => {
    asked += 1;
    underWay += 1;
  };
  const ended = () => {
    underWay -= 1;
  };
  wrap(XMLHttpRequest.prototype, 'send', (on) => {
    began();
    if (on instanceof XMLHttpRequest) on.addEventListener('loadend', ended, { once: true });
  });
  globalThis.fetch = new Proxy(globalThis.fetch, {
    apply(target, on, given) {
      const answer: Promise<Response> = Reflect.apply(target, on, given);
      began();
      answer.then(ended, ended);
      return answer;
    },
  });
  const later = globalThis.setTimeout.bind(globalThis);
  const takenForms = new Set<string>();
  let askedBefore = 0;
  const noteBefore = () => {
    askedBefore = asked;
  };
  addEventListener('submit', noteBefore, { capture: true });
  // The window hears of it last. What only refuses a value asks for nothing.
  addEventListener('submit', ({ target, defaultPrevented }) => {
    if (!defaultPrevented || !(target instanceof HTMLFormElement) || target.method !== 'get') return;
    const names = [...target.elements].map((each) => Reflect.get(each, 'name')).filter((name) => name);
    const taken = JSON.stringify([target.action, ...new Set(names)]);
    later(() => {
      if (asked > askedBefore && takenForms.size < maxAddresses) takenForms.add(taken);
    }, takenMs);
  });
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
  return {
    ...{ known, listening, listeners, delegated, addresses, takenForms, noteAddress, later, missed },
    watchesScroll: () => watchesScroll || [globalThis, document, document.body].some((each) => each?.onscroll),
    asked: () => asked,
    underWay: () => underWay,
  };
}
