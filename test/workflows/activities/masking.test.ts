import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { withoutSecrets } from '../../../workflows/activities/masking.ts';

const masking = suite('masking');

masking('a known secret is masked wherever it stands in a finding', () => {
  const [finding] = withoutSecrets(
    [
      {
        title: 'Session id in URL',
        location: { url: 'https://a.example/?sid=abcdef123' },
        references: ['x abcdef123 y'],
        cwe: 1,
      },
    ],
    ['abcdef123'],
  );
  assert.not.ok(JSON.stringify(finding).includes('abcdef123'));
  assert.is(finding?.title, 'Session id in URL');
  assert.is(finding?.cwe, 1);
});

masking('a secret that holds another one is masked as a whole', () => {
  const [finding] = withoutSecrets([{ title: 'token-and-more' }], ['token', 'token-and-more']);
  assert.not.ok(finding?.title?.includes('more'));
});

masking('values too short to be a secret are left, so that texts stay readable', () => {
  const [finding] = withoutSecrets([{ title: 'a 1 b' }], ['1', 'a']);
  assert.is(finding?.title, 'a 1 b');
});

masking.run();
