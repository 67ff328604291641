import type { Exchange, HeaderList } from '../../model/http.ts';
import type { PageSurface, Surface } from '../../model/surface.ts';
import { isHtml } from '../../probe/http/document-type.ts';
import { pagesAround } from '../../survey/pages-around.ts';
import type { CheckContext } from '../contract.ts';
import { type Reflection, reflectionsOf } from '../dom/reflection.ts';
import { likeliest, type OmissionReporter, widened } from '../inputs/at-most.ts';
import { runsScript } from '../pages/scripts.ts';
import { isPrivileged } from '../sessions/roles.ts';
import { answeredEntries } from './answered-entries.ts';
import { type EntryPlace, listedEntry } from './entry-places.ts';
import { linkedPages } from './linked-entries.ts';
import { type PlantedValue, read, shownSessionOf } from './stored-reads.ts';
import type { StoringForm } from './storing-form.ts';

/** A page that shows a value which was stored, to a visitor who sends nothing of it. */
export type Sighting = {
  /** Identity that is shown it, "" for everybody. */
  viewer: string;
  url: string;
  reflections: Reflection[];
  /** Script puts it there, so that only a browser shows it. */
  isScripted?: true;
  /** What is pressed on the page before it is shown, as CSS selectors. */
  clicks?: string[];
  /** Each entry has a page of its own, which is found so. */
  entry?: EntryPlace;
  /** It is data, and no page. */
  isData?: true;
  /** Only who sent the form is shown it, by the cookies that its answer gives. */
  isOfSender?: true;
};

/** An answer to what was planted, with the page that it leads to. */
export type LeadingAnswer = {
  form: StoringForm;
  answer: Exchange;
  leadsTo: string | undefined;
  cookies: HeaderList;
};

/** Pages of one visitor that are read again for all values together. */
const maxPages = 40;
/** Pages that those of the forms lead to, besides. */
const maxLinked = 40;
const maxVisits = 10;

/** Who may be shown what somebody stored: everybody, other users, administrators, and last those who stored it. */
function viewersOf({ identities, surfaces }: CheckContext): string[] {
  const others = Object.values(identities).filter(({ name }) => surfaces[name]);
  const [administrators, users] = [others.filter(isPrivileged), others.filter((each) => !isPrivileged(each))];
  return ['', ...users.map(({ name }) => name), ...administrators.map(({ name }) => name)];
}

/**
 * Reads the pages around these forms as each visitor, and finds what of the values is shown there.
 * @throws ProbeError
 */
export async function sightingsOf(
  context: CheckContext,
  all: readonly PlantedValue[],
  answers: readonly LeadingAnswer[],
): Promise<Map<PlantedValue, Sighting[]>> {
  const found = new Map<PlantedValue, Sighting[]>();
  // Who has gone through more steps is shown what those before show, too.
  const ofSender = answers
    .filter(({ cookies }) => cookies.length > 0)
    .toSorted((a, b) => (b.form.steps?.length ?? 1) - (a.form.steps?.length ?? 1));
  // What steps have kept for who sent them is looked for as them alone.
  const planted = all.filter(({ form }) => !form.steps);
  const note = (each: PlantedValue, sighting: Sighting) => found.set(each, [...(found.get(each) ?? []), sighting]);
  const inData = new Set<string>();
  const ofData: [PlantedValue, Sighting][] = [];
  const listed = new Map<string, EntryPlace>();
  for (const { form, answer, leadsTo } of answers.filter(({ form }) => !form.steps)) {
    const values = planted.filter((each) => each.form === form);
    const entries: { url: string; entry: EntryPlace }[] = await answeredEntries(context, form, values, answer);
    const inList = await listedEntry(context, form, values, leadsTo);
    if (inList) entries.push(inList);
    const ledTo = leadsTo !== undefined && !isKnownTo(context, form, leadsTo);
    for (const each of [...entries, ...(ledTo ? [{ url: leadsTo, entry: { by: 'redirect' } as const }] : [])]) {
      listed.set(each.url, each.entry);
      for (const { url, entry } of await linkedPages(context, form, values, each)) listed.set(url, entry);
    }
  }
  for (const viewer of viewersOf(context)) {
    const surface = viewer === '' ? context.surface : context.surfaces[viewer];
    if (!surface) continue;
    const forms = new Set(planted.map(({ form }) => form));
    for (const url of new Set([...listed.keys(), ...pagesToRead(context, surface, [...forms], answers)])) {
      const page = await read(context, viewer, url);
      if (page?.status !== 200) continue;
      for (const each of planted.filter(({ word }) => page.text.includes(word))) {
        if (!isHtml(page)) inData.add(url);
        const reflections = isHtml(page) ? shownOf(page.text, each) : [];
        const entry = listed.get(url);
        if (reflections.length > 0) note(each, { viewer, url, reflections, ...(entry && { entry }) });
        else if (!isHtml(page))
          ofData.push([each, { viewer, url, reflections, isData: true, ...(entry && { entry }) }]);
      }
    }
  }
  const isSeen = ({ word }: PlantedValue): boolean => [...found.keys()].some((each) => each.word === word);
  for (const answer of ofSender)
    for (const [each, sighting] of await shownToSender(context, all, answer)) if (!isSeen(each)) note(each, sighting);
  // A profile's own form always shows its values to who sent them.
  const isOfOthers = ({ form }: PlantedValue, { viewer, isOfSender }: Sighting): boolean =>
    !isOfSender && (form.identity === '' || viewer !== form.identity);
  const unshown = planted.filter((each) => !(found.get(each) ?? []).some((sighting) => isOfOthers(each, sighting)));
  const unseen = planted.filter((each) => !found.has(each));
  if (unshown.length > 0) await lookInBrowser(context, { unshown, unseen }, inData, note);
  for (const [each, sighting] of ofData) note(each, sighting);
  return found;
}

/** Whether the survey of who sends the form has the page. */
function isKnownTo({ surface, surfaces }: CheckContext, { identity }: StoringForm, url: string): boolean {
  const own = identity === '' ? surface : surfaces[identity];
  return own?.pages.some((page) => page.url === url) ?? false;
}

/** Pages around one form that are read as who sent it. */
const maxOfSender = 6;

/** What a site keeps for somebody without an account, it shows again to whoever has the cookies that it gave with the answer. */
async function shownToSender(
  context: CheckContext,
  planted: readonly PlantedValue[],
  { form, leadsTo, cookies }: LeadingAnswer,
): Promise<[PlantedValue, Sighting][]> {
  const [first] = form.inputs;
  if (form.identity !== '' || first?.method !== 'POST') return [];
  const around = pagesAround(context.surface, { url: first.url, pageUrl: form.pageUrl }).pages;
  const urls = likeliest(
    context,
    [...new Set([leadsTo ?? [], around].flat())],
    maxOfSender,
    'pages for who sent a form',
  );
  const found: [PlantedValue, Sighting][] = [];
  for (const url of urls) {
    const page = await read(context, '', url, cookies);
    if (page?.status !== 200 || !isHtml(page)) continue;
    for (const each of planted.filter((one) => one.form === form && page.text.includes(one.word)))
      found.push([each, { viewer: '', url, reflections: shownOf(page.text, each), isOfSender: true }]);
  }
  return found;
}

/** Each place once; where the whole value stands at the beginning of an address, that is one. */
function shownOf(html: string, { word, value }: PlantedValue): Reflection[] {
  const whole = value === word ? [] : reflectionsOf(html, value).filter(({ kind }) => kind === 'url');
  return [...whole, ...reflectionsOf(html, word)];
}

function pagesToRead(
  context: CheckContext,
  surface: Surface,
  forms: readonly StoringForm[],
  answers: readonly LeadingAnswer[],
): string[] {
  const around = forms.flatMap(({ pageUrl, inputs: [input] }) =>
    input ? pagesAround(surface, { url: input.url, pageUrl }).pages : [],
  );
  const led = answers.flatMap(({ leadsTo }) => leadsTo ?? []);
  const ofForms = new Set(forms.map(({ pageUrl }) => pageUrl));
  const linked = surface.pages.filter((page) => isReadable(page) && ofForms.has(page.source)).map(({ url }) => url);
  const others = surface.pages.filter(isReadable).map(({ url }) => url);
  const wanted = [...new Set([...led, ...linked.slice(0, maxLinked), ...around, ...others])];
  return likeliest(
    context,
    wanted,
    widened(context, maxPages, 2 * viewersOf(context).length) + led.length + Math.min(linked.length, maxLinked),
    'pages on which stored values could show',
  );
}

const isReadable = ({ status, contentType }: PageSurface): boolean => status === 200 && /html|json/.test(contentType);

type NoteSighting = (planted: PlantedValue, sighting: Sighting) => void;

/** Values that no page shows to others, and those among them that no page shows to anybody. */
type Unshown = { unshown: readonly PlantedValue[]; unseen: readonly PlantedValue[] };

/** What no answer shows as a page may be put there by script: pages that read data, and those of the forms. */
async function lookInBrowser(
  context: CheckContext,
  { unshown, unseen }: Unshown,
  inData: ReadonlySet<string>,
  note: NoteSighting,
): Promise<void> {
  if ((await context.browser.unavailable()) !== undefined) return;
  for (const { viewer, url } of scriptedPages(context, unseen, inData)) {
    const page = await context.browser.visit({ url, ...shownSessionOf(context, viewer) });
    for (const each of unshown)
      if (page.html.includes(each.word))
        note(each, { viewer, url, reflections: shownOf(page.html, each), isScripted: true });
    const others = unshown.filter(({ word }) => !page.html.includes(word));
    if (inData.size > 0 && others.length > 0) await pressAndLook(context, { viewer, url }, others, note);
  }
}

/** Behind a tab, or another control that only shows something, script makes markup of a value. */
async function pressAndLook(
  context: CheckContext,
  { viewer, url }: { viewer: string; url: string },
  planted: readonly PlantedValue[],
  note: NoteSighting,
): Promise<void> {
  const { sinkCalls } = await context.browser.visit({
    url,
    ...shownSessionOf(context, viewer),
    presses: true,
    trace: { words: planted.map(({ word }) => word) },
  });
  for (const each of planted) {
    const call = sinkCalls.find(({ kind, text, clicks }) => kind === 'html' && clicks && text.includes(each.word));
    if (!call?.clicks) continue;
    const reflections = reflectionsOf(call.text, each.word);
    note(each, { viewer, url, reflections, isScripted: true, clicks: call.clicks });
  }
}

function scriptedPages(
  context: CheckContext & OmissionReporter,
  unseen: readonly PlantedValue[],
  inData: ReadonlySet<string>,
): { viewer: string; url: string }[] {
  const wanted = viewersOf(context).flatMap((viewer) => {
    const surface = viewer === '' ? context.surface : context.surfaces[viewer];
    if (!surface) return [];
    const hasScript = (page: PageSurface) => runsScript(page) && /html/.test(page.contentType);
    const reading = surface.calls.filter(({ method, url }) => method === 'GET' && inData.has(url));
    const written = new Set(surface.pages.filter((page) => !hasScript(page)).map(({ url }) => url));
    // Pages behind "#" have the address of the one that draws them; those that script alone leads to are no pages of their own.
    const urls = new Set([...reading.map(({ pageUrl }) => pageUrl), ...unseen.map(({ form }) => form.pageUrl)]);
    return [...urls].filter((url) => !written.has(url.replace(/#.*$/s, ''))).map((url) => ({ viewer, url }));
  });
  return likeliest(context, wanted, maxVisits, 'pages with script on which stored values could show');
}
