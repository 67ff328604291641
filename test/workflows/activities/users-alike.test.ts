import { create } from '@bufbuild/protobuf';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { RunContextSchema } from '../../../proto/gen/scanaudit/v1/runs_pb.ts';
import { exploredByOthers } from '../../../workflows/activities/users-alike.ts';
import type { Surface } from '../../../workflows/model/surface.ts';
import type { Run } from '../../../workflows/run/run.ts';
import { store } from '../../../workflows/run/store.ts';

const test = suite('what other users were shown');

const surfaceOf = (code: string): Surface => ({
  ...{ url: 'https://shop.example/', host: 'shop.example', addresses: [], origins: [], pages: [], forms: [] },
  ...{ inputs: [], calls: [], skipped: [], omitted: [], explored: [{ code }] },
});

function runWithSurfaces(surfaces: Record<string, Surface>): Run {
  const kept = new Map<string, Uint8Array>();
  const run = {
    putArtifact: async (name: string, _type: string, content: Uint8Array) => {
      kept.set(name, content);
      return name;
    },
    findArtifact: async (name: string) => kept.get(name),
  } as unknown as Run;
  for (const [name, surface] of Object.entries(surfaces)) store.surface.put(run, name, surface);
  return run;
}

test('pages that a user has used are known to the administrator, and to the next user', async () => {
  const run = runWithSurfaces({ '': surfaceOf('nobody'), a: surfaceOf('of a'), admin: surfaceOf('of admin') });
  const context = create(RunContextSchema, { logins: [{ name: 'a' }, { name: 'b' }, { name: 'admin' }] });
  const codesFor = async (name: string) => (await exploredByOthers({ run, context }, { name })).map(({ code }) => code);
  assert.equal(await codesFor('admin'), ['of a']);
  assert.equal(await codesFor('b'), ['of a', 'of admin']);
});

test.run();
