import { parseJson } from '../../model/json.ts';
import type { Surface } from '../../model/surface.ts';
import { graphQlOperations } from '../../probe/gate/graphql.ts';
import { namedPath } from '../../probe/program-parts.ts';
import type { CheckContext } from '../contract.ts';
import { likeliest } from '../inputs/at-most.ts';

/** What interfaces that list people, or what people have written, are called. */
const listing = /user|member|people|author|staff|team|account|profile|customer|post|comment|review|article|message/i;
/** Members that hold a name by which somebody logs in. */
const named = /^(?:user_?name|login|user|handle|nick(?:_?name)?|screen_?name|author|owner|created_?by)$/i;
const name = /^[a-z][\w.-]{1,30}$/i;
const mailAddress = /^[a-z][\w.+-]{0,30}@[a-z0-9-]{1,60}(?:\.[a-z0-9-]{1,30}){1,3}$/i;
const maxAsked = 4;
const maxTextLength = 200_000;
const maxValues = 2_000;

type NamingRequest = { url: string; body?: string };

/** Names of users in the answers of a site's interface, which single-page applications draw their pages from. */
export async function namesInAnswers(
  context: Pick<CheckContext, 'http' | 'surface' | 'leave'>,
  { isMail }: { isMail: boolean },
): Promise<string[]> {
  const asked = likeliest(context, requestsOf(context.surface), maxAsked, 'answers that may name users');
  const names: string[] = [];
  for (const { url, body } of asked) {
    const { status, text } =
      body === undefined
        ? await context.http.get(url)
        : await context.http.send({ method: 'POST', url, headers: [['Content-Type', 'application/json']], body });
    if (status === 200) names.push(...namesIn(parseJson(text.slice(0, maxTextLength)), isMail));
  }
  return [...new Set(names)];
}

/** What only asks, and lists people by its name. */
function requestsOf({ pages, calls, inputs }: Pick<Surface, 'pages' | 'calls' | 'inputs'>): NamingRequest[] {
  const read = pages
    .filter(({ status, contentType }) => status === 200 && /\bjson\b/.test(contentType))
    .map(({ url }): NamingRequest => ({ url }));
  const bodies = [...calls, ...inputs.map(({ method, url, json }) => ({ method, url, body: json?.body }))];
  const queries = bodies.flatMap(({ method, url, body = '' }): NamingRequest[] => {
    const request = { method, url, headers: [] };
    return method === 'POST' && graphQlOperations(request, body) === 'queries' ? [{ url, body }] : [];
  });
  const all = [...read, ...queries].filter(({ url, body = '' }) => listing.test(`${namedPath(url)} ${body}`));
  return [...new Map(all.map((each) => [`${each.url} ${each.body ?? ''}`, each])).values()];
}

function namesIn(root: unknown, isMail: boolean): string[] {
  const found: string[] = [];
  const left: (readonly [name: string, value: unknown])[] = [['', root]];
  for (let count = 0; left.length > 0 && count < maxValues; count += 1) {
    const [member, value] = left.shift() ?? ['', undefined];
    if (typeof value === 'string') {
      if (isMail ? mailAddress.test(value) : named.test(member) && name.test(value)) found.push(value);
    } else if (typeof value === 'object' && value !== null) {
      const isList = Array.isArray(value);
      for (const [key, each] of Object.entries(value)) left.push([isList ? member : key, each]);
    }
  }
  return found;
}
