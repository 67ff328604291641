import type { HeaderList } from './types.ts';

/** Header that carries the run's id in every request, so that the owner of a log can tell what a scan did. */
export const runHeader = 'X-Scan-Audit-Run';

/** What the scan calls itself. */
export const userAgent = (runId: string) => `Mozilla/5.0 (compatible; ScanAudit/1.0; run ${runId})`;

/** Codings that body.ts reads. */
const acceptEncoding = 'gzip, deflate, br, zstd';

/** Headers that every request has, those that the caller gives itself left out, then the caller's. */
export function withIdentity(headers: HeaderList, runId: string, extra: HeaderList): HeaderList {
  const ours: HeaderList = [
    ['User-Agent', userAgent(runId)],
    ['Accept', '*/*'],
    ['Accept-Encoding', acceptEncoding],
    ...extra,
  ];
  const given = new Set(headers.map(([name]) => name.toLowerCase()));
  return [...ours.filter(([name]) => !given.has(name.toLowerCase())), ...headers, [runHeader, runId]];
}
