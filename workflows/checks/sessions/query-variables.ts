import { parseJson } from '../../model/json.ts';
import { rootFieldsIn } from '../../probe/gate/graphql.ts';

/** What the address of a GraphQL query asks for, and the one variable that it is given; undefined for others. */
export function queriedBy(url: string): { field: string; value: string } | undefined {
  const { searchParams } = new URL(url);
  const [[, value] = [], ...others] = Object.entries(variablesIn(searchParams.get('variables') ?? ''));
  const [field, ...fields] = rootFieldsIn(searchParams.get('query') ?? '') ?? [];
  const isOne = field !== undefined && others.length + fields.length === 0;
  return isOne && (typeof value === 'string' || typeof value === 'number')
    ? { field, value: String(value) }
    : undefined;
}

/** Of the variables of a query the one with this value has another; a number stays one. */
export const withVariable = (variables: string, from: string, to: string): string =>
  JSON.stringify(
    Object.fromEntries(
      Object.entries(variablesIn(variables)).map(([name, value]) => {
        const other = typeof value === 'number' && /^\d{1,15}$/.test(to) ? Number(to) : to;
        return [name, String(value) === from ? other : value];
      }),
    ),
  );

const variablesIn = (text: string): Record<string, unknown> => Object(parseJson(text)) as Record<string, unknown>;
