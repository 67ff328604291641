import type { Exchange } from '../model/http.ts';
import type { PageSurface } from '../model/surface.ts';
import { valuesOf } from '../probe/http/exchange.ts';
import type { Lead } from './lead.ts';

/** Pages of a site have a few KiB each; all of them are kept until the survey ends. */
const maxHeaderLength = 32 * 1024;

function keptHeaders({ headers }: Exchange): [string, string][] {
  let left = maxHeaderLength;
  const end = headers.findIndex(([name, value]) => {
    left -= name.length + value.length;
    return left < 0;
  });
  return headers.slice(0, end === -1 ? headers.length : end).map(([name, value]) => [name, value]);
}

/** A page as the surface keeps it, before its HTML is read. */
export function pageOf(lead: Lead, exchange: Exchange, contentType: string): PageSurface {
  const headers = keptHeaders(exchange);
  return {
    url: lead.url,
    status: exchange.status,
    contentType,
    headers,
    setCookies: valuesOf(headers, 'set-cookie'),
    title: '',
    scripts: [],
    source: lead.source,
  };
}
