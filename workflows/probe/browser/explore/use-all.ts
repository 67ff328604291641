import type { BrowserExploration, Explored, TakenForm } from '../../../model/browser.ts';
import { readState } from '../page-state.ts';
import {
  collectFrom,
  cutInPage,
  fillIn,
  type Placed,
  presentOf,
  routesOf,
  scrollDown,
  takenFormsOf,
  useControls,
} from './agent-calls.ts';
import { takeBatch, type Use, useOf } from './choose.ts';
import { createMemory } from './memory.ts';
import { isOfNothing } from './of-nothing.ts';
import { type ExploredPageSession, load, loadAfterHeld, react, timeLeft } from './page-session.ts';
import { readStored } from './stored.ts';

const defaultUses = 120;
const maxStates = 24;
const maxReloads = 12;
/** Times in a row that the page is loaded anew for a control that does not come again. */
const maxVainReloads = 3;
/** Times that a page is scrolled to its end, as long as that makes it ask for more. */
const maxScrolls = 3;
/** Times that a page is loaded anew since it wanted that itself, after something was chosen. */
const maxOwnReloads = 2;

/** @property from how many requests there were before it was used @property use "loads": what follows the page asks for as it is loaded anew */
type Usage = { label: string; from: number; use: Use | 'loads' };
type AllUsed = Pick<Explored, 'states' | 'routes' | 'takenForms' | 'unused' | 'alike' | 'led'> & {
  controls: Usage[];
  unreadStates: number;
  unreadParts: number;
};

/**
 * Uses every control of a loaded page. What another control has taken away is brought back afterwards: the page is loaded anew, and
 * what had brought it forth is used once more.
 */
export async function useAll(
  session: ExploredPageSession,
  { url, maxUses = defaultUses, led }: BrowserExploration,
): Promise<AllUsed> {
  const { page, watch, settle, hold } = session;
  const states = new Set<string>();
  const routes = new Set<string>();
  const memory = createMemory(led);
  const controls: Usage[] = [];
  let [unused, reloads, ownReloads, unreadStates, unreadParts] = [0, 0, 0, 0, 0];

  const shapes = new Set<string>();
  const read = async () => {
    if (isOfNothing(page.url())) return;
    const { html, left } = await readState(page);
    // One that changes while it is read is read again.
    if (html !== '') unreadParts = Math.max(unreadParts, left);
    const isNew = !shapes.has(shapeOf(html));
    if (isNew) memory.showed(html);
    if (html !== '' && states.size < maxStates) {
      states.add(html);
      shapes.add(shapeOf(html));
    } else if (html !== '' && isNew) unreadStates += 1;
    for (const route of await routesOf(session)) routes.add(route);
  };
  const fill = async () => {
    unused += await fillIn(session);
  };
  const scroll = async () => {
    for (let round = 0; round < maxScrolls && performance.now() < session.endMs; round++) {
      const from = watch.requests.length;
      const before = new Set(session.open);
      if (!(await scrollDown(session))) return;
      await settle(timeLeft(session), () => watch.requests.length > from && session.open.size <= before.size);
      if (watch.requests.length === from) return;
      await read();
    }
  };
  const collect = async (): Promise<Placed[]> => {
    const fresh = await collectFrom(session);
    unused += fresh.left;
    return memory.open(fresh.controls);
  };
  /** Uses controls of one frame, up to the first that changes the page. @returns how many */
  const use = async (batch: readonly Placed[], how: Use): Promise<number> => {
    const [first] = batch;
    if (!first) return 0;
    const from = watch.requests.length;
    const before = new Set(session.open);
    const ids = batch.map(({ id }) => id);
    const answer = (await useControls(session, first.frame, ids)) ?? { count: batch.length, changed: true, gone: [] };
    const reached = batch.slice(0, Math.max(1, answer.count));
    const gone = new Set(answer.gone);
    const used = reached.filter(({ id }) => !gone.has(id));
    memory.used(used);
    memory.lost(reached.filter(({ id }) => gone.has(id)));
    if (answer.changed || watch.requests.length > from) await react(session, before);
    memory.askedFor(watch.requests.slice(from));
    if (used.length > 0) controls.push({ label: used.at(-1)?.label ?? '', from, use: how });
    return reached.length;
  };
  const takenForms = new Map<string, TakenForm>();
  const noteTaken = async () => {
    for (const each of await takenFormsOf(session)) takenForms.set(JSON.stringify(each), each);
  };
  const loadAnew = async (loading: () => Promise<unknown>) => {
    await noteTaken();
    reloads += 1;
    controls.push({ label: '', from: watch.requests.length, use: 'loads' });
    await loading().catch(() => {});
  };
  // A router writes the route that it begins with behind the address.
  let home = page.url();
  const hasEnded = () => memory.count() >= maxUses || performance.now() >= session.endMs || session.limit.aborted;
  /** Filters are kept in the address while the page stays: most of what there is to use is still there. */
  const keepsPlace = async (pending: readonly Placed[]): Promise<boolean> =>
    pageOf(page.url()) !== pageOf(home) &&
    pathOf(page.url()) === pathOf(home) &&
    (await presentOf(session, pending)) * 2 > pending.length;
  const isOfPage = (request: { method: string; url: string }) =>
    request.method === 'GET' && pageOf(request.url) === pageOf(url);
  const hasReload = () => reloads < maxReloads && !hasEnded();

  /** What was there before anything was filled in: a field may be a filter, whose list shows nothing for a word of ours. */
  const early = new Set<string>();
  /**
   * Uses what only shows something.
   * @param given what was collected already @param mayUse what of the page is meant @returns what is left for later
   */
  const useFreely = async (given: readonly Placed[], mayUse: (control: Placed) => boolean): Promise<Placed[]> => {
    const pending = [...given, ...(await collect())].filter(mayUse);
    const held: Placed[] = [];
    while (pending.length > 0 && !hasEnded()) {
      const batch = memory.open(takeBatch(pending, held, memory));
      if (batch.length === 0) continue;
      const from = watch.requests.length;
      const count = await use(batch, 'freely');
      // Those that were not reached come again, behind what is new.
      pending.push(...batch.slice(count).reverse());
      const fresh = (await collect()).filter(mayUse);
      if (fresh.length > 0) await fill();
      pending.push(...fresh.reverse());
      if (pageOf(page.url()) !== pageOf(home) || fresh.length > 0) await read();
      if (ownReloads < maxOwnReloads && hasReload() && watch.requests.slice(from).some(isOfPage)) {
        // What was chosen is kept by the browser, and the page wants to be shown by it.
        ownReloads += 1;
        reloads += 1;
        await load(session, url).catch(() => {});
        await fill();
        await read();
        pending.splice(0, pending.length, ...(await collect()).filter(mayUse).reverse());
      } else if (await keepsPlace(pending)) {
        routes.add(page.url());
        home = page.url();
      } else if (page.url() !== home && isAway(page.url(), home)) {
        routes.add(page.url());
        memory.ledTo(batch[count - 1], page.url());
        if (!hasReload()) break;
        await loadAnew(() => load(session, url));
        await fill();
        home = page.url();
        memory.reopen(pending);
        memory.lost(pending.filter(({ signature }) => early.has(signature)));
        pending.splice(0, pending.length, ...(await collect()).filter(mayUse).reverse());
        // What only another control creates does not come again by itself.
        memory.lost(held.splice(0));
      }
    }
    memory.lost(pending);
    return held;
  };
  /** What sends or does something: nothing leaves the browser from now on. */
  const useHeld = async (given: readonly Placed[], mayUse: (control: Placed) => boolean) => {
    const isHeld = (control: Placed) => useOf(control) !== 'freely' && mayUse(control);
    const held = [...given].filter(isHeld);
    hold.back = 'all';
    held.push(...(await collect()).filter(isHeld));
    while (held.length > 0 && !hasEnded()) {
      // What acts may lead away from the rest.
      const index = held.findIndex((each) => useOf(each) !== 'acts');
      const [control] = held.splice(Math.max(0, index), 1);
      if (!control || memory.has(control.signature) || memory.open([control]).length === 0) continue;
      await use([control], useOf(control) === 'acts' ? 'acts' : 'sends');
      // "Join" may open a form with tabs.
      const fresh = (await collect()).filter(mayUse);
      if (fresh.length === 0) continue;
      await fill();
      await read();
      held.push(...fresh);
    }
    memory.lost(held);
  };

  await read();
  const shown = await collect();
  for (const { signature } of shown) early.add(signature);
  await scroll();
  const further = await collect();
  await fill();
  const stored = await readStored(page);
  await useHeld(await useFreely([...further, ...shown.toReversed()], () => true), () => true);
  let vain = 0;
  for (let next = memory.nextLost(); next && stored && hasReload() && vain < maxVainReloads; next = memory.nextLost()) {
    await loadAnew(() => loadAfterHeld(session, url, stored));
    home = page.url();
    const wanted = memory.pathTo(next);
    const mayUse = ({ signature }: Placed) => wanted.has(signature) || memory.isNew(signature);
    if (!early.has(next.signature)) await fill();
    await useHeld(await useFreely([], mayUse), mayUse);
    vain = memory.has(next.signature) ? 0 : vain + 1;
    await read();
  }
  unused += memory.left();
  // A handler may wait a little before it sends something.
  if (controls.length > 0) await settle(timeLeft(session));
  await read();
  await noteTaken();
  unreadParts += await cutInPage(session);
  return {
    states: [...states],
    routes: [...routes],
    takenForms: [...takenForms.values()],
    unused,
    alike: memory.alike(),
    led: memory.led(),
    unreadStates,
    unreadParts,
    controls,
  };
}

/** A state is what it is built of: texts may count or repeat what was typed, and a look may be on its way to another one. */
const shapeOf = (html: string): string => html.replace(/>[^<]+| (?:style|class|aria-[a-z]+)="[^"]*"/g, '');

const pageOf = (url: string): string => url.replace(/#.*$/s, '');
const pathOf = (url: string): string => url.replace(/[?#].*$/s, '');

/** Another page, or another route behind "#". */
const isAway = (at: string, start: string): boolean =>
  pageOf(at) !== pageOf(start) || /#!?\//.test(at.slice(pageOf(at).length));
