import type { HeaderList } from '../model/http.ts';

/** Header that carries the run's id in every request, so that the owner of a log can find what a scan did. */
export const runHeader = 'X-Scan-Audit-Run';

/**
 * What the scan calls itself, in the browser and outside of it: sites end a session that comes with another name than it began with.
 * Source: Flask-Login, "Session Protection".
 */
export const userAgentOf = (runId: string): string =>
  `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/153.0.0.0 Safari/537.36 ScanAudit/1.0 (run ${runId})`;

/** As the browser's: sites refuse clients that state none as robots. */
const acceptLanguage = 'en-US,en;q=0.9';

/** Codings that body.ts reads. */
const acceptEncoding = 'gzip, deflate, br, zstd';

/** Headers that every request has: ours, unless `extra` has them, and `extra`, unless the caller has them; then the caller's. */
export function withIdentity(headers: HeaderList, runId: string, extra: HeaderList): HeaderList {
  const ours: HeaderList = [
    ['User-Agent', userAgentOf(runId)],
    ['Accept', '*/*'],
    ['Accept-Language', acceptLanguage],
    ['Accept-Encoding', acceptEncoding],
  ];
  return [...without(ours, [...extra, ...headers]), ...without(extra, headers), ...headers, [runHeader, runId]];
}

function without(list: HeaderList, others: HeaderList): HeaderList {
  const names = new Set(others.map(([name]) => name.toLowerCase()));
  return list.filter(([name]) => !names.has(name.toLowerCase()));
}
