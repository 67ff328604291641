import { claim, type Experiment, type HttpAction, type Step } from '../../model/experiment.ts';
import { refusingWords } from '../decisions/refused-page.ts';
import type { OpenedInput } from '../inputs/input-request.ts';
import { inputSteps } from '../inputs/open-input.ts';
import {
  type JsonRequest,
  type Prototype,
  type PrototypeMembers,
  pollutingAction,
  unparsableAction,
} from './polluting-requests.ts';

export type RefusedPage = { viewer: string; url: string; status: number };
/** What a member of all objects changed: the status of errors, or who is shown a page. */
export type Polluted = PollutingRequest & { prototype: Prototype; page?: RefusedPage };
/** The request as it is sent now, and how the thing that it replaces is put back. */
export type PollutingRequest = Pick<JsonRequest, 'identity' | 'plan'> & { input: OpenedInput };

/** Two that no parser of JSON answers by itself. RFC 2774 §7, RFC 2295 §8.1. */
export const rareStatus = 510;
const otherStatus = 506;
export const statusOfErrors = (status: number): PrototypeMembers => ({ status });
/** Names by which programs ask whether somebody administrates. */
export const rights: PrototypeMembers = { isAdmin: true, is_admin: true, admin: true, role: 'admin' };

/** The same members, as if they were not there. */
export const emptied = (members: PrototypeMembers): PrototypeMembers =>
  Object.fromEntries(
    Object.entries(members).map(([name, value]) => [
      name,
      typeof value === 'number' ? 0 : typeof value === 'boolean' ? false : '',
    ]),
  );

/** The request, as one whose effect may stay; the values of a thing that it replaces are put back. */
export function lasting(
  { input: { url, page }, plan }: Pick<PollutingRequest, 'input' | 'plan'>,
  action: HttpAction,
): HttpAction {
  const description = `Members for the prototype of all objects are sent to ${new URL(url).pathname}, and set to nothing: empty ones may stay until the application is started again.`;
  return plan
    ? { ...action, write: { description: `${description} What it replaces may keep them.`, ...plan } }
    : { ...action, lasting: { description, place: page?.url ?? url } };
}

const send = (polluted: Polluted, http: HttpAction, note: string, expect: Step['expect'] = []): Step[] =>
  inputSteps(polluted.input, lasting(polluted, http), { note, expect }).map((step) => ({
    ...step,
    ...(polluted.identity === '' ? {} : { identity: polluted.identity }),
  }));

const pollute = (
  polluted: Polluted,
  prototype: Prototype | 'misspelt',
  members: PrototypeMembers,
  note: string,
): Step[] => send(polluted, pollutingAction(polluted.input, prototype, members), note);

export function errorExperiment(polluted: Polluted): Experiment {
  const { input, prototype } = polluted;
  const unparsable = (note: string, ...expect: Step['expect']): Step[] =>
    send(polluted, unparsableAction(input), note, expect);
  const isRare = claim('status', 'equals', String(rareStatus));
  const isOther = claim('status', 'equals', String(otherStatus));
  return {
    steps: [
      ...pollute(polluted, prototype, statusOfErrors(rareStatus), 'A status is sent as a member of the prototype.'),
      ...unparsable(
        'A text that is no JSON is answered with that status: the error has it from the prototype.',
        isRare,
      ),
      ...pollute(polluted, prototype, statusOfErrors(otherStatus), 'Another status is sent in its place.'),
      ...unparsable('The same text is answered with the other one.', isOther),
      ...pollute(polluted, prototype, emptied(statusOfErrors(0)), 'The member is set to nothing.'),
      ...unparsable('The same text is answered as before.', claim('status', 'less-than', String(otherStatus))),
    ],
    control: [
      ...pollute(polluted, 'misspelt', statusOfErrors(rareStatus), 'The same with the name of the prototype misspelt.'),
      ...unparsable('The status is not that which was sent.', isRare),
    ],
  };
}

export function pageExperiment(polluted: Polluted, { viewer, url, status }: RefusedPage): Experiment {
  const { prototype } = polluted;
  const look = (note: string, expect: Step['expect']): Step => ({
    ...{ http: { url }, note, expect },
    ...(viewer === '' ? {} : { identity: viewer }),
  });
  const refused = [claim('status', 'equals', String(status))];
  const shown = [claim('status', 'equals', '200'), claim('body', 'not-matches', refusingWords)];
  return {
    steps: [
      look('The page is refused.', refused),
      ...pollute(polluted, prototype, rights, 'Names of rights are sent as members of the prototype.'),
      look('The page is shown: whoever asks has the right from the prototype.', shown),
      ...pollute(polluted, prototype, emptied(rights), 'The members are set to nothing.'),
      look('The page is refused again.', refused),
    ],
    control: [
      ...pollute(polluted, 'misspelt', rights, 'The same with the name of the prototype misspelt.'),
      look('The page is refused.', shown),
    ],
  };
}
