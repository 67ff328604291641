import { readJson } from '../json.ts';
import { bodyWithoutSecrets, type DraftBody, noBody, type Parameter, sampleOf } from './draft.ts';
import { entriesOf, nodesOf, textOf } from './json.ts';

/** Members of a JSON object, as parameters of a body. */
export function membersOf(text: string): Parameter[] {
  return entriesOf(readJson(text)).map(([name, value]) => ({ name, in: 'body', sample: sampleOf(name, value) }));
}

/** JSON as a document shows it, without credentials. A text that is none is cut to nothing. */
export function jsonBodyOf(text: string): DraftBody {
  if (text.trim() === '') return noBody;
  const value = readJson(text);
  if (value === undefined) return { text: '', isCut: true };
  try {
    return bodyWithoutSecrets(value);
  } catch {
    // It is nested deeper than can be written again.
    return { text: '', isCut: true };
  }
}

/** Pairs of name and value as tools write them, those that are switched off left out. */
export function pairsOf(list: unknown, place: Parameter['in'], nameMember: string): Parameter[] {
  return nodesOf(list).flatMap((pair): Parameter[] => {
    const name = textOf(pair[nameMember]);
    return pair.disabled === true || name === '' ? [] : [{ name, in: place, sample: sampleOf(name, pair.value) }];
  });
}
