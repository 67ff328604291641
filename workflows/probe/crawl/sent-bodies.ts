import type { PageToken } from '../../checks/contract.ts';
import type { BrowserResult } from '../browser/types.ts';
import type { SentBody } from './body-inputs.ts';
import { readTokens } from './page-tokens.ts';

type Sent = BrowserResult['requests'][number];

/** Headers by which scripts bring a token along. */
const tokenHeader = /csrf|xsrf|(?:^|-)token$/i;
const maxRequests = 50;

/** Bodies that the scripts of a page have sent, or would have if the gate let them, and where they took their tokens from. */
export function sentBodies(visit: BrowserResult): SentBody[] {
  let metas: ReadonlyMap<string, string> | undefined;
  const metaWith = (content: string) => {
    metas ??= metasOf(visit.html);
    return metas.get(content);
  };
  return visit.requests
    .filter(({ body }) => body !== undefined)
    .slice(0, maxRequests)
    .map(({ url, method, headers, body = '' }) => ({
      ...{ method, url, body },
      contentType: headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '',
      page: { url: visit.finalUrl.replace(/#.*$/s, ''), tokens: tokensOf(headers, visit, metaWith) },
    }));
}

function tokensOf(
  headers: Sent['headers'],
  { cookies }: BrowserResult,
  metaWith: (content: string) => string | undefined,
): PageToken[] {
  return headers
    .filter(([name]) => tokenHeader.test(name))
    .flatMap(([header, value]): PageToken[] => {
      const cookie = cookies.find(
        (each) => each.value !== '' && [each.value, decoded(each.value)].includes(value),
      )?.name;
      if (cookie !== undefined) return [{ header, cookie }];
      const meta = metaWith(value);
      return meta === undefined ? [] : [{ header, meta }];
    });
}

/** Names of meta elements by what they hold, the first of each. */
function metasOf(html: string): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  readTokens(html, (token) => {
    if (token.kind !== 'start' || token.name !== 'meta') return;
    const [content, name] = [token.attributes.get('content'), token.attributes.get('name')];
    if (content !== undefined && name !== undefined && !names.has(content)) names.set(content, name);
  });
  return names;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
