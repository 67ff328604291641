import { claim, type Experiment, type HttpAction, type Step } from '../../model/experiment.ts';
import type { OwnerPlace } from './neighbour-owner.ts';

/** Requests of a user for what is their own, for what is somebody else's, and for what is nobody's. */
export type Neighbour = {
  own: HttpAction;
  changed: HttpAction;
  nobody: HttpAction;
  identity: string;
  owner: OwnerPlace;
  /** It identifies the session itself, so that an anonymous request shows nothing in any case. */
  isCookie: boolean;
  /** The form leads to a page of its own each time, which shows the object. */
  isLed?: true;
};

/** The experiment on a name, or on a private value, that stands at the same place of both. */
export function neighbourExperiment(neighbour: Neighbour): Experiment {
  const { steps, control } = experimentOn(neighbour);
  const behind = (each: Step) => (neighbour.isLed ? ledSteps(each, neighbour.identity) : [each]);
  return { steps: steps.flatMap(behind), control: control.flatMap(behind) };
}

/** The form, which the user sends, and then the page that it leads to, which is what the step is about. */
function ledSteps(step: Step, identity: string): Step[] {
  if (!('http' in step)) return [step];
  const { http, note } = step;
  const sent: Step = {
    http,
    identity,
    note: 'The form is sent, and leads to what it has made.',
    expect: [claim('status', 'matches', '^3')],
    capture: [{ name: 'place', subject: 'header:location', pattern: '^(?:https?://[^/]+)?(/[^#]*)' }],
    hasEffect: true,
  };
  return [sent, { ...step, http: { url: `${new URL(http.url).origin}‹place›` }, note }];
}

function experimentOn({ own, changed, nobody, identity, owner, isCookie }: Neighbour): Experiment {
  const { before, pattern, isNumber, isOwnEmpty } = owner;
  const named = `${before}‹owner›"?\\s*[,}]`;
  const shown = [
    claim('status', 'equals', '200'),
    isNumber
      ? claim('body', 'matches', named, 'The number of somebody else.')
      : claim('body', 'contains', '‹owner›', 'The name of somebody else.'),
  ];
  return {
    steps: [
      isOwnEmpty
        ? {
            http: own,
            identity,
            note: 'A user reads what is their own, and has none of it.',
            expect: [claim('status', 'equals', '200'), claim('body', 'not-matches', pattern)],
          }
        : {
            http: own,
            identity,
            note: 'A user reads what is their own; the name in it is remembered.',
            expect: [claim('status', 'equals', '200')],
            capture: [{ name: 'mine', subject: 'body', pattern, secret: true }],
          },
      {
        http: changed,
        identity,
        note: 'The same with another identifier: another name stands at that place.',
        expect: [
          claim('status', 'equals', '200'),
          ...(isOwnEmpty
            ? []
            : [claim('body', 'not-matches', isNumber ? `${before}‹mine›"?\\s*[,}]` : `${before}‹mine›`)]),
        ],
        capture: [{ name: 'owner', subject: 'body', pattern, secret: true }],
      },
      { http: changed, identity, note: 'The object of somebody else is shown again.', expect: shown },
    ],
    control: [
      {
        http: own,
        identity,
        note: 'The user’s own object does not have that name.',
        expect: [
          claim('status', 'equals', '200'),
          isNumber ? claim('body', 'not-matches', named) : claim('body', 'not-contains', '‹owner›'),
        ],
      },
      isCookie
        ? { http: nobody, identity, note: 'With an identifier of nobody the name is not shown.', expect: shown }
        : { http: changed, note: 'Without a login the name is not shown: it is not public.', expect: shown },
    ],
  };
}
