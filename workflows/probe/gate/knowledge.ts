import { graver, type Observations, type Verdict } from '../../model/gate.ts';
import type { SkipCode } from '../../model/skipped.ts';
import type { FormSurface, Surface } from '../../model/surface.ts';
import { entryOfForm, entryOfRequest, scriptedRequests } from './entries.ts';
import { exactKey, formKey, pageKey, type RequestShape, shapeOfForm } from './form-key.ts';
import type { FormKind } from './form-kind.ts';
import { createKnownEntries, type KnownEntries } from './known-entries.ts';
import { partsOf } from './parts.ts';
import { kindOfForm, takesToken } from './structure.ts';
import { commandShape } from './urls.ts';

/** What the survey and the observation learned of controls. Every activity after them begins with it. */
export type Knowledge = {
  /** Forms as their pages show them. */
  forms: readonly FormSurface[];
  /** Requests of scripts, as the forms that would send the same. */
  requests: readonly FormSurface[];
  /** Addresses that only show something, as they were fetched or linked to. */
  pages: readonly string[];
  /** Of those the ones that were fetched and shown. */
  opened: readonly string[];
  /** Numbered addresses that are programs of their own, and no entries of one. */
  programs: readonly string[];
  /** Addresses that were left out because of what their control says or sends. */
  refused: readonly string[];
  observations: Observations;
};

/** A form, by what decides on what it may be sent. */
export type KnownForm = {
  key: string;
  /** Its key with its place and command. */
  exact: string;
  place: string[];
  /** The very addresses that pages send it to. */
  addresses: ReadonlySet<string>;
  commands: RequestShape['commands'];
  method: string;
  fields: ReadonlySet<string>;
  /** Fields that people fill in, and hidden commands with their values: what a request with one of them belongs to. */
  identifying: ReadonlySet<string>;
  kind: FormKind;
  hasToken: boolean;
  /** Buttons that are never pressed. */
  unpressed: readonly { name: string; value: string }[];
};

/** What one gate knows, found by what a request shows. */
export type KnownControls = {
  learn(knowledge: Partial<Knowledge>): void;
  learnPage(url: string): void;
  observe(key: string, verdict: Verdict): void;
  formsAt(method: string, url: string): readonly KnownForm[];
  /** Requests of scripts, as the forms that would send the same. */
  requestsAt(method: string, url: string): readonly KnownForm[];
  verdictOf(key: string): Verdict | undefined;
  /** `writes` of all that are sent alike, or what was seen of this place and command. */
  verdictOn(form: { key: string; exact: string }): Verdict | undefined;
  /** Opening its page was seen to make something. */
  makes(url: string): boolean;
  isPage(url: string): boolean;
  /** A page of its route was fetched and shown. */
  isOpened(url: string): boolean;
  /** An ordinary page has the same route, parameters and commands. */
  isLikePage(url: string): boolean;
  isRefused(url: string): boolean;
  /** Its number says which program it is, and not which entry of one. */
  isProgram(url: string): boolean;
  entries: Pick<KnownEntries, 'changedBy'>;
};

const gateCodes: readonly SkipCode[] = [
  ...(['would-act', 'ends-session', 'one-time-token', 'sensitive-fields', 'message'] as const),
  'refused-before',
];

/** What the gate learns from the surfaces of a run. It uses those of all visitors: what is forbidden to one is forbidden to all. */
export const knowledgeOf = (surfaces: readonly Surface[], observations: Observations = {}): Knowledge => ({
  forms: surfaces.flatMap(({ forms }) => forms),
  requests: surfaces.flatMap(({ inputs, forms }) => scriptedRequests(inputs, forms)),
  pages: surfaces.flatMap(({ pages }) => pages.map(({ url }) => url)),
  opened: surfaces.flatMap(({ pages }) => pages.flatMap(({ url, status }) => (status === 200 ? [url] : []))),
  programs: surfaces.flatMap(({ inputs }) => inputs.flatMap(({ isNumbered, url }) => (isNumbered ? [url] : []))),
  refused: surfaces.flatMap(({ skipped }) =>
    skipped.flatMap(({ url, code }) => (gateCodes.includes(code) ? [url] : [])),
  ),
  observations,
});

export function createKnown(): KnownControls {
  const forms = new Map<string, Map<string, KnownForm>>();
  const requests = new Map<string, Map<string, KnownForm>>();
  const pages = new Set<string>();
  const pageShapes = new Set<string>();
  const opened = new Set<string>();
  const programs = new Set<string>();
  const refused = new Set<string>();
  const refusedShapes = new Set<string>();
  const verdicts = new Map<string, Verdict>();
  const entries = createKnownEntries();
  const observe = (key: string, verdict: Verdict) => {
    verdicts.set(key, graver(verdicts.get(key) ?? verdict, verdict));
  };
  const learnPage = (url: string) => {
    pages.add(withoutOrigin(url));
    pageShapes.add(commandShape(url));
  };
  const learnEntries = (forms: readonly FormSurface[], entryOf: typeof entryOfForm) => {
    for (const entry of forms.flatMap((form) => entryOf(form) ?? [])) entries.learn(entry);
  };
  return {
    observe,
    learnPage,
    entries,
    learn(knowledge) {
      for (const form of knowledge.forms ?? []) keep(forms, form);
      for (const request of knowledge.requests ?? []) keep(requests, request);
      learnEntries(knowledge.forms ?? [], entryOfForm);
      learnEntries(knowledge.requests ?? [], entryOfRequest);
      for (const url of knowledge.pages ?? []) learnPage(url);
      for (const url of knowledge.opened ?? []) opened.add(pageKey(url));
      for (const url of knowledge.programs ?? []) programs.add(withoutOrigin(url));
      for (const url of knowledge.refused ?? []) {
        refused.add(withoutOrigin(url));
        refusedShapes.add(commandShape(url));
      }
      for (const [key, verdict] of Object.entries(knowledge.observations ?? {})) observe(key, verdict);
    },
    formsAt: (method, url) => keptAt(forms, method, url),
    requestsAt: (method, url) => keptAt(requests, method, url),
    verdictOf: (key) => verdicts.get(key),
    verdictOn: ({ key, exact }) => (verdicts.get(key) === 'writes' ? 'writes' : verdicts.get(exact)),
    makes: (url) => verdicts.size > 0 && verdicts.get(pageKey(url)) === 'writes',
    isPage: (url) => pages.has(withoutOrigin(url)),
    isOpened: (url) => opened.has(pageKey(url)),
    isLikePage: (url) => pageShapes.has(commandShape(url)),
    isProgram: (url) => programs.has(withoutOrigin(url)),
    isRefused(url) {
      if (refused.size === 0 || pages.has(withoutOrigin(url))) return false;
      const shape = commandShape(url);
      // Others like it are refused with it, unless some of them are ordinary pages.
      return refused.has(withoutOrigin(url)) || (refusedShapes.has(shape) && !pageShapes.has(shape));
    },
  };
}

const placeOf = (method: string, url: string): string => `${method} ${partsOf(url).route}`;

function keep(kept: Map<string, Map<string, KnownForm>>, form: FormSurface): void {
  const place = placeOf(form.method, form.action);
  const known = knownForm(form);
  const there = kept.get(place) ?? new Map<string, KnownForm>();
  const key = `${known.exact} ${JSON.stringify(known.kind)}`;
  const addresses = new Set([...(there.get(key)?.addresses ?? []), ...known.addresses]);
  kept.set(place, there.set(key, { ...known, addresses }));
}

const keptAt = (kept: ReadonlyMap<string, ReadonlyMap<string, KnownForm>>, method: string, url: string): KnownForm[] =>
  kept.size === 0 ? [] : [...(kept.get(placeOf(method, url))?.values() ?? [])];

/**
 * Of the forms that a request may belong to those of its very address, if there are any: numbered pages may be programs of their own.
 * @param isProgram this one is, so that the forms of others are none of its
 */
export function sentHere(
  { url, isProgram }: { url: string; isProgram: boolean },
  mayBe: (form: KnownForm) => boolean,
  ofRoute: readonly KnownForm[],
): readonly KnownForm[] {
  const forms = ofRoute.filter(mayBe);
  const here = forms.filter(({ addresses }) => addresses.has(withoutOrigin(url)));
  return here.length > 0 || isProgram ? here : forms;
}

/** The same path of another scheme or port of the host shows the same page. */
function withoutOrigin(text: string): string {
  const { pathname, search } = partsOf(text);
  return search === '' ? pathname : pathname + search;
}

function knownForm(form: FormSurface): KnownForm {
  const shape = shapeOfForm(form);
  const identifying = form.fields.flatMap(({ name, type, value }) => {
    if (name === '' || type === 'submit') return [];
    return type === 'hidden' ? [`${name}=${value}`] : [name];
  });
  return {
    key: formKey(shape),
    exact: exactKey(shape),
    place: shape.place,
    addresses: new Set([withoutOrigin(form.action)]),
    commands: shape.commands,
    method: form.method,
    fields: new Set(shape.fields),
    identifying: new Set(identifying),
    kind: kindOfForm(form),
    hasToken: takesToken(form),
    unpressed: form.otherButtons ?? [],
  };
}
