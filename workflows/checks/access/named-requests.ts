import { claim, type Experiment, type HttpAction } from '../../model/experiment.ts';
import type { Identity } from '../../model/identity.ts';
import type { InputSurface, Surface } from '../../model/surface.ts';
import type { CheckContext } from '../contract.ts';
import { eachKindAtMost } from '../inputs/at-most.ts';
import { inputAction } from '../inputs/input-request.ts';
import { inputsToProbe } from '../inputs/probe-inputs.ts';
import { neighboursOf } from '../sessions/neighbour-ids.ts';
import { isIdentifier } from '../sessions/objects.ts';
import { patternFor } from '../sessions/private-text.ts';
import { answerAs } from './answer-as.ts';
import { isOfPerson } from './foreign-object.ts';
import { listedKinds } from './private-kinds.ts';
import { privateTextsIn } from './private-object.ts';

/** A request of two users that says in a header or a body whose things it asks for. */
export type NamedRequest = { owner: Identity; reader: Identity; input: InputSurface; readersValue: string };

const accountName =
  /^(?:x[-_])?(?:current[-_]?)?(?:user|account|customer|member|client|patient|student|employee|owner|holder|person|uid)(?:[-_]?(?:id|no|nr|num|number|ref))?$/i;
const maxRequests = 6;

/** Requests for what belongs to one account, which the pages of the reader send with another value. */
export function namedRequests(context: CheckContext, owner: Identity, reader: Identity): NamedRequest[] {
  const [ones, others] = [context.surfaces[owner.name], context.surfaces[reader.name]];
  if (!ones || !others) return [];
  const theirs = namingIn(others);
  const found = namingIn(ones).flatMap((input) => {
    const twin = theirs.find((each) => kindOf(each) === kindOf(input));
    return twin && twin.sample !== input.sample ? [{ owner, reader, input, readersValue: twin.sample }] : [];
  });
  const kinds = { max: maxRequests, enough: 1, maxOfKind: 1, kindOf: ({ input }: NamedRequest) => kindOf(input) };
  return eachKindAtMost(context, found, kinds, 'requests that name an account');
}

const namingIn = (surface: Surface): InputSurface[] =>
  inputsToProbe(surface).filter(
    ({ in: place, parameter, sample, route, encoded, page }) =>
      (place === 'header' || place === 'body') &&
      !encoded &&
      (page?.tokens ?? []).length === 0 &&
      accountName.test(parameter.split('.').at(-1) ?? '') &&
      (isIdentifier(sample) || neighboursOf(sample) !== undefined) &&
      listedKinds.test(route) &&
      !isOfPerson(route),
  );

const kindOf = ({ method, route, parameter, in: place }: InputSurface): string =>
  `${method} ${route} ${place} ${parameter.toLowerCase()}`;

/** The experiment on a text that stands in what the owner is given, and in what the reader is given for the owner's value. */
export async function namedExperiment(context: CheckContext, named: NamedRequest): Promise<Experiment | undefined> {
  const { owner, reader, input, readersValue } = named;
  const [owners, readersOwn] = [inputAction(input, input.sample), inputAction(input, readersValue)];
  const shown = await answerAs(context, owner, owners);
  const again = await answerAs(context, owner, owners);
  const seen = await answerAs(context, reader, owners);
  const readers = [{ url: reader.checkUrl }, readersOwn];
  const open = [await answerAs(context, undefined, owners)];
  for (const action of readers) open.push(await answerAs(context, reader, action));
  if (!shown || !again || !seen) return undefined;
  const { all } = privateTextsIn(context, {
    ...{ shown: [shown, again], reader: seen, identifier: input.sample },
    open: open.flatMap((each) => each ?? []),
  });
  for (const text of all) {
    const pattern = patternFor(text, [shown.text, again.text]);
    if (pattern !== undefined) return experimentOn(named, { owners, readersOwn, pattern });
  }
  return undefined;
}

type Proof = { owners: HttpAction; readersOwn: HttpAction; pattern: string };

function experimentOn({ owner, reader }: NamedRequest, { owners, readersOwn, pattern }: Proof): Experiment {
  const seen = [claim('status', 'equals', '200'), claim('body', 'contains', '‹private›', 'A text of the owner’s.')];
  return {
    steps: [
      {
        ...{ http: owners, identity: owner.name },
        note: 'The owner asks for what is theirs; a text of it is remembered.',
        expect: [claim('status', 'equals', '200')],
        capture: [{ name: 'private', subject: 'body', pattern, secret: true }],
      },
      {
        http: owners,
        identity: reader.name,
        note: 'Another user sends the owner’s number and reads it.',
        expect: seen,
      },
    ],
    control: [
      {
        ...{ http: readersOwn, identity: reader.name },
        note: 'For the number that the reader’s own pages send, it is not shown.',
        expect: [claim('status', 'equals', '200'), claim('body', 'not-contains', '‹private›')],
      },
      { http: owners, note: 'Without a login the text is not shown: it is not public.', expect: seen },
    ],
  };
}
