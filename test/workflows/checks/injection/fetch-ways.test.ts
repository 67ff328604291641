import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { fetchWays } from '../../../../workflows/checks/injection/fetch-ways.ts';
import type { OpenedInput } from '../../../../workflows/checks/inputs/input-request.ts';

const test = suite('addresses of the listener for what a server may fetch');

const ended = (parameter: string, path: string): string[] => {
  const url = `https://diary.example${path}`;
  const input = { url, method: 'POST', in: 'body', parameter, sample: '', route: path, others: [] };
  return fetchWays(input as unknown as OpenedInput, 'listener.example').flatMap(
    ({ address }) => /\.[a-z]+$/.exec(address.replace(/^http:\/\/[^/?]+/, ''))?.[0] ?? [],
  );
};

test('end as the files that the name of the input asks for, or else its place', () => {
  assert.equal(ended('avatar', '/profile'), ['.png']);
  assert.equal(ended('link', '/profile/picture'), ['.png']);
  assert.equal(ended('feed', '/profile/picture'), ['.xml']);
  assert.equal(ended('link', '/profile'), []);
});

test.run();
