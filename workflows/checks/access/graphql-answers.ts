import { parseJson } from '../../model/json.ts';
import { ProbeError } from '../../model/probe-error.ts';
import { graphQlRequests } from '../../survey/graphql-requests.ts';
import { createTally } from '../../survey/left-out.ts';
import type { CheckContext } from '../contract.ts';
import { likeliest } from '../inputs/at-most.ts';

const maxQueries = 12;
/** Fields that nobody but their owner needs, and what people are found by. */
const privateField = /pass|pwd|hash|salt|secret|token|api_?key|otp|pin\b|card|iban|ssn|mail|phone/i;

/** Queries of a GraphQL server that, by its own description, give private fields, as the JSON that asks for them. */
export async function privateQueries(context: CheckContext): Promise<{ url: string; body: string }[]> {
  const { http, surface } = context;
  const [first] = surface.origins;
  if (!first) return [];
  try {
    const described = await graphQlRequests(http.send, first.origin, surface, createTally());
    const asking = described.filter(({ body }) => privateField.test(body));
    return likeliest(context, asking, maxQueries, 'queries of GraphQL').map(({ url, body }) => ({
      url,
      body: ofTwo(body),
    }));
  } catch (error) {
    if (!(error instanceof ProbeError) || ['canceled', 'budget_exhausted'].includes(error.code)) throw error;
    return [];
  }
}

/** A query for the one object with an identifier. */
const ofOne = /^(query \w+)\((\$(\w+): (?:Int|ID)!?)\) \{ (\w+)\((\w+): \$\w+\) (\{.*\}) \}$/s;

/** The same query for two objects at once: what is private is seen by what differs between people. */
function ofTwo(body: string): string {
  const { query } = Object(parseJson(body)) as { query?: unknown };
  const [, head, declared = '', variable = '', field, argument, selected] = ofOne.exec(String(query)) ?? [];
  if (head === undefined) return body;
  const [second, other] = [`${variable}2`, declared.replace(variable, `${variable}2`)];
  const asked = `first: ${field}(${argument}: $${variable}) ${selected} second: ${field}(${argument}: $${second}) ${selected}`;
  return JSON.stringify({
    query: `${head}(${declared}, ${other}) { ${asked} }`,
    variables: { [variable]: 1, [second]: 2 },
  });
}
