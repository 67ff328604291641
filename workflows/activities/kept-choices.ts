import { WriteState } from '../../proto/gen/scanaudit/v1/runs_pb.ts';
import { digest } from '../checks/fingerprint.ts';
import type { Exchange } from '../model/http.ts';
import type { Identity } from '../model/identity.ts';
import type { Omitted } from '../model/omission.ts';
import { isFinal, ProbeError } from '../model/probe-error.ts';
import type { Surface } from '../model/surface.ts';
import { counted, wasOrWere } from '../model/words.ts';
import { type ChoiceTrial, type ChoiceVerdict, choiceKey, observeChoices } from '../observation/kept-choices.ts';
import { isChosenAt } from '../survey/choices.ts';
import { choicesLike } from '../survey/like-choices.ts';
import type { ActivityTools } from './activity-tools.ts';
import { addObservations, findObservations } from './gate-knowledge.ts';
import { heldChoicesIn } from './held-choices.ts';
import type { WriteRecord } from './writes.ts';

const timeoutMs = 8_000;
/** A link that leads on ("/list/old/" to "/list/old") chooses only where it leads to. */
const maxRedirects = 3;

/**
 * Sees which choices of views, made by plain links, a visitor's account keeps, and keeps that for the checks. Where nothing may be
 * written, none is tried.
 * @returns those that checks leave alone with a session
 */
export async function observeChoicesOf(
  { run, probes: { gate, http }, writes }: Pick<ActivityTools, 'run' | 'probes' | 'writes'>,
  identity: Identity,
  surface: Surface,
): Promise<Omitted[]> {
  const { choices = [] } = surface;
  if (choices.length === 0) return [];
  const headers = [...identity.headers, ['Cache-Control', 'no-cache'] as const];
  const get = async (url: string): Promise<Exchange | undefined> => {
    try {
      return await http.send({ url, jar: identity.jar, headers, timeoutMs, fresh: true, maxRedirects });
    } catch (error) {
      if (!(error instanceof ProbeError) || error.code === 'canceled' || isFinal(error)) throw error;
      return undefined;
    }
  };
  const mayOpen = (url: string): boolean =>
    gate.decide({ method: 'GET', url, headers: [...headers, ['Cookie', identity.jar.header(url)]] }).allowed;
  const record = (trial: ChoiceTrial, verdict?: ChoiceVerdict) =>
    run.recordWrite(recordOf(identity.name, trial, surface, verdict));
  const verdicts = writes === 'none' ? [] : await observeChoices({ choices, get, mayOpen, record });
  const seen = [...verdicts].map(([key, verdict]) => [key, verdict === 'not-kept' ? 'reads' : 'writes'] as const);
  await addObservations(run, Object.fromEntries(seen));
  const { length: count } = heldChoicesIn(surface, await findObservations(run));
  const text = `${counted(count, 'choice')} of a view that links make ${wasOrWere(count)} given no values of the audit's own with a session: the account may keep them`;
  return count === 0 ? [] : [{ code: 'would_write', count, text }];
}

/** Of the lists with the same choice so many are named. */
const maxNamed = 5;

/** Before it is known what becomes of it, a choice counts as one that the account keeps. */
function recordOf(
  identity: string,
  { choice, opened }: ChoiceTrial,
  { choices = [], pages }: Surface,
  verdict?: ChoiceVerdict,
): WriteRecord {
  const key = choiceKey(choice);
  const alike = choices.filter((each) => choiceKey(each) === key);
  const lists = [...alike, ...choicesLike(choice, pages)];
  const visited = pages.flatMap(({ url }) => (lists.some((each) => isChosenAt(url, each)) ? withoutOrigin(url) : []));
  const named = visited.slice(0, maxNamed).join(', ');
  const more = visited.length > maxNamed ? ` and ${visited.length - maxNamed} more` : '';
  return {
    ...{ id: digest(['visits', 'choice', identity, key]), actionId: 'visits', identity, place: choice.pageUrl },
    state: verdict === 'not-kept' ? WriteState.UNCHANGED : WriteState.LEFT,
    description: `Links that choose how a list is shown were followed${visited.length > 0 ? ` (${named}${more})` : ''}, ${withoutOrigin(opened)} once more to see whether the site keeps that: ${ends[verdict ?? 'kept']}`,
    request: { method: 'GET', url: opened, headers: [], body: '' },
  };
}

const ends: Record<ChoiceVerdict, string> = {
  kept: 'it may, with the session or the account, and the list may be left so.',
  'put-back':
    'it does, with the session or the account. What was chosen before was opened again; as the audit goes on it follows such links as visitors do, so the list may be left otherwise.',
  'not-kept': 'it does not.',
};

function withoutOrigin(url: string): string {
  const { pathname, search } = new URL(url);
  return (pathname + search).slice(0, 120);
}
