import type { RunContext } from '../../proto/gen/scanaudit/v1/runs_pb.ts';
import type { HeaderList } from '../model/http.ts';
import type { Run } from '../run/run.ts';
import { opened } from '../run/store.ts';

/** Fetches the headers that the org wants with every request. The values stay in the caller's memory. */
export async function openScopeHeaders(run: Run, { headerNames }: RunContext): Promise<HeaderList> {
  return headerNames.length === 0 ? [] : opened.headers(run);
}

/** What of the headers must not be stored. */
export const valuesOf = (headers: HeaderList): string[] => headers.map(([, value]) => value);
