import { type PageElements, readElements, type SentFormTraits } from './agent-elements.ts';
import { hookPage, type PageHooks } from './agent-hooks.ts';
import { makeInput, type PageInput } from './agent-input.ts';

/** A control of a page, as the agent reports it. */
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
  form?: SentFormTraits;
  /** Where it stands, with its label: the same after the page was loaded anew. */
  signature: string;
  /** What kind of element it is, and in what: the same for the rows of a list. */
  kind: string;
};

/** What came of using some controls. */
export type UsedControls = {
  /** How many were used. */
  count: number;
  /** Something was shown that had not been there, or the address changed. */
  changed: boolean;
  /** Those of them that were no longer in the page, or could no longer be used. */
  gone: number[];
};

/** What the agent answers to. */
export type Agent = {
  collect(max: number): { controls: Control[]; left: number };
  /** Uses controls one after the other until one of them changes the page. */
  use(ids: readonly number[]): Promise<UsedControls>;
  /** How many of these are still in the page. */
  present(ids: readonly number[]): number;
  /** Fills in what is empty. @returns how many fields were left, each once */
  fill(): number;
  /** Scrolls to the end, when script waits for that. @returns whether anything moved */
  scroll(): boolean;
  /** Addresses that script has put into the history, and of windows that it opened. */
  routes(): string[];
  /** GET forms that script has sent in place of the browser. */
  takenForms(): string[];
  /** How many elements and addresses were beyond a limit. */
  cut(): number;
};

type AgentSettings = {
  /** Name of the window's property that the agent is behind. */
  name: string;
  /** Timers of the page that would take longer fire after this many milliseconds. */
  timerMs: number;
};

/** Choices of a list that are made. */
const maxOptions = 8;

/** The script that puts the agent into a page before its own scripts run. */
export const agentScript = ({ name, timerMs }: AgentSettings): string => `(() => {
  const hooks = (${hookPage})(${JSON.stringify({ timerMs })});
  const input = (${makeInput})(${JSON.stringify({ maxOptions })});
  (${install})(${JSON.stringify({ name, maxOptions })}, hooks, (${readElements})(hooks), input);
})();`;

/** Runs in the page, so it uses nothing but what it is given. */
function install(
  { name, maxOptions }: { name: string; maxOptions: number },
  hooks: PageHooks,
  {
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
    missed,
  }: PageElements,
  { fillIn, send }: PageInput,
): void {
  const { addresses, noteAddress, later } = hooks;
  const maxFields = 100;
  const [waitMs, maxWaits] = [25, 20];
  /** Waits for answers, of a page: some are kept open for minutes. */
  let answerWaits = 120;
  const maxScrollersLooked = 3_000;
  const seen = new WeakSet<Element>();
  const found = new Map<number, { element: HTMLElement; events: string[] }>();
  const unfilled = new WeakSet<Element>();
  const pastOptions = new WeakSet<Element>();

  let lastId = 0;
  const agent: Agent = {
    collect(max) {
      const controls: Control[] = [];
      let left = 0;
      for (const element of candidates()) {
        if (seen.has(element) || !(element instanceof HTMLElement || element instanceof SVGElement)) continue;
        if (isUsedOtherwise(element)) continue;
        if (leadsElsewhere(element) && !hasOwnHandler(element)) continue;
        // It may be of use once something was filled in or chosen.
        if (element.matches(':disabled')) continue;
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
        const label =
          cut(element.textContent) || cut(element.getAttribute('value')) || cut(element.getAttribute('title'));
        const form = formOf(element);
        controls.push({
          id,
          events: sent,
          label,
          texts: [label, ...textsOf(element)].filter((text) => text !== ''),
          signature: `${placeOf(element)} ${label.slice(0, 60)}`,
          kind: kindOf(element),
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
      for (const root of roots()) observer.observe(root, { childList: true, attributes: true, subtree: true });
      const start = location.href;
      const gone: number[] = [];
      let count = 0;
      for (const id of ids) {
        count += 1;
        const control = found.get(id);
        // While a page waits for an answer its other controls may be disabled.
        for (let waits = 0; waits < maxWaits && control?.element.matches(':disabled'); waits += 1)
          await new Promise((resolve) => later(resolve, waitMs));
        if (!control?.element.isConnected || control.element.matches(':disabled')) {
          gone.push(id);
          continue;
        }
        const [asked, before] = [hooks.asked(), hooks.underWay()];
        for (const event of control.events) send(control.element, event);
        await new Promise((resolve) => later(resolve, 15));
        // Script may take no further press until it has its answer.
        for (let waits = 0; waits < maxWaits && answerWaits > 0 && hooks.underWay() > before; waits += 1) {
          answerWaits -= 1;
          await new Promise((resolve) => later(resolve, waitMs));
        }
        // It reads the answer then.
        if (hooks.asked() > asked) await new Promise((resolve) => later(resolve, 15));
        changed ||= location.href !== start;
        if (location.href !== start) noteAddress(location.href);
        if (changed) break;
      }
      observer.disconnect();
      return { count, changed, gone };
    },
    present: (ids) => ids.filter((id) => found.get(id)?.element.isConnected).length,
    fill() {
      const fields = roots().flatMap((root) => [
        ...root.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('input, textarea'),
      ]);
      for (const field of fields.slice(0, maxFields)) fillIn(field);
      const left = fields.slice(maxFields).filter((field) => !unfilled.has(field));
      for (const field of left) unfilled.add(field);
      return left.length;
    },
    scroll() {
      const inner = roots()
        .flatMap((root) => [...root.querySelectorAll('*')].slice(0, maxScrollersLooked))
        .filter((each) => each.scrollHeight > each.clientHeight + 20 && each.clientHeight > 0)
        .filter((each) => /auto|scroll/.test(getComputedStyle(each).overflowY));
      if (!hooks.watchesScroll() && !inner.some((each) => Reflect.get(each, 'onscroll'))) return false;
      let moved = false;
      for (const each of [document.scrollingElement, ...inner]) {
        if (!each) continue;
        const from = each.scrollTop;
        each.scrollTop = each.scrollHeight;
        moved ||= each.scrollTop !== from;
      }
      return moved;
    },
    routes: () => [...addresses],
    takenForms: () => [...hooks.takenForms],
    cut: () => hooks.missed.listeners + hooks.missed.addresses + missed(),
  };
  Object.defineProperty(globalThis, name, { value: Object.freeze(agent), enumerable: false });
}
