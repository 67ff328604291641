import type { Names } from './names.ts';
import type { ShellSource } from './sources.ts';
import { comment, type Reference } from './text.ts';

/** A variable of the script and how it is set. `key` is of the session whose cookies it is read from, if not the step's own. */
export type ShellRead = { variable: string; source: ShellSource; key?: string };

/**
 * When a variable is set: right after a step, from its answer or its session; or right before it, from the cookies of a
 * session that it sends by value, or from the page that it is going to change.
 */
type Moment = 'after' | 'cookies before' | 'page before';

/** Which variables are set where. The same value at the same moment has one. */
export type Reads = {
  add(moment: Moment, index: number, id: string, name: string, read: Omit<ShellRead, 'variable'>): Reference;
  at(moment: Moment, index: number): readonly ShellRead[];
  /** A variable that the reader has to set. */
  ask(id: string, what: string): Reference;
  /** Lines that say so. */
  comments(): readonly string[];
};

export function createReads(names: Names): Reads {
  const known = new Map<string, (ShellRead & { id: string })[]>();
  const asked = new Map<string, { reference: Reference; line: string }>();
  const listOf = (moment: Moment, index: number) => {
    const key = `${moment} ${index}`;
    const list = known.get(key) ?? [];
    known.set(key, list);
    return list;
  };
  return {
    add(moment, index, id, name, read) {
      const list = listOf(moment, index);
      const same = list.find((each) => each.id === id);
      if (same) return { variable: same.variable };
      const variable = names(name);
      list.push({ id, variable, ...read });
      return { variable };
    },
    at: listOf,
    ask(id, what) {
      const variable = asked.get(id)?.reference.variable ?? names('SECRET', String(asked.size + 1));
      const reference = { variable };
      asked.set(id, { reference, line: comment(`Set ${variable} to ${what}.`) });
      return reference;
    },
    comments: () => [...asked.values()].map(({ line }) => line),
  };
}
