import { percentDecodedOrSame } from '../../kit/percent.ts';
import type { Explored } from '../model/browser.ts';
import type { PageToken } from '../model/surface.ts';
import { readTokens } from '../probe/html/tokens.ts';
import type { SentBody } from './body-inputs.ts';
import { isPageToken } from './form-inputs.ts';
import { usualHeader, verifiedHeader } from './sent-headers.ts';

type ExploredVisit = Pick<Explored, 'finalUrl' | 'requests' | 'cookies' | 'states'>;
type VisitRequest = Explored['requests'][number];

/** Headers by which scripts bring a token along. */
const tokenHeader = /csrf|xsrf|token$|nonce|verification|antiforgery/i;
/** A shorter text stands in a page for other reasons. */
const minTokenLength = 8;
/** What stands before a token in a page: enough to find it there again, and in all as long as a name may be. */
const behindLengths = { least: 6, most: 60 };

/** Bodies that the scripts of a page have sent, or would have if the gate let them, and where they took their tokens from. */
export function sentBodies(visit: ExploredVisit): SentBody[] {
  const sources = sourcesOf(visit);
  return visit.requests
    .filter(({ body }) => body !== undefined)
    .map(({ url, method, headers, body = '', before }) => {
      const tokens = [...tokensOf(headers, sources), ...fieldTokens({ headers, body }, sources)];
      const isGiven = (name: string) => tokens.some((token) => 'header' in token && token.header === name);
      const own = [...ownHeaders(headers, sources).filter(([name]) => !isGiven(name)), ...protocolsOf(headers)];
      return {
        ...{ method, url, body },
        ...(before === undefined ? {} : { before }),
        contentType: headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '',
        page: {
          ...{ url: visit.finalUrl.replace(/#.*$/s, ''), tokens },
          ...(own.length > 0 ? { headers: own } : {}),
        },
      };
    });
}

/** What a WebSocket is to speak (RFC 6455 §11.3.4), which a server may demand. */
const protocolsOf = (headers: VisitRequest['headers']): [string, string][] =>
  headers.flatMap(([name, value]): [string, string][] =>
    name === 'sec-websocket-protocol' ? [['Sec-WebSocket-Protocol', value]] : [],
  );

/** The key of an API that everybody is shown is no session's. */
const keyHeader = /^(?:x-)?(?:[a-z]+-)?api-?key$|subscription-key$/i;

/** Servers tell requests of scripts from those of forms by the first, where a script sends it. */
const isOwnHeader = (name: string): boolean => /^x-requested-with$/i.test(name) || !usualHeader.test(name);

/** Headers that scripts send with the same value each time; without a key that the page shows, a server may refuse all requests. */
const ownHeaders = (headers: VisitRequest['headers'], { shows }: Sources): [string, string][] =>
  headers
    .filter(([name, value]) => value !== '' && isOwnHeader(name) && !tokenHeader.test(name))
    .filter(([name, value]) => (keyHeader.test(name) ? shows(value) : !verifiedHeader.test(name)))
    .map(([name, value]) => [name, value]);

/** Where a page has a value: the name of a cookie or of a meta element, what stands before it, or a hidden field. */
type Sources = {
  cookieWith(value: string): string | undefined;
  metaWith(value: string): string | undefined;
  textBefore(value: string): string | undefined;
  hasHidden(name: string, value: string): boolean;
  /** The page has the value, which is as long as keys are. */
  shows(value: string): boolean;
};

/** Reads the page when it is asked first, and once for all its requests. */
function sourcesOf({ cookies, states: [html = ''] }: ExploredVisit): Sources {
  let [names, metas]: (ReadonlyMap<string, string> | undefined)[] = [];
  let hidden: ReadonlySet<string> | undefined;
  return {
    cookieWith(value) {
      names ??= namesOf(cookies);
      return names.get(value);
    },
    metaWith(value) {
      metas ??= metasOf(html);
      return metas.get(value);
    },
    textBefore: (value) => textBefore(html, value),
    shows: (value) => value.length >= minTokenLength && html.includes(value),
    hasHidden(name, value) {
      hidden ??= hiddenOf(html);
      return hidden.has(JSON.stringify([name, value]));
    },
  };
}

function tokensOf(headers: VisitRequest['headers'], { cookieWith, metaWith, textBefore }: Sources): PageToken[] {
  return headers
    .filter(([name]) => tokenHeader.test(name))
    .flatMap(([header, value]): PageToken[] => {
      const cookie = cookieWith(value);
      if (cookie !== undefined) return [{ header, cookie }];
      const meta = metaWith(value);
      if (meta !== undefined) return [{ header, meta }];
      const behind = textBefore(value);
      return behind === undefined ? [] : [{ header, behind }];
    });
}

/**
 * The shortest text that stands before a value, and nowhere earlier in the page: a name in an attribute (`hx-headers`), or in a script.
 * @returns undefined where the page has no such value
 */
function textBefore(html: string, value: string): string | undefined {
  const at = value.length < minTokenLength || !tokenText.test(value) ? -1 : html.indexOf(value);
  const most = Math.min(behindLengths.most, at);
  for (let length = behindLengths.least; length <= most; length += 1) {
    const behind = html.slice(at - length, at);
    if (/[<>\n]/.test(behind)) return undefined;
    if (html.indexOf(behind) === at - length) return behind;
  }
  return undefined;
}

/** What ends at none of the signs that end a value in a page. */
const tokenText = /^[^"'<>\s&\\]+$/;

/** Tokens that a form has in hidden fields. Without them the body would be sent with those of the survey, which are old by then. */
function fieldTokens({ headers, body }: Required<Pick<VisitRequest, 'headers' | 'body'>>, { hasHidden }: Sources) {
  if (
    !headers.some(([name, value]) => /^content-type$/i.test(name) && /^application\/x-www-form-urlencoded/i.test(value))
  )
    return [];
  return [...new URLSearchParams(body)].flatMap(([name, value]): PageToken[] =>
    isPageToken({ type: 'hidden', name, value }) && hasHidden(name, value) ? [{ field: name }] : [],
  );
}

/** Names and values of hidden fields. */
function hiddenOf(html: string): ReadonlySet<string> {
  const fields = new Set<string>();
  readTokens(html, (token) => {
    if (token.kind !== 'start' || token.name !== 'input' || token.attributes.get('type')?.toLowerCase() !== 'hidden')
      return;
    fields.add(JSON.stringify([token.attributes.get('name') ?? '', token.attributes.get('value') ?? '']));
  });
  return fields;
}

/** Names of cookies by their values as they are and decoded, the first of each. */
function namesOf(cookies: Explored['cookies']): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const { name, value } of cookies)
    for (const each of [value, percentDecodedOrSame(value)]) if (each !== '' && !names.has(each)) names.set(each, name);
  return names;
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
