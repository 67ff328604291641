import type { Performed, Trial } from '../trial.ts';

/**
 * What a step is for in the commands: its answer is shown, it does something, values are read from its answer, or the
 * reader is informed in a comment, since no command does it.
 */
export type Role = 'shown' | 'done' | 'read' | 'described';

const safeMethods = ['GET', 'HEAD', 'OPTIONS', 'TRACE'];

/** The steps that a reader has to go through, by their place, besides those from which values are read. */
export function rolesOf({ steps, secretNames }: Pick<Trial, 'steps' | 'secretNames'>): Map<number, Role> {
  const roles = new Map<number, Role>();
  const repeatable = steps.findLastIndex(isRepeatable);
  // Where nothing but logins is sent, the answer to the last shows it.
  const last = repeatable === -1 ? steps.findLastIndex(isLogIn) : repeatable;
  if (last === -1) return roles;
  for (const [index, performed] of steps.entries()) {
    const { step, action } = performed;
    const isOneOfSeveral =
      'tls' in action || 'hello' in action || 'dns' in action || 'smtp' in action || step.isShown === true;
    if (index === last || (index < last && isOneOfSeveral && isRepeatable(performed))) roles.set(index, 'shown');
    else if (index < last && hasEffect(performed)) roles.set(index, 'done');
    else if ('callback' in action || ('browser' in action && !isRepeatable(performed))) roles.set(index, 'described');
    else if ('browser' in action && step.capture?.some(({ secret }) => secret)) roles.set(index, 'read');
  }
  // What a claim compares with an earlier answer is seen only beside that answer.
  for (const [index, role] of [...roles]) {
    if (role !== 'shown') continue;
    for (const name of namesIn(steps[index]?.step.expect.map(({ expected }) => expected).join(' ') ?? '')) {
      const source = secretNames.includes(name) ? captureBefore(steps, name, index) : -1;
      if (source !== -1 && !roles.has(source)) roles.set(source, 'shown');
    }
  }
  return roles;
}

/** Neither a page that the proof itself made up nor a login. */
const isRepeatable = ({ action }: Pick<Performed, 'action'>): boolean =>
  'browser' in action
    ? action.browser.page === undefined && !action.browser.url.startsWith('data:')
    : !('callback' in action || isLogIn({ action }));

const isLogIn = ({ action }: Pick<Performed, 'action'>): boolean => 'http' in action && action.http.logIn !== undefined;

/** What comes after it would be answered otherwise without it. */
function hasEffect({ step, action }: Performed): boolean {
  if (!('http' in action)) return false;
  const { logIn, write, method = 'GET' } = action.http;
  const isInSession = step.session !== undefined || step.identity !== undefined;
  return (
    logIn !== undefined ||
    write !== undefined ||
    step.hasEffect === true ||
    (isInSession && !safeMethods.includes(method))
  );
}

/** Place of the last step before that one which captures a value of this name; -1 when none does. */
export const captureBefore = (steps: readonly Performed[], name: string, before: number): number =>
  steps.findLastIndex(({ step }, index) => index < before && step.capture?.some((rule) => rule.name === name));

/** Names that a template refers to. */
const namesIn = (template: string): string[] =>
  [...template.matchAll(/‹(?:[\w-]+:)*([A-Za-z][\w-]*)›/g)].map(([, name = '']) => name);
