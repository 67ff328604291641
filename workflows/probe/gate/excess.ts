import { partsOf } from './parts.ts';

/** Parameters for how much of something a program makes at once. */
const amount =
  /^(?:(?:page|image|img|file|buffer|block|chunk|max|per|result)[-_]?)?(?:size|count|limit|len|length|width|height|rows|repeat|times|iterations?|rounds|bytes|depth|delay|sleep|page)$/i;
/** Nobody reads so many rows, and no picture is so wide. */
const most = 100_000;

/** The parameter by which an address asks for so much at once that a program may use up its memory for it: "size=9999999". */
export const excessIn = (url: string): string | undefined => {
  const { search, parameters } = partsOf(url);
  if (!/\d{6}/.test(search)) return undefined;
  return parameters.find(([name, value]) => amount.test(name) && /^\d{6,}$/.test(value) && Number(value) > most)?.[0];
};
