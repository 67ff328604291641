/** Names of parameters by which programs that have one address choose what they do or show. */
const selectorName =
  /^(?:action|act|area|c|cmd|command|content|controller|do|func(?:tion)?|go|m|mod|mode|module|nav|op|operation|option|p|page|pg|path|r|route|screen|section|show|site|step|tab|task|view)$/i;
/** Names of parts: words, as "login", "user/edit" or "stock-list". */
const partName = /^[a-z]{2,30}(?:[-_./][a-z]{1,30}){0,3}$/i;

type PartChoice = { readonly name: string; readonly value: string };

const isSelector = ({ name, value }: PartChoice): boolean => selectorName.test(name) && partName.test(value);

/** The part of a program that parameters choose by a word, for instance { name: "view", value: "login" }; the first of them. */
export const chosenPart = (parameters: Iterable<PartChoice>): PartChoice | undefined => {
  for (const each of parameters) if (isSelector(each)) return each;
  return undefined;
};

/** The part that an address chooses: "login" of "/index.php?view=login". Otherwise "". */
export const partOf = (url: string): string => chosenPart(namedValues(url))?.value ?? '';

/** The parameters of an address, in its order. */
export const namedValues = (url: string): PartChoice[] =>
  [...new URLSearchParams(url.replace(/#.*$/s, '').split('?').slice(1).join('?'))].map(([name, value]) => ({
    name,
    value,
  }));
