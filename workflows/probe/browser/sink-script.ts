/** What the hooks need to know. */
type SinkHooks = {
  /** Name of the function of the page that takes what is noted. */
  channel: string;
  words: string[];
  /** Name for the window; "" leaves it. */
  windowName: string;
  /** Of a long text, this much on each side of the first word is noted. */
  surroundings: number;
};

/** The script that hooks the sinks of a page, to run before its own. */
export const sinkScript = (hooks: SinkHooks): string => `(() => {
  const tools = (${makeTools})(${JSON.stringify(hooks)});
  if (!tools) return;
  for (const hook of [${[hookMarkup, hookCode, hookAddresses].join(', ')}]) hook(tools);
})();`;

/** The functions below run in the page, so each uses nothing but what it is given. */
type Tools = {
  note(kind: 'html' | 'code' | 'address', sink: string, on: unknown, value: unknown): void;
  startsWithWord(value: unknown): boolean;
  /** Wraps the setter of a property. */
  setter(owner: object, name: string, watch: (on: unknown, value: unknown) => void): void;
  /** Wraps a function, constructors included. */
  method(owner: object, name: string, watch: (on: unknown, given: unknown[]) => void): void;
};

function makeTools({ channel, words, windowName, surroundings }: SinkHooks): Tools | undefined {
  const report: unknown = Reflect.get(globalThis, channel);
  if (typeof report !== 'function') return undefined;
  if (windowName !== '' && window.top === window && window.name === '') window.name = windowName;
  return {
    note(kind, sink, on, value) {
      const text = String(value);
      if (!words.some((word) => text.includes(word))) return;
      const caller = /https?:\/\/[^\s)?#]+?(?=[?#\s)]|:\d+:\d+|$)/.exec(new Error().stack ?? '');
      const places = words.map((word) => text.indexOf(word)).filter((place) => place !== -1);
      const start = Math.max(0, Math.min(...places) - surroundings);
      const element = on instanceof Element ? on.tagName.toLowerCase() : '';
      report({
        kind,
        sink,
        element,
        text: text.slice(start, start + 2 * surroundings),
        script: (caller?.[0] ?? '').slice(0, 500),
      });
    },
    startsWithWord: (value) => words.some((word) => String(value).startsWith(word)),
    setter(owner, name, watch) {
      const found = Object.getOwnPropertyDescriptor(owner, name);
      const set = found?.set;
      if (!set) return;
      const hooked = function (this: unknown, value: unknown) {
        watch(this, value);
        set.call(this, value);
      };
      Object.defineProperty(owner, name, { ...found, set: hooked });
    },
    method(owner, name, watch) {
      const real: unknown = Reflect.get(owner, name);
      if (typeof real !== 'function') return;
      const value = new Proxy(real, {
        apply(target, on, given) {
          watch(on, given);
          return Reflect.apply(target, on, given);
        },
        construct(target, given, newTarget) {
          watch(undefined, given);
          return Reflect.construct(target, given, newTarget);
        },
      });
      Object.defineProperty(owner, name, { value, configurable: true, writable: true });
    },
  };
}

function hookMarkup({ note, setter, method, startsWithWord }: Tools): void {
  const properties: [object, string][] = [
    [Element.prototype, 'innerHTML'],
    [Element.prototype, 'outerHTML'],
    [ShadowRoot.prototype, 'innerHTML'],
    [HTMLIFrameElement.prototype, 'srcdoc'],
  ];
  for (const [owner, name] of properties) setter(owner, name, (on, value) => note('html', name, on, value));
  method(Element.prototype, 'insertAdjacentHTML', (on, [, text]) => note('html', 'insertAdjacentHTML', on, text));
  method(Range.prototype, 'createContextualFragment', (_on, [text]) =>
    note('html', 'createContextualFragment', undefined, text),
  );
  // Markup that was parsed apart from the page runs when it is put in.
  method(DOMParser.prototype, 'parseFromString', (_on, [text]) => note('html', 'parseFromString', undefined, text));
  for (const owner of [Element.prototype, ShadowRoot.prototype])
    method(owner, 'setHTMLUnsafe', (on, [text]) => note('html', 'setHTMLUnsafe', on, text));
  // jQuery takes a selector that looks like markup for markup.
  for (const name of ['querySelectorAll', 'getElementsByTagName'])
    method(Document.prototype, name, (_on, [text]) => {
      if (Reflect.has(globalThis, 'jQuery') && startsWithWord(text)) note('html', 'jQuery', undefined, text);
    });
  // Without signs of markup it makes a text of what it would make markup of otherwise.
  method(Document.prototype, 'createTextNode', (_on, [text]) => {
    if (Reflect.has(globalThis, 'jQuery')) note('html', 'jQuery', undefined, text);
  });
  for (const name of ['write', 'writeln'])
    method(Document.prototype, name, (_on, given) => note('html', `document.${name}`, undefined, given.join('')));
}

function hookCode({ note, setter, method }: Tools): void {
  const properties: [object, string][] = [
    [HTMLScriptElement.prototype, 'text'],
    [HTMLElement.prototype, 'innerText'],
    [Node.prototype, 'textContent'],
  ];
  for (const [owner, name] of properties)
    setter(owner, name, (on, value) => {
      if (on instanceof HTMLScriptElement) note('code', name, on, value);
    });
  method(globalThis, 'eval', (_on, [text]) => note('code', 'eval', undefined, text));
  method(globalThis, 'Function', (_on, given) => note('code', 'Function', undefined, given.at(-1)));
  for (const name of ['setTimeout', 'setInterval'])
    method(globalThis, name, (_on, [text]) => {
      if (typeof text === 'string') note('code', name, undefined, text);
    });
}

function hookAddresses({ note, setter, method, startsWithWord }: Tools): void {
  const properties: [object, string][] = [
    [HTMLAnchorElement.prototype, 'href'],
    [HTMLAreaElement.prototype, 'href'],
    [HTMLIFrameElement.prototype, 'src'],
    [HTMLEmbedElement.prototype, 'src'],
    [HTMLScriptElement.prototype, 'src'],
    [HTMLObjectElement.prototype, 'data'],
    [HTMLFormElement.prototype, 'action'],
    [HTMLButtonElement.prototype, 'formAction'],
  ];
  for (const [owner, name] of properties)
    setter(owner, name, (on, value) => note('address', name.toLowerCase(), on, value));
  // The rest of an address is for the server.
  method(globalThis, 'fetch', (_on, [address]) => {
    if (startsWithWord(address)) note('address', 'fetch', undefined, address);
  });
  method(XMLHttpRequest.prototype, 'open', (_on, [, address]) => {
    if (startsWithWord(address)) note('address', 'XMLHttpRequest', undefined, address);
  });
  method(globalThis, 'open', (_on, [address]) => note('address', 'open', undefined, address));
  method(Element.prototype, 'setAttribute', (on, [given, value]) => {
    const name = String(given).toLowerCase();
    if (name === 'srcdoc') note('html', name, on, value);
    else if (/^on[a-z]/.test(name)) note('code', name, on, value);
    else if (/^(?:href|src|data|action|formaction|xlink:href)$/.test(name)) note('address', name, on, value);
  });
}
