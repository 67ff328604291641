import type { Frame, Page } from 'playwright-core';
import type { TakenForm } from '../../../model/browser.ts';
import type { Agent, Control, UsedControls } from './agent.ts';
import { readCollected, readCount, readRoutes, readTakenForms, readUsed } from './agent-answers.ts';

/** A page with the agent in its frames. @property endMs of performance.now */
type AgentSession = { page: Page; name: string; endMs: number };

export type Placed = Control & { frame: Frame };

/** Controls that one call reports; a page may have thousands. */
const maxControls = 400;
/** Frames of the site itself whose controls are used, too. */
const maxFrames = 4;
const answerMs = 3_000;

/** Controls of all frames that are looked at. @returns left: how many were beyond the limit */
export async function collectFrom(session: AgentSession): Promise<{ controls: Placed[]; left: number }> {
  const controls: Placed[] = [];
  let left = 0;
  for (const frame of framesOf(session.page)) {
    const collected = readCollected(await call(frame, session, 'collect', maxControls));
    controls.push(...collected.controls.map((control) => ({ ...control, frame })));
    left += collected.left;
  }
  return { controls, left };
}

export async function routesOf(session: AgentSession): Promise<string[]> {
  const all = await Promise.all(framesOf(session.page).map((frame) => call(frame, session, 'routes')));
  return all.flatMap(readRoutes);
}

/** GET forms that script has sent in place of the browser. */
export const takenFormsOf = async (session: AgentSession): Promise<TakenForm[]> =>
  readTakenForms(await call(session.page.mainFrame(), session, 'takenForms'));

const framesOf = (page: Page): Frame[] => page.frames().slice(0, maxFrames + 1);

/** How much was beyond the limits of the agents, and frames without one. */
export async function cutInPage(session: AgentSession): Promise<number> {
  const frames = framesOf(session.page);
  const answers = await Promise.all(frames.map((frame) => call(frame, session, 'cut')));
  return answers.reduce((sum: number, each) => sum + readCount(each), session.page.frames().length - frames.length);
}

/** What the agent in a frame answers; undefined where a page is gone, or hostile. */
async function call(
  frame: Frame,
  { name, endMs }: AgentSession,
  method: keyof Agent,
  given?: unknown,
): Promise<unknown> {
  const { promise: late, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => resolve(undefined), Math.max(1, Math.min(answerMs, endMs - performance.now())));
  try {
    const asked = frame.evaluate(
      ({ name, method, given }) => {
        const agent: Record<string, (given: unknown) => unknown> | undefined = Reflect.get(globalThis, name);
        return agent?.[method]?.(given);
      },
      { name, method, given },
    );
    return await Promise.race([asked.catch(() => undefined), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Fills in what is empty. @returns how many fields were beyond the limit */
export const fillIn = async (session: AgentSession): Promise<number> =>
  readCount(await call(session.page.mainFrame(), session, 'fill'));

/** How many of these controls are still in the page. */
export async function presentOf(session: AgentSession, controls: readonly Placed[]): Promise<number> {
  const frame = session.page.mainFrame();
  const ids = controls.filter((control) => control.frame === frame).map(({ id }) => id);
  return readCount(await call(frame, session, 'present', ids));
}

/** Scrolls to the end, where script waits for that. @returns whether anything moved */
export const scrollDown = async (session: AgentSession): Promise<boolean> =>
  (await call(session.page.mainFrame(), session, 'scroll')) === true;

/** Uses controls of one frame, up to the first that changes the page. @returns undefined when the page gives no answer */
export const useControls = async (
  session: AgentSession,
  frame: Frame,
  ids: readonly number[],
): Promise<UsedControls | undefined> => readUsed(await call(frame, session, 'use', ids));
