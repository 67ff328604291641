import { fromJson, type JsonValue } from '@bufbuild/protobuf';
import { Client as Postgres } from 'pg';
import { type Write, WriteSchema } from '../../../proto/gen/scanaudit/v1/runs_pb.ts';
import type { Installation } from './installation.ts';

/** What a run has recorded that it writes, also after its end, when its worker may no longer ask. */
export async function ledgerOf(
  { databaseUrl, orgId }: Pick<Installation, 'databaseUrl' | 'orgId'>,
  runId: string,
): Promise<Write[]> {
  const database = new Postgres({ connectionString: databaseUrl });
  await database.connect();
  try {
    // Row-level security binds the owner too.
    await database.query(`select set_config('app.org_id', '${orgId}', false)`);
    const { rows } = await database.query<{ body: JsonValue }>(
      'select body from writes where run_id = $1 order by recorded_at, id',
      [runId],
    );
    return rows.map(({ body }) => fromJson(WriteSchema, body, { ignoreUnknownFields: true }));
  } finally {
    await database.end();
  }
}
