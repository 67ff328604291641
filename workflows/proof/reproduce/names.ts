import { variableName } from './text.ts';

/** Names of shell variables, each given once in a script. */
export type Names = (...words: string[]) => string;

/** What a shell goes by itself. */
const taken = ['PATH', 'HOME', 'IFS', 'PWD', 'USER', 'SHELL', 'LANG', 'PS1', 'ENV', 'UID', 'RANDOM', 'SECONDS'];

export function createNames(): Names {
  const used = new Set(taken);
  return (...words) => {
    const wanted = variableName(...words);
    let name = wanted;
    for (let number = 2; used.has(name); number += 1) name = `${wanted}_${number}`;
    used.add(name);
    return name;
  };
}
