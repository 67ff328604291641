import type { Exchange } from '../../model/http.ts';
import { readTokens } from '../../probe/html/tokens.ts';
import type { PageChange } from './opened-page.ts';

/** A header that comments or texts of the site document, and that opens what is refused. */
export type DocumentedHeader = { name: string; value: string };

const maxTextLength = 50_000;
const maxHeaders = 4;
const quoted = String.raw`["'\x60]([^"'\x60<>\r\n]{3,100})["'\x60]`;
/** Requests have them anyway, or they say who is logged in. */
const ordinary =
  /^(?:x-powered-by|x-frame-options|x-content-type-options|x-xss-protection|x-ua-compatible|x-request-id|x-csrf-token)$/i;
const patterns: readonly { pattern: RegExp; name?: string }[] = [
  // the user agent "SyncApp/3.1"; user-agent: SyncApp/3.1
  { pattern: new RegExp(String.raw`\buser[ -]?agent\b[^"'\x60<>\r\n]{0,40}${quoted}`, 'gi'), name: 'User-Agent' },
  {
    pattern: new RegExp(String.raw`${quoted}\s{1,3}(?:as\s{1,3})?(?:the\s{1,3}|its\s{1,3})?user[ -]?agent\b`, 'gi'),
    name: 'User-Agent',
  },
  { pattern: /\buser-agent\s{0,3}[:=]\s{0,3}([\w.-]{2,40}(?:\/[\w.]{1,20})?)/gi, name: 'User-Agent' },
  // X-Internal-Access: yes; the header X-Dev set to "1"
  { pattern: /\b(x-[a-z][a-z\d-]{1,40})["'`]?\s{0,3}[:=]\s{0,3}["'`]?([\w.@/+-]{1,100})/gi },
  {
    pattern: new RegExp(
      String.raw`\b(x-[a-z][a-z\d-]{1,40})["'\x60]?\s{1,3}(?:header\s{1,3})?(?:set\s{1,3}to|with(?:\s{1,3}the)?(?:\s{1,3}value)?|is|of)\s{1,3}${quoted}`,
      'gi',
    ),
  },
];

/** Headers with their values that comments of pages and words of a refusal name; each once. */
export function documentedHeaders(pages: readonly Exchange[], refusal: Exchange): DocumentedHeader[] {
  const texts = pages.map(({ text }) => commentsOf(text)).concat(refusal.text.replace(/<[^<>]{0,500}>/g, ' '));
  const found = texts.flatMap((text) =>
    patterns.flatMap(({ pattern, name }) =>
      [...text.slice(0, maxTextLength).matchAll(pattern)].flatMap(([, first = '', second = '']) => {
        const header = name === undefined ? { name: first, value: second } : { name, value: first };
        return ordinary.test(header.name) || /[^\x20-\x7e]/.test(header.value) ? [] : [header];
      }),
    ),
  );
  return [...new Map(found.map((each) => [`${each.name.toLowerCase()}: ${each.value}`, each])).values()].slice(
    0,
    maxHeaders,
  );
}

function commentsOf(html: string): string {
  let text = '';
  readTokens(html.slice(0, maxTextLength), () => {}, {
    onAside: (aside) => {
      if (aside.kind === 'comment') text += `${aside.text}\n`;
    },
  });
  return text;
}

export const documentedChanges = (url: string, headers: readonly DocumentedHeader[]): PageChange[] =>
  headers.map(({ name, value }) => ({
    what: `the header ${name} that the site itself names`,
    refused: { url },
    changed: { url, headers: [[name, value]] },
    twin: { url, headers: [[name, '‹nonce›']] },
  }));
