import { parse } from 'tldts';
import { unlessLeftOut } from '../../probe/errors.ts';
import type { CheckContext } from '../contract.ts';
import { likeliest } from '../inputs/at-most.ts';

const maxDomains = 4;
/** Names as pages, addresses and policies write them. What stands before a bracket or a quote is a call or a file of a script. */
const names = /(?<![\w.%-])(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.){1,4}[a-z]{2,18}(?![\w([-]|\.\w)/gi;
/** Domains of the reserved endings stand for real ones in demonstrations. Source: RFC 2606. */
const reserved = /\.(?:example|test)$/;
/** Whom a site embeds, and does not let read. */
const embedded =
  /^(?:w3\.org|schema\.org|ogp\.me|example\.(?:com|org|net))$|(?:google|gstatic|cloudflare|jsdelivr|unpkg|bootstrapcdn|jquery|fontawesome|github|facebook|twitter|youtube|instagram|linkedin)\w*\.\w+$/;

/** Domains that the start page and an answer name, which may be the owner's or a partner's, as of a site that is reached by another name. */
export async function namedDomains(context: CheckContext, url: string, own: string | null): Promise<string[]> {
  const { http, surface } = context;
  const found = new Set<string>();
  for (const address of new Set([surface.url, url])) {
    const answer = await unlessLeftOut(() => http.get(address));
    if (!answer) continue;
    const policies = answer.headerValues('content-security-policy').join(' ');
    for (const [name] of `${answer.text} ${policies}`.matchAll(names)) {
      const { domain, isIcann } = parse(name.toLowerCase());
      if (domain && domain !== own && (isIcann || reserved.test(domain)) && !embedded.test(domain)) found.add(domain);
    }
  }
  return likeliest(context, [...found], maxDomains, 'domains that pages name');
}
