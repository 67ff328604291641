import type { Experiment } from '../../model/experiment.ts';
import { attemptSteps } from './attempt.ts';
import type { LoginEntrance } from './entrance.ts';
import type { Login } from './login.ts';

/** @param because what the change makes of the login, as a sentence */
export function entranceExperiment(
  login: Login,
  { change, tries, pageUrl, shown, hidden }: LoginEntrance,
  because: string,
): Experiment {
  const page = (note: string) => (pageUrl === undefined ? {} : { page: { url: pageUrl, note } });
  return {
    steps: [
      ...attemptSteps(login, tries.refused, {
        note: 'A name and a password that nobody has are refused.',
        ...page('The page behind the login does not show itself.'),
        expect: hidden,
        isShown: true,
      }),
      ...(tries.wrong
        ? attemptSteps(login, tries.wrong, {
            note: 'So is the name with a password that nobody has.',
            ...page('The page behind the login does not show itself.'),
            expect: hidden,
          })
        : []),
      ...attemptSteps(login, tries.changed, {
        note: `The same with ${change.what}: ${because}`,
        ...page('Whoever sent that is shown the page behind the login.'),
        expect: shown,
      }),
    ],
    control: attemptSteps(login, tries.twin, {
      note: 'The same kind of value without what makes it work is refused.',
      ...page('The page behind the login does not show itself.'),
      expect: shown,
    }),
  };
}
