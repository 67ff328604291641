import type { Performed, SessionState, Trial } from '../trial.ts';
import type { BookedSession } from './booked-session.ts';
import type { ScriptContext } from './script-context.ts';
import { type OpenedSession, openShellSession, type Planted, type SessionTools } from './shell-sessions.ts';

/** Which session each step has in the shell, and when the reader logs in. */
export type SessionBook = {
  all(): readonly BookedSession[];
  /** @returns undefined for nobody's */
  of(performed: Performed): BookedSession | undefined;
  /** That of an identity; one of the trial's own when the reader has that already. */
  ofIdentity(name: string): BookedSession | undefined;
  /** Lines that log in, unless the reader has; with the answer to the credentials where that shows it all. */
  open(booked: BookedSession, planted?: Planted, isShown?: boolean): string[];
  /** Variables of the files that hold the cookies of what was opened. */
  jars(): readonly string[];
};

export function createSessionBook(
  { steps }: Pick<Trial, 'steps'>,
  { identities }: ScriptContext,
  tools: SessionTools,
): SessionBook {
  const made = new Map<string, OpenedSession>();
  const opened = new Set<string>();
  const make = ({ key, identity, session }: Omit<BookedSession, 'inShell'>): OpenedSession => {
    const recipe = session.recipe ?? identities[identity]?.recipe;
    const fresh = made.get(key) ?? openShellSession({ identity, session, recipe }, tools);
    made.set(key, fresh);
    return fresh;
  };
  const book = (key: string, identity: string, session: SessionState): BookedSession => {
    const booked = { key, identity, session };
    return { ...booked, inShell: () => make(booked).session };
  };
  const own = steps.flatMap(({ step, identity, session }) =>
    step.session === undefined || session === undefined ? [] : [book(`own ${step.session}`, identity, session)],
  );
  const owns = new Map(own.toReversed().map((booked) => [booked.key, booked]));
  const shared = Object.entries(identities).map(([name, { jar, headers }]) =>
    book(`identity ${name}`, name, { headers, cookies: jar.all() }),
  );
  const all = [...owns.values(), ...shared];
  const find = (key: string) => all.find((booked) => booked.key === key);
  return {
    all: () => all,
    of: ({ step, identity }) =>
      step.session !== undefined
        ? find(`own ${step.session}`)
        : identity === ''
          ? undefined
          : find(`identity ${identity}`),
    ofIdentity: (name) =>
      all.find((booked) => booked.identity === name && opened.has(booked.key)) ?? find(`identity ${name}`),
    open(booked, planted, isShown) {
      if (opened.has(booked.key)) return [];
      opened.add(booked.key);
      return make(booked).lines(planted, isShown);
    },
    jars: () => all.flatMap((booked) => (opened.has(booked.key) ? (make(booked).jar ?? []) : [])),
  };
}
