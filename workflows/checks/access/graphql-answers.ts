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
    return likeliest(context, asking, maxQueries, 'queries of GraphQL').map(({ url, body }) => ({ url, body }));
  } catch (error) {
    if (!(error instanceof ProbeError) || ['canceled', 'budget_exhausted'].includes(error.code)) throw error;
    return [];
  }
}
