import type { Exchange } from '../../model/http.ts';
import { unlessLeftOut } from '../../probe/errors.ts';
import { clearest, piecesOf } from '../../probe/html/page-pieces.ts';
import { newTrialValues } from '../../proof/template.ts';
import type { CheckContext } from '../contract.ts';
import { sendInput } from '../inputs/open-input.ts';
import { type FieldOperator, type FilterDialect, firstText, type OperatorPair } from './filter-dialects.ts';
import { type FilteredList, filteringAction, type WrittenConditions } from './filtered-lists.ts';
import { type HiddenField, hiddenFields, type ShownFields, shownFields } from './hidden-fields.ts';

/** What a list does with what it does not know: it shows everything as usual, or something else. */
type UnknownAnswer = 'ignored' | 'refused';

/** A field that the list does not show decides which of its entries it shows. */
export type HiddenLookup = {
  list: FilteredList;
  dialect: FilterDialect;
  operators: OperatorPair;
  field: HiddenField;
  status: number;
  /** What the list shows when every text fulfils the condition, and lacks when none does. */
  markers: string[];
  unknownField: UnknownAnswer;
  unknownOperator: UnknownAnswer;
  /** The first marker's own text is not before the first of these and before the second, by the operator. */
  range?: { from: string; to: string; operators: OperatorPair };
};

/** Of no list. */
const unknownField = 'x‹nonce2›';
const maxMarkers = 3;
/** In the order of any database. */
const bounds = [firstText, '0', '5', 'a', 'g', 'm', 't', 'zzzz'];
/** Operators of a dialect with which it is seen whether a list reacts. */
const usual = 5;
/** The same where each takes a request. */
const usualAlone = 3;
/** Fields that decide something, of which one is enough. */
const maxTried = 6;

type ListSearch = {
  list: FilteredList;
  base: Exchange;
  /** What the list shows each time. */
  pieces: string[];
  shown: ShownFields;
  fields: HiddenField[];
  ask(written: readonly WrittenConditions[], fresh?: boolean): Promise<Exchange>;
};

/**
 * Looks for a field that is not shown and by which the list can be filtered.
 * @param isKnown asked once of a list that refuses names which it does not know, by the status: whether enough such lists were looked at
 * @throws ProbeError
 */
export async function hiddenLookupAt(
  context: CheckContext,
  list: FilteredList,
  isKnown: (refused: number) => boolean,
): Promise<HiddenLookup | undefined> {
  const ask = (written: readonly WrittenConditions[], fresh = false): Promise<Exchange> =>
    sendInput(context, list.input ?? noInput, filteringAction(list, written), newTrialValues(context.nonce), { fresh });
  const base = await ask([]);
  if (base.status < 200 || base.status > 299) return undefined;
  const shown = shownFields(base);
  const search: ListSearch = {
    list,
    base,
    pieces: entriesOf(base),
    shown,
    fields: hiddenFields(shown, list.offered),
    ask,
  };
  if (search.pieces.length === 0) return undefined;
  // What is written for people has no filters in JSON.
  for (const group of shown.isData ? list.dialects : list.dialects.slice(0, 1)) {
    const all = await ask(group.map((dialect) => screening(dialect, search)));
    if (isLikeBase(search, all) || !(await isSteadilyOther(search, all))) continue;
    const refused = await refusalOfAny(search, group);
    if (refused !== undefined) return isKnown(refused) ? undefined : lookupAmongRefused(search);
    const found = await firstOf(await reacting(search, group), (dialect) => lookupIn(search, dialect));
    if (found) return found;
  }
  return undefined;
}

async function firstOf<T, R>(items: readonly T[], look: (item: T) => Promise<R | undefined>): Promise<R | undefined> {
  for (const item of items) {
    const found = await look(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

const noInput = {} as Parameters<typeof sendInput>[1];

/** Pieces that entries have: what leads elsewhere may repeat the address. */
const entriesOf = ({ text }: Exchange): string[] =>
  piecesOf(text).filter((piece) => !/[?&]|(?:href|src|action)=/i.test(piece));

const isLikeBase = ({ base, pieces }: ListSearch, { status, text }: Exchange): boolean =>
  status === base.status && pieces.every((piece) => text.includes(piece));

/** Conditions that empty the list where the dialect is understood, or are refused. */
const screening = (dialect: FilterDialect, { shown }: ListSearch): WrittenConditions => ({
  dialect,
  conditions: [knownField(shown), 'password']
    .filter((name) => !dialect.avoids?.test(name))
    .flatMap((name) => dialect.operators.slice(0, usual).map(({ none }) => ({ path: [name], ...none }))),
});

const knownField = ({ texts }: ShownFields): string => texts[0] ?? 'id';

/** A page that changes each time has less that it shows each time. */
async function isSteadilyOther(search: ListSearch, other: Exchange): Promise<boolean> {
  const { text } = await search.ask([], true);
  search.pieces = search.pieces.filter((piece) => text.includes(piece));
  return search.pieces.length > 0 && !isLikeBase(search, other);
}

/** The status of the answer that has a name which nobody has, where that is another answer. */
async function refusalOfAny(search: ListSearch, [dialect]: readonly FilterDialect[]): Promise<number | undefined> {
  if (!dialect) return undefined;
  const stranger: FilterDialect =
    dialect.in === 'query'
      ? { ...dialect, write: () => [{ name: unknownField, value: '1' }] }
      : { ...dialect, member: () => ({ [unknownField]: '1' }) };
  const answer = await search.ask([{ dialect: stranger, conditions: [] }]);
  return isLikeBase(search, answer) ? undefined : answer.status;
}

/** Each dialect has to be tried alone, in its usual operators. */
const lookupAmongRefused = (search: ListSearch): Promise<HiddenLookup | undefined> =>
  firstOf(search.list.dialects.flat(), (dialect) =>
    lookupWhereRefused(search, dialect, dialect.operators.slice(0, usualAlone)),
  );

/** Those of some dialects to which the list reacts, by halves. */
async function reacting(search: ListSearch, dialects: readonly FilterDialect[]): Promise<FilterDialect[]> {
  if (dialects.length === 1) return [...dialects];
  const middle = Math.ceil(dialects.length / 2);
  const found: FilterDialect[] = [];
  for (const half of [dialects.slice(0, middle), dialects.slice(middle)]) {
    const answer = await search.ask(half.map((dialect) => screening(dialect, search)));
    if (!isLikeBase(search, answer)) found.push(...(await reacting(search, half)));
  }
  return found;
}

const conditionOn = (
  dialect: FilterDialect,
  fields: readonly (readonly string[])[],
  operator: FieldOperator,
): WrittenConditions => ({ dialect, conditions: fields.map((path) => ({ path, ...operator })) });

async function lookupIn(search: ListSearch, dialect: FilterDialect): Promise<HiddenLookup | undefined> {
  const { ask, base } = search;
  const fields = fieldsFor(search, dialect);
  const [first] = dialect.operators;
  if (!first) return undefined;
  const unknown = await ask([conditionOn(dialect, [[unknownField]], first.none)]);
  if (!isLikeBase(search, unknown)) return lookupWhereRefused(search, dialect, dialect.operators);
  return firstOf(dialect.operators, async (operators) => {
    const paths = fields.map(({ path }) => path);
    // An operator that is refused says nothing of fields.
    if ((await ask([conditionOn(dialect, paths, operators.all)])).status !== base.status) return undefined;
    let tried = 0;
    for await (const field of deciding(search, { dialect, operators, fields })) {
      const found = await lookupBy(search, dialect, operators, field);
      tried += 1;
      if (found || tried === maxTried) return found;
    }
    return undefined;
  });
}

const fieldsFor = ({ fields }: ListSearch, { avoids }: FilterDialect): HiddenField[] =>
  fields.filter(({ path: [first = ''] }) => !avoids?.test(first));

/** The same of a list that refuses fields which there are not: each has to be asked for alone. */
async function lookupWhereRefused(
  search: ListSearch,
  dialect: FilterDialect,
  operators: readonly OperatorPair[],
): Promise<HiddenLookup | undefined> {
  for (const pair of operators) {
    if (!(await isUnderstood(search, dialect, pair))) continue;
    // What an entry does not have fulfils the condition as well.
    if (isLikeBase(search, await search.ask([conditionOn(dialect, [[unknownField]], pair.all)]))) continue;
    // What is understood is not written otherwise.
    return firstOf(fieldsFor(search, dialect), async (field) => {
      const answer = await unlessLeftOut(() => search.ask([conditionOn(dialect, [field.path], pair.all)]));
      return answer && isListing(search, answer) ? lookupBy(search, dialect, pair, field) : undefined;
    });
  }
  return undefined;
}

/**
 * Whether a condition is taken that fits all entries, and is another one than a condition that fits none: on what the list shows, or on
 * what most have where it does not say that.
 */
async function isUnderstood(
  search: ListSearch,
  dialect: FilterDialect,
  { all, none, from }: OperatorPair,
): Promise<boolean> {
  const { texts, isData } = search.shown;
  // What stands above a column is often no name of a field.
  const isSaid = isData && texts.length > 0;
  const names = isSaid ? texts.slice(0, 1) : [...new Set([...texts.slice(0, 2), 'name', 'title'])];
  const tried = [...names.map((name) => ({ name, all })), ...(from && !isSaid ? [{ name: 'id', all: from('0') }] : [])];
  const leavesAll = async (name: string, operator: FieldOperator): Promise<boolean> =>
    isLikeBase(search, await search.ask([conditionOn(dialect, [[name]], operator)]));
  for (const each of tried) if (await leavesAll(each.name, each.all)) return !(await leavesAll(each.name, none));
  return false;
}

/** It shows entries: those that have nothing in the field may be missing. */
const isListing = ({ base, pieces }: ListSearch, { status, text }: Exchange): boolean =>
  status === base.status && pieces.some((piece) => text.includes(piece));

type Deciding = { dialect: FilterDialect; operators: OperatorPair; fields: readonly HiddenField[] };

/** Fields of which none is refused, that take something from the list when no text fulfils the condition, by halves. */
async function* deciding(search: ListSearch, { fields, ...way }: Deciding): AsyncGenerator<HiddenField> {
  const paths = fields.map(({ path }) => path);
  const answer = await search.ask([conditionOn(way.dialect, paths, way.operators.none)]);
  if (isLikeBase(search, answer)) return;
  if (fields.length <= 1) return yield* fields;
  const middle = Math.ceil(fields.length / 2);
  yield* deciding(search, { ...way, fields: fields.slice(0, middle) });
  yield* deciding(search, { ...way, fields: fields.slice(middle) });
}

/** Twice each, conditions that all and that no texts fulfil; and the same on a field that nobody has, and with an operator that none is. */
async function lookupBy(
  search: ListSearch,
  dialect: FilterDialect,
  operators: OperatorPair,
  field: HiddenField,
): Promise<HiddenLookup | undefined> {
  const { ask, base, list } = search;
  const on = (operator: FieldOperator, fresh = false, path = field.path) =>
    ask([conditionOn(dialect, [path], operator)], fresh);
  const kept = async (fresh: boolean, pieces: readonly string[]): Promise<string[]> => {
    const all = await on(operators.all, fresh);
    if (all.status !== base.status) return [];
    const present = pieces.filter((piece) => all.text.includes(piece));
    if (present.length === 0) return [];
    const none = await on(operators.none, fresh);
    return none.status >= 500 ? [] : present.filter((piece) => !none.text.includes(piece));
  };
  const decided = await kept(true, await kept(false, search.pieces));
  const markers = clearest(decided, maxMarkers);
  if (markers.length === 0) return undefined;
  const ofField = await unknownBy(search, markers, (which) => on(operators[which], true, [unknownField]));
  const ofOperator = await unknownBy(search, markers, (which) => on(operators.misspelt[which], true));
  if (!ofField || !ofOperator) return undefined;
  const range = await rangeOf(search, { dialect, operators, field, marker: markers[0] ?? '' });
  return {
    ...{
      list,
      dialect,
      operators,
      field,
      status: base.status,
      markers,
      unknownField: ofField,
      unknownOperator: ofOperator,
    },
    ...(range && { range }),
  };
}

/** Undefined where the same two conditions distinguish the answers as well. */
async function unknownBy(
  { base }: ListSearch,
  markers: readonly string[],
  ask: (which: 'all' | 'none') => Promise<Exchange>,
): Promise<UnknownAnswer | undefined> {
  const none = await ask('none');
  const lacks = ({ text }: Exchange) => markers.every((marker) => !text.includes(marker));
  if (none.status === base.status && markers.every((marker) => none.text.includes(marker))) return 'ignored';
  const all = await ask('all');
  return lacks(all) ? 'refused' : undefined;
}

type Ranged = { dialect: FilterDialect; operators: OperatorPair; field: HiddenField; marker: string };

/** Where the first sign of one entry's own text lies, by halving; no further than to some signs. */
async function rangeOf(
  { ask, base }: ListSearch,
  { dialect, operators: found, field, marker }: Ranged,
): Promise<HiddenLookup['range']> {
  const operators = found.from ? found : dialect.operators.find(({ from }) => from);
  const from = operators?.from;
  if (!operators || !from) return undefined;
  const isFrom = async (bound: string): Promise<boolean> => {
    const { status, text } = await ask([conditionOn(dialect, [field.path], from(bound))], true);
    return status === base.status && text.includes(marker);
  };
  let [low, high] = [0, bounds.length - 1];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (await isFrom(bounds[middle] ?? '')) low = middle;
    else high = middle;
  }
  const range = { from: bounds[low] ?? '', to: bounds[high] ?? '', operators };
  return (await isFrom(range.from)) && !(await isFrom(range.to)) ? range : undefined;
}
