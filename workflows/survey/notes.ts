import type { Refused } from '../model/gate.ts';
import type { Gate } from '../probe/gate/gate.ts';
import { normaliseRoute } from '../probe/routes.ts';
import type { Scope } from '../probe/scope.ts';
import { type ChoiceList, createChoiceList } from './choice-list.ts';
import { createClientAddresses } from './client-addresses.ts';
import type { Explorer } from './explorer.ts';
import { followLinks, followScript } from './follow-script.ts';
import { createFormList, type FormList } from './form-list.ts';
import type { FoundDocuments } from './found-documents.ts';
import { createFragmentRoutes, kindOfFragment } from './fragment-routes.ts';
import type { Frontier } from './frontier.ts';
import { createInputList, type InputList } from './inputs.ts';
import type { Links } from './text.ts';

/** Where the readers of a survey note what is there, and what they ask before they do. */
export type Notes = {
  scope: Scope;
  frontier: Frontier;
  gate: Pick<Gate, 'learn' | 'letsEntriesStay' | 'noteLink' | 'count'>;
  explorer: Pick<Explorer, 'add'>;
  documents: Pick<FoundDocuments, 'add'>;
  inputs: InputList;
  forms: FormList;
  choices: ChoiceList;
  /** Pages that were too much to read to their end. */
  cut: string[];
  /** Whether values may be tried at an address. */
  mayTry(url: string): boolean;
  follow(links: Links, source: string): void;
  followScript(script: string, bases: [string, ...string[]], source: string): void;
  /** Has the page behind a "#" opened in the browser, if this visitor may ask for it. */
  explore(route: string): void;
  /** Notes which HTML an address has answered with. */
  noteBody(url: string, digest: string): void;
};

export type NotesOptions = Pick<Notes, 'scope' | 'frontier' | 'gate' | 'explorer' | 'documents'> & {
  /** What the gate says of asking for a URL as this visitor. */
  refusalOf(url: string): Refused | undefined;
  /** The visitor was shown the site before. False when not given. */
  isFurther?: boolean;
};

export function createNotes({ refusalOf, isFurther: _, ...given }: NotesOptions): Notes {
  const { scope, frontier, gate, explorer } = given;
  const inputs = createInputList();
  /** HTML of pages, by their addresses. */
  const bodyOf = new Map<string, string>();
  const codeOf = (route: string) => codeOfRoute(route, bodyOf.get(withoutFragment(route)));
  const mayTry = (url: string): boolean => scope.coversUrl(url) && refusalOf(url) === undefined;

  /** A router that keeps its routes behind "#" knows those of its table there. */
  const routesBehind = createFragmentRoutes((url, named) => {
    if (scope.coversUrl(url) && mayTry(withoutFragment(url))) explorer.add({ url, code: codeOf(url), named });
  });
  const client = createClientAddresses();
  return {
    ...given,
    inputs,
    forms: createFormList(scope, frontier, gate, inputs, (url) => bodyOf.get(withoutFragment(url))),
    choices: createChoiceList(),
    cut: [],
    mayTry,
    follow: (links, source) => followLinks(frontier, links, source),
    followScript: (script, bases, source) => followScript(script, bases, source, { frontier, routesBehind, client }),
    explore(route) {
      explorer.add({ url: route, code: codeOf(route) });
      routesBehind.seen(route);
    },
    noteBody: (url, digest) => bodyOf.set(withoutFragment(url), digest),
  };
}

export const withoutFragment = (url: string): string => url.replace(/#.*$/s, '');

/** Pages made by script are distinguished by what stands behind "#", and by the HTML that they begin with. */
const codeOfRoute = (route: string, body = normaliseRoute(route)): string =>
  `${body}#${kindOfFragment(route.slice(withoutFragment(route).length + 1))}`;
