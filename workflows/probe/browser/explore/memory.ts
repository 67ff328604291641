import type { Placed } from './agent-calls.ts';

/** What is known of the controls of a page, from all times that it was loaded. */
type Memory = {
  /** Notes controls that are there. @returns those that were not used, without those that stand for others */
  open(controls: readonly Placed[]): Placed[];
  used(controls: readonly Placed[]): void;
  /** What those that were used last have asked the site for. */
  askedFor(requests: readonly { method: string; url: string }[]): void;
  /** The page as they have left it: what it leads to, and the names of its fields, may be new. */
  showed(html: string): void;
  /** They were gone before they were used. */
  lost(controls: readonly Placed[]): void;
  /** Where a control has led: of many alike that lead to pages of one kind, two are used. */
  ledTo(control: Placed | undefined, url: string): void;
  /** Controls that have led away or asked for something, each with the address behind it: those of a site's menu do so on each of its pages. */
  led(): string[];
  /** The page was loaded anew: what brought these forth is used once more. */
  reopen(gone: readonly Placed[]): void;
  /** One that was lost and is worth loading the page anew. */
  nextLost(): Placed | undefined;
  /** The control and what has to be used before it, which count as not used from now on. */
  pathTo(control: Placed): ReadonlySet<string>;
  /** It was used, or need not be. */
  has(signature: string): boolean;
  /** It was not there when the page was loaded anew for a lost one. */
  isNew(signature: string): boolean;
  /** How many were used. */
  count(): number;
  /** How many were lost for good. */
  left(): number;
  /** How many were not used since others that are alike were. */
  alike(): number;
};

/** A control that is lost again and again is given up. */
const maxTries = 2;
/** Controls alike that lead to pages of one kind. */
const enoughAlike = 2;
/** Of more controls of one kind those that are lost are not brought back. */
const enoughOfKind = 8;
/** Controls of one kind, as in the rows of a list, that have asked for nothing and shown nothing of a new kind, one after the other: the others need not be used. */
const enoughBarren = 10;
/** Likewise of a kind that there are many of. */
const [many, enoughOfMany] = [20, 5];
/** Likewise of those that have a number or a time alone on them, as the days of a calendar and the pages of a list. */
const enoughNumbers = 3;
const numberAlone = /^\d+(?::\d\d)?$/;

/** Of a control with its label, but for numbers: those of the rows of a list are the same. */
const nameOf = ({ kind, label }: Placed): string => `${kind} ${label.replace(/\d+/g, '0')}`;

/** Words with digits are numbers and identifiers of what is shown. */
const withoutNumbers = (address: string): string => address.replace(/[\w-]*\d[\w-]*/g, '0');
/** Of a control wherever it stands: menus are copied to where they are shown. */
const lookOf = ({ kind, label }: Placed): string => {
  const [tags = '', ...classes] = kind.replace(/^#\S+ /, '').split(' ');
  return `${tags.split('<')[0]} ${classes.join(' ')} ${label}`;
};

const askedName = ({ method, url }: { method: string; url: string }): string => `${method} ${withoutNumbers(url)}`;
/** Attributes that lead somewhere, or are sent. */
const leading = /\s(?:href|src|action|name)="([^"]{1,300})"/g;

/** @param known names and addresses of controls, as `led` gives them, that are not used again */
export function createMemory(known: ReadonlySet<string> = new Set()): Memory {
  const done = new Set<string>();
  const seen = new Set<string>();
  const met = new Set<string>();
  /** What had been seen when the page was last loaded for a lost one. */
  let before = new Set<string>();
  /** What brought a control forth, by the control. */
  const openers = new Map<string, string>();
  const gone = new Map<string, Placed>();
  const tries = new Map<string, number>();
  const seenOfKind = new Map<string, number>();
  const usedOfKind = new Map<string, number>();
  const usedNames = new Set<string>();
  const usedLooks = new Set<string>();
  const asked = new Set<string>();
  const barrenOfKind = new Map<string, number>();
  const targets = new Map<string, string[]>();
  const alike = new Set<string>();
  const led = new Set<string>();
  const knownNames = new Set([...known].map((each) => each.replace(/ \S+$/, '')));
  let lastUsed: string | undefined;
  let lastName: string | undefined;
  let lastKinds: readonly string[] = [];

  const pathOf = (signature: string): Set<string> => {
    const path = new Set<string>();
    for (let at = openers.get(signature); at !== undefined && !path.has(at); at = openers.get(at)) path.add(at);
    return path;
  };
  const enoughOf = ({ kind, label }: Placed): number =>
    numberAlone.test(label) ? enoughNumbers : (seenOfKind.get(kind) ?? 0) > many ? enoughOfMany : enoughBarren;
  const isAlike = (control: Placed): boolean => {
    const { kind, signature } = control;
    const routes = targets.get(kind) ?? [];
    const isOfMenu = knownNames.has(nameOf(control));
    const isBarren = (barrenOfKind.get(kind) ?? 0) >= enoughOf(control);
    const stands = isOfMenu || isBarren || (routes.length >= enoughAlike && new Set(routes).size === 1);
    if (stands && !isOfMenu && !done.has(signature)) alike.add(signature);
    return stands;
  };

  const showedMore = () => {
    for (const kind of lastKinds) barrenOfKind.set(kind, 0);
  };
  const noteAll = (names: readonly string[]) => {
    const known = asked.size;
    for (const name of names) asked.add(name);
    if (asked.size > known) showedMore();
  };

  return {
    showed: (html) => noteAll(Array.from(html.matchAll(leading), ([, value = '']) => withoutNumbers(value))),
    askedFor(requests) {
      // What the page asks for again and again is not what they ask for.
      const fresh = requests.filter((request) => !asked.has(askedName(request)));
      if (lastName !== undefined)
        for (const { method, url } of fresh) if (method === 'GET') led.add(`${lastName} ${url}`);
      noteAll(requests.map(askedName));
    },
    open(controls) {
      if (controls.some(({ kind }) => !seenOfKind.has(kind))) showedMore();
      for (const { kind, signature } of controls) {
        if (!met.has(signature)) seenOfKind.set(kind, (seenOfKind.get(kind) ?? 0) + 1);
        met.add(signature);
      }
      const open = controls.filter((control) => !done.has(control.signature) && !isAlike(control));
      for (const { signature } of open) {
        if (lastUsed !== undefined && !openers.has(signature) && !seen.has(signature)) openers.set(signature, lastUsed);
        seen.add(signature);
      }
      return open;
    },
    used(controls) {
      lastKinds = controls.map(({ kind }) => kind);
      for (const control of controls) {
        const { signature, kind } = control;
        barrenOfKind.set(kind, (barrenOfKind.get(kind) ?? 0) + 1);
        usedNames.add(nameOf(control));
        usedLooks.add(lookOf(control));
        done.add(signature);
        gone.delete(signature);
        usedOfKind.set(kind, (usedOfKind.get(kind) ?? 0) + 1);
      }
      const last = controls.at(-1);
      lastUsed = last?.signature ?? lastUsed;
      lastName = last && nameOf(last);
    },
    lost(controls) {
      for (const control of controls) if (!done.has(control.signature)) gone.set(control.signature, control);
    },
    ledTo(control, url) {
      if (!control) return;
      led.add(`${nameOf(control)} ${url}`);
      const route = url.replace(/\d+/g, '0');
      if (!targets.get(control.kind)?.includes(route)) showedMore();
      targets.set(control.kind, [...(targets.get(control.kind) ?? []), route].slice(-enoughAlike));
    },
    reopen(controls) {
      lastUsed = undefined;
      for (const { signature } of controls) for (const opener of pathOf(signature)) done.delete(opener);
    },
    nextLost() {
      for (const [signature, control] of gone) {
        const tried = tries.get(signature) ?? 0;
        // One of many that are alike has been used in its place.
        const isUsed = done.has(signature);
        const isCopy = control.label !== '' && usedLooks.has(lookOf(control));
        const isOneOfMany =
          isCopy ||
          usedNames.has(nameOf(control)) ||
          (usedOfKind.get(control.kind) ?? 0) >= Math.min(enoughOfKind, enoughOf(control));
        if (!isUsed && isOneOfMany) alike.add(signature);
        if (isUsed || isAlike(control) || alike.has(signature)) gone.delete(signature);
        else if (tried < maxTries) {
          tries.set(signature, tried + 1);
          return control;
        }
      }
      return undefined;
    },
    pathTo({ signature }) {
      lastUsed = undefined;
      before = new Set(seen);
      const path = pathOf(signature);
      for (const opener of path) done.delete(opener);
      return path.add(signature);
    },
    has: (signature) => done.has(signature),
    isNew: (signature) => !before.has(signature),
    count: () => done.size,
    led: () => [...led],
    alike: () => alike.size,
    left: () => [...gone.keys()].filter((signature) => !done.has(signature)).length,
  };
}
