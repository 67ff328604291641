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
  return visit.requests
    .filter(({ body }) => body !== undefined)
    .slice(0, maxRequests)
    .map(({ url, method, headers, body = '' }) => ({
      ...{ method, url, body },
      contentType: headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '',
      page: { url: visit.finalUrl.replace(/#.*$/s, ''), tokens: tokensOf(headers, visit) },
    }));
}

function tokensOf(headers: Sent['headers'], { cookies, html }: BrowserResult): PageToken[] {
  return headers
    .filter(([name]) => tokenHeader.test(name))
    .flatMap(([header, value]): PageToken[] => {
      const cookie = cookies.find(
        (each) => each.value !== '' && [each.value, decoded(each.value)].includes(value),
      )?.name;
      if (cookie !== undefined) return [{ header, cookie }];
      const meta = metaWith(html, value);
      return meta === undefined ? [] : [{ header, meta }];
    });
}

function metaWith(html: string, content: string): string | undefined {
  let found: string | undefined;
  readTokens(html, (token) => {
    if (token.kind !== 'start' || token.name !== 'meta' || token.attributes.get('content') !== content) return;
    found ??= token.attributes.get('name');
  });
  return found;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
