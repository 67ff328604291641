/** A condition on a field, which may be one of a related thing: the names on the way to it. */
export type FieldCondition = { path: readonly string[]; operator: string; value: string };

/**
 * Two conditions on a field by one operator, of which every text fulfils the first and none the second.
 * @property misspelt the same two with an operator that no language has
 * @property from the condition that a text is not before another, where the operators order texts
 */
export type OperatorPair = {
  all: FieldOperator;
  none: FieldOperator;
  misspelt: { all: FieldOperator; none: FieldOperator };
  from?: (text: string) => FieldOperator;
};
export type FieldOperator = Omit<FieldCondition, 'path'>;

type WrittenParameter = { name: string; value: string };

/** A way in which frameworks and interfaces write conditions into parameters or into members of JSON. */
export type FilterDialect = {
  /** For the reader, as it is written: "filters[field][$gte]". */
  name: string;
  operators: readonly OperatorPair[];
  /** Fields that it does not name: with them in this place a request is one that logs in or changes something. */
  avoids?: RegExp;
} & (
  | { in: 'query'; write(conditions: readonly FieldCondition[]): WrittenParameter[] }
  | { in: 'body'; member(conditions: readonly FieldCondition[]): Record<string, unknown> }
);

/** Behind every password, hash, key and address in the order of any database: none begins so. */
export const sentText = 'zzzz‹nonce›';
/** Before all of them, and behind nothing. */
export const firstText = '!';

/** @param from the operator that a text is not before another */
const ordered = (from: string): OperatorPair => ({
  ...pairOf(from, firstText, sentText),
  from: (value) => ({ operator: from, value }),
});

/** @param write makes a value of what a text begins with */
const beginning = (operator: string, write = (text: string): string => text): OperatorPair =>
  pairOf(operator, write(''), write(sentText));

const pairOf = (operator: string, all: string, none: string): OperatorPair => ({
  all: { operator, value: all },
  none: { operator, value: none },
  misspelt: {
    all: { operator: misspelt(operator), value: all },
    none: { operator: misspelt(operator), value: none },
  },
});

const misspelt = (operator: string): string => `${operator}zx`;
const asPattern = (text: string): string => `${text}%`;
const asExpression = (text: string): string => `^${text}`;

/** Operators of members and of names in brackets, the commonest first. */
const operatorNames: readonly OperatorPair[] = [
  ordered('gte'),
  ordered('$gte'),
  ordered('_gte'),
  beginning('startsWith'),
  beginning('$startsWith'),
  beginning('_starts_with'),
  beginning('like', asPattern),
  beginning('$like', asPattern),
  beginning('$regex', asExpression),
];

const bracketed = (root: string): FilterDialect => ({
  name: `${root}[field][operator]`.replace(/^\[field\]/, 'field'),
  in: 'query',
  operators: operatorNames,
  write: (conditions) =>
    conditions.map(({ path, operator, value }) => {
      const [first = '', ...others] = root === '' ? [...path, operator] : [root, ...path, operator];
      return { name: first + others.map((each) => `[${each}]`).join(''), value };
    }),
});

const inJson = (name: string): FilterDialect => ({
  name: `${name}={"field":{"operator":…}}`,
  in: 'query',
  operators: operatorNames,
  write: (conditions) => [{ name, value: JSON.stringify(nested(conditions)) }],
});

/** Names with the operator behind them, with signs between. */
const suffixed = (write: (path: readonly string[], operator: string) => string, operators: OperatorPair[]) =>
  ({
    name: write(['field'], 'operator'),
    in: 'query',
    operators,
    write: (conditions) => conditions.map(({ path, operator, value }) => ({ name: write(path, operator), value })),
  }) satisfies FilterDialect;

const underscores = suffixed(
  (path, operator) => [...path, operator].join('__'),
  [ordered('gte'), beginning('startswith')],
);
const predicates = suffixed(
  (path, operator) => `q[${[...path, operator].join('_')}]`,
  [ordered('gteq'), beginning('start')],
);

/** OASIS OData 4.01, URL Conventions §5.1.1. */
const oData: FilterDialect = {
  name: '$filter=field operator value',
  in: 'query',
  operators: [ordered('ge'), beginning('startswith')],
  write: (conditions) => {
    const written = conditions.map(({ path, operator, value }) =>
      operator.startsWith('startswith')
        ? `${operator}(${path.join('/')},'${value}')`
        : `${path.join('/')} ${operator} '${value}'`,
    );
    return [{ name: '$filter', value: written.join(' and ') }];
  },
};

/** As PostgREST has it. */
const valued: FilterDialect = {
  name: 'field=operator.value',
  in: 'query',
  avoids: /token$/i,
  operators: [beginning('like', (text) => `${text}*`)],
  write: (conditions) =>
    conditions.map(({ path, operator, value }) => ({ name: path.join('.'), value: `${operator}.${value}` })),
};

const members = (root: readonly string[]): FilterDialect => ({
  name: JSON.stringify(within(root, { field: { operator: '…' } })),
  in: 'body',
  operators: operatorNames,
  ...(root.length === 0 && { avoids: /pass|key|secret|mail/i }),
  member: (conditions) => within(root, nested(conditions)),
});

const listed = (name: string): FilterDialect => ({
  name: `{"${name}":[{"field":…,"operator":…,"value":…}]}`,
  in: 'body',
  operators: [ordered('gte'), ordered('>='), beginning('startsWith'), beginning('starts_with')],
  member: (conditions) => ({
    [name]: conditions.map(({ path, operator, value }) => ({ field: path.join('.'), operator, value })),
  }),
});

/**
 * Dialects of addresses, in groups of which all can stand in one address: a parameter is a text there, or has members.
 * @param roots further names that stand before brackets in addresses of the site
 * @param texts parameters that are texts there
 */
export function queryDialects(roots: readonly string[], texts: ReadonlySet<string>): FilterDialect[][] {
  const named = (names: readonly string[]): string[] => [...new Set(names)].filter((name) => !texts.has(name));
  return [
    [
      underscores,
      bracketed(''),
      ...named(['filter', 'filters', 'where', ...roots]).map(bracketed),
      ...named(['q']).map(() => predicates),
      ...named(['filter']).map((name) => bracketed(`${name}[where]`)),
    ],
    [oData, valued, ...named(['where', 'filter', 'q', 's', 'query', 'filters']).map(inJson)],
  ];
}

/** The same of bodies. @param roots names of objects that the body has */
export const bodyDialects = (roots: readonly string[]): FilterDialect[][] => [
  [[], ...[...new Set(['where', 'filter', 'filters', 'query', ...roots])].map((name) => [name])].map(members),
  ['filters', 'conditions'].map(listed),
];

function nested(conditions: readonly FieldCondition[]): Record<string, unknown> {
  const root: Record<string, unknown> = {};
  for (const { path, operator, value } of conditions) {
    let at = root;
    for (const name of path) {
      at[name] ??= {};
      at = at[name] as Record<string, unknown>;
    }
    at[operator] = value;
  }
  return root;
}

const within = (root: readonly string[], value: Record<string, unknown>): Record<string, unknown> =>
  root.reduceRight<Record<string, unknown>>((inner, name) => ({ [name]: inner }), value);
