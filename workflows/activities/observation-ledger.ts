import { type Write, WriteState } from '../../proto/gen/scanaudit/v1/runs_pb.ts';
import { digest } from '../checks/fingerprint.ts';
import type { Verdict } from '../model/gate.ts';
import type { ObservedSubmission } from '../observation/observe.ts';
import type { Submission } from '../observation/submission.ts';
import { pageKey } from '../probe/gate/form-key.ts';
import type { WriteRecord } from './writes.ts';

const actionId = 'observation';

const idOf = (identity: string, exact: string): string => digest([actionId, identity, exact]);

/** Until it is known what a form does, it counts as a form that stores values. */
export function recordOf(
  identity: string,
  submission: Submission,
  observed: ObservedSubmission | undefined,
): WriteRecord {
  const { exact, method, url, headers, recordedBody: body, pageUrl } = submission;
  const isQuery = submission.queries === true && observed?.verdict === 'unknown';
  const isWithoutEffect = isQuery || (observed?.verdict === 'unknown' && observed.hadNoEffect === true);
  const isGone = observed?.verdict === 'reads' || isWithoutEffect || observed?.isPutBack === true;
  const state = isGone ? WriteState.UNCHANGED : WriteState.LEFT;
  return {
    ...{ id: idOf(identity, exact), actionId, identity, state, place: observed?.place ?? pageUrl },
    description: observed?.isPutBack
      ? putBack
      : isQuery
        ? queried
        : isWithoutEffect
          ? submission.asks
            ? asked
            : refused
          : descriptions[observed?.verdict ?? 'unknown'],
    request: { method, url, headers: headers.map(([name, value]) => ({ name, value })), body },
  };
}

/** What a page has made by being opened, before that was known of it. */
export const madeRecord = (identity: string, url: string): WriteRecord => ({
  ...{ id: idOf(identity, `made ${pageKey(url)}`), actionId, identity, state: WriteState.LEFT, place: url },
  description:
    'A page makes something as soon as it is opened. It was opened a few times to see that, and what it made is left.',
  request: { method: 'GET', url, headers: [], body: '' },
});

const descriptions: Record<Verdict, string> = {
  reads: 'A form was sent once with a neutral value, to see whether it keeps it: nothing changed.',
  writes: 'A form was sent once with a neutral value, to see whether it keeps it: it does, and the value is left.',
  unknown: 'A form was sent once with a neutral value, to see whether it keeps it: that could not be determined.',
};

const refused =
  'A form was sent once with a neutral value, to see whether it keeps it: the site refused it, and nothing around it changed.';

const asked =
  'A form that asks for a text by GET was sent once with a neutral value, to see whether it keeps it: nothing around it changed.';

const queried =
  'A query of GraphQL was sent once with a neutral value, to see whether it keeps it: by its kind it only reads, and nothing around it changed.';

const putBack =
  'A form was sent once with a neutral value, to see whether it keeps it: it does. It was sent once more as it had been, and its page shows it so.';

/**
 * What an attempt before this one has recorded of a form at the same place and under the same command, which is not sent again.
 * Where nothing had changed by then, nobody has looked a little later: what it does is not known.
 */
export function recallOf(
  writes: readonly Pick<Write, 'id' | 'actionId' | 'state'>[],
  identity: string,
): (submission: Pick<Submission, 'exact'>) => Verdict | undefined {
  const verdicts = new Map<string, Verdict>(
    writes
      .filter((write) => write.actionId === actionId)
      .map(({ id, state }) => [id, state === WriteState.UNCHANGED ? 'unknown' : 'writes']),
  );
  return ({ exact }) => verdicts.get(idOf(identity, exact));
}

/** A value that the audit has made; a name of a field has no digits (see `makeNonce`). */
const madeWord = /\b(?=[a-z]*\d)[a-z][a-z0-9]{9,}\b/g;

/** Whether one of the texts that an entry shows is the user's own name, or has a word in it that the audit has sent. */
export function hasWritten(
  writes: readonly Pick<Write, 'request'>[],
  userName: string | undefined,
  texts: readonly string[],
): boolean {
  const words = texts.flatMap((text) => text.match(madeWord) ?? []);
  return (
    (userName !== undefined && texts.includes(userName)) ||
    words.some((word) => writes.some(({ request }) => request?.body.includes(word)))
  );
}
