import type { Surface } from '../../model/surface.ts';
import { partRoute } from '../../probe/program-parts.ts';
import { type OmissionReporter, sample } from '../inputs/at-most.ts';

/** Pages with the same script: what it does may depend on what else is on the page. */
const maxAlike = 2;
/** Of one script that draws pages of its own by the names in the query, or works with what stands on few pages. */
const maxForNews = 6;

/** A script with what distinguishes it from others: the address of a file, or its text. */
export type NamedScript = { name: string; text: string };
export type NamedPage = {
  url: string;
  scripts: NamedScript[];
  hashRoutes: { fragment: string; scripts: NamedScript[] }[];
  fragments: string[];
  /** Parameters that it is asked for with, where the browser has used it. */
  names: string[];
  /** Selectors of its elements, as "#map" and ".map"; none of a page that was not read. */
  elements?: string[];
};

/** With what made it one to be looked at: scripts that are on few others, and parameters that none before it has. */
type ChosenPage = NamedPage & { anew: NamedScript[]; newNames: string[] };

export const allScripts = ({ scripts, hashRoutes }: NamedPage): NamedScript[] => [
  ...scripts,
  ...hashRoutes.flatMap((route) => route.scripts),
];

/** Pages in their order, without those that have no wanted script which is not on enough pages already. */
export function coverOf(
  context: OmissionReporter,
  wanted: readonly NamedPage[],
  isWanted: (script: string) => boolean,
  isKnown: (pageUrl: string, script: NamedScript) => boolean,
): ChosenPage[] {
  const times = new Map<string, number>();
  const chosen = new Map<NamedPage, ChosenPage>();
  const [names, elements, forNews] = [new Set<string>(), new Set<string>(), new Set<NamedPage>()];
  for (const page of wanted) {
    const own = allScripts(page).filter(({ text }) => isWanted(text));
    const timesOf = (script: NamedScript) => times.get(script.name) ?? (isKnown(page.url, script) ? 1 : 0);
    const anew = own.filter((script) => timesOf(script) < maxAlike);
    const isAlike = anew.length === 0;
    const newNames = page.names.filter((name) => !names.has(name));
    const newElements = elementsOf(page, own).filter((selector) => !elements.has(selector));
    // One script draws all pages of some applications: the parameters of a page, or what it looks for there, show that it does more.
    if (isAlike && (forNews.size >= maxForNews || newNames.length + newElements.length === 0)) continue;
    if (isAlike) forNews.add(page);
    for (const name of page.names) names.add(name);
    for (const selector of newElements) elements.add(selector);
    for (const script of own) times.set(script.name, timesOf(script) + 1);
    chosen.set(page, { ...page, anew, newNames });
  }
  const left = wanted.filter((page) => !chosen.has(page));
  sample(context, [...chosen.keys(), ...left], chosen.size, 'pages', 'each of their scripts is on others, too');
  return [...chosen.values()];
}

/** Elements of a page that its scripts ask for. */
function elementsOf({ elements = [] }: NamedPage, scripts: readonly NamedScript[]): string[] {
  const asked = new Set(elements.length > 0 ? scripts.flatMap(({ text }) => selectorsIn(text)) : []);
  return elements.filter((selector) => asked.has(selector));
}

function selectorsIn(script: string): string[] {
  const byId = [...script.matchAll(/\bgetElementById\(\s*['"`]([\w-]+)/g)].map(([, id]) => `#${id}`);
  const selectors = [...script.matchAll(/['"`\s]([#.][a-zA-Z][\w-]*)/g)].map(([, selector = '']) => selector);
  return [...byId, ...selectors];
}

/** Files that pages before had; of text in a page the same length on the same route, since what differs are values of the visitor. */
export function knownIn(surfaces: readonly Surface[]): (pageUrl: string, script: NamedScript) => boolean {
  const inPage = (url: string, bytes: number) => `${partRoute(url)} ${bytes}`;
  const known = new Set(
    surfaces
      .flatMap(({ pages }) => pages)
      .flatMap(({ url: pageUrl, scripts, loaded = [], hashRoutes = [] }) => [
        ...scripts.map(({ url, inlineBytes = 0 }) => url ?? inPage(pageUrl, inlineBytes)),
        ...loaded,
        ...hashRoutes.flatMap(({ loaded: files }) => files),
      ]),
  );
  return (pageUrl, { name, text }) => known.has(name) || known.has(inPage(pageUrl, Buffer.byteLength(text)));
}

/**
 * One script draws the same routes behind "#" on all its pages: those that were used on a page which is left out are looked at on one
 * that has all of its scripts.
 */
export function withAllRoutes<P extends NamedPage>(chosen: readonly P[], all: readonly NamedPage[]): P[] {
  const known = new Set(chosen.flatMap(({ hashRoutes }) => hashRoutes.map(({ fragment }) => fragment)));
  const added = new Map<P, NamedPage['hashRoutes']>();
  for (const left of all.filter(({ url }) => !chosen.some((page) => page.url === url))) {
    const standIn = chosen.find((page) =>
      left.scripts.every(({ name }) => page.scripts.some((each) => each.name === name)),
    );
    const further = left.hashRoutes.filter(({ fragment }) => !known.has(fragment));
    if (!standIn) continue;
    for (const { fragment } of further) known.add(fragment);
    added.set(standIn, [...(added.get(standIn) ?? []), ...further]);
  }
  return chosen.map((page) => ({ ...page, hashRoutes: [...page.hashRoutes, ...(added.get(page) ?? [])] }));
}
