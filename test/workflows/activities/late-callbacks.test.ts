import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { maxExpected, rememberLate } from '../../../workflows/activities/late-callbacks.ts';
import type { CheckContext } from '../../../workflows/checks/contract.ts';
import { expectAll } from '../../../workflows/checks/inputs/callback-look.ts';
import type { Omitted } from '../../../workflows/model/omission.ts';
import { store } from '../../../workflows/run/store.ts';
import { checkLike } from '../support/checks.ts';

const test = suite('callbacks that are expected after their check');

/** Where core keeps artifacts: the newest of a name counts. */
function artifacts() {
  const contents = new Map<string, Uint8Array>();
  return {
    async putArtifact(name: string, _type: string, content: Uint8Array) {
      contents.set(name, content);
      return name;
    },
    findArtifact: async (name: string) => contents.get(name),
  };
}

const family = { id: 'injection' };
const check = checkLike({ id: 'injection.calls' });

/** A slice of the family in which the check expects so many callbacks. @returns what it left out */
async function slice(run: ReturnType<typeof artifacts>, tokens: readonly string[]): Promise<Omitted[]> {
  const late = await rememberLate(run, family);
  const { expectLater } = late.of(check, {} as CheckContext);
  const left: Omitted[] = [];
  const expected = tokens.map((token) => ({
    token,
    candidate: { location: { url: `https://shop.example/${token}` } },
  }));
  expectAll({ ...(expectLater && { expectLater }), leave: (omitted) => void left.push(omitted) }, expected);
  await late.keep();
  return left;
}

const numbered = (name: string, count: number) => Array.from({ length: count }, (_, index) => `${name}${index}`);

test('are kept from one slice of a family to the next', async () => {
  const run = artifacts();
  assert.equal([...(await slice(run, ['a', 'b'])), ...(await slice(run, ['c']))], []);
  const kept = (await store.expected.find(run, family.id)) ?? [];
  assert.equal(
    kept.map(({ token }) => token),
    ['a', 'b', 'c'],
  );
});

test('beyond the limit of a family are reported, in whichever slice they come, and those before them stay', async () => {
  const run = artifacts();
  assert.equal(await slice(run, numbered('a', maxExpected - 1)), []);
  const left = await slice(run, numbered('b', 4));
  assert.equal(
    left.map(({ code, count }) => [code, count]),
    [['alike', 3]],
  );
  const kept = (await store.expected.find(run, family.id)) ?? [];
  assert.equal([kept.length, kept.at(0)?.token, kept.at(-1)?.token], [maxExpected, 'a0', 'b0']);
});

test.run();
