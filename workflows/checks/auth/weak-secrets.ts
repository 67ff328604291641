import { commonWords } from '../logins/common-words.ts';

/** Keys that stand in the documentation, examples and images of frameworks and services. */
const published = [
  '',
  'your-256-bit-secret',
  'your-384-bit-secret',
  'your-512-bit-secret',
  'a-string-secret-at-least-256-bits-long',
  'a-valid-string-secret-that-is-at-least-512-bits-long-which-is-very-long',
  'super-secret-jwt-token-with-at-least-32-characters-long',
  'shhhhh',
  'shhhhhared-secret',
  'keyboard cat',
  'secretOrPrivateKey',
  'some-secret',
  'somesecret',
  'my-32-character-ultra-secure-and-ultra-long-secret',
  'mysupersecretkey',
  'AllYourBase',
  'super secret key',
  'super secret',
  'my secret key',
  'your secret key',
  'some secret key',
  'secret key',
  'top secret',
  'very secret',
  'development key',
  'dev key',
  'hard to guess string',
  'you-will-never-guess',
  'some random string',
  'A0Zr98j/3yX R~XHH!jmN]LWX/,?RT',
  '_5#y2L"F4Q8z\n\u00ec]/',
  '192b9bdd22ab9ed4d12e236c78afcb9a393ec15f71bbf5dc987d54727823bcbf',
  'this is a secret',
  'thisisasecret',
  'thisismysecret',
  'this-is-a-secret-key',
  'gradiant',
  'hs256-secret',
  'example_key',
  'example-hmac-key',
  'token-secret-key',
  'jwt_dev_secret',
  'django-insecure',
  'insert-your-secret-here',
  'replace-me',
  'qwertyuiopasdfghjklzxcvbnm123456',
  '0123456789abcdef0123456789abcdef',
  '00000000000000000000000000000000',
  'abcdefghijklmnopqrstuvwxyz123456',
];

const words = [
  'secret',
  'key',
  'jwt',
  'token',
  'password',
  'passw0rd',
  'changeme',
  'change-me',
  'change_me',
  'default',
  'test',
  'testing',
  'dev',
  'development',
  'production',
  'prod',
  'staging',
  'local',
  'demo',
  'example',
  'sample',
  'admin',
  'root',
  'user',
  'letmein',
  'qwerty',
  'abc123',
  'abc',
  'hello',
  'welcome',
  'foobar',
  'foo',
  'bar',
  'topsecret',
  'supersecret',
  'verysecret',
  'notsecret',
  'private',
  'session',
  'auth',
  'api',
  'app',
  'shop',
  'server',
  'backend',
  'express',
  'django',
  'flask',
  'laravel',
  'rails',
  'spring',
  'node',
  'nodejs',
  'security',
  'signing',
  'hmac',
  'hs256',
  '123',
  '1234',
  '12345',
  '123456',
  '1234567890',
];

const before = ['', 'my', 'my-', 'my_', 'the', 'super', 'super-', 'super_', 'your-', 'your_'];
const after = [
  '',
  '1',
  '12',
  '123',
  '1234',
  '12345',
  '!',
  'key',
  '-key',
  '_key',
  'Key',
  'secret',
  '-secret',
  '_secret',
  'Secret',
  '-secret-key',
  '_secret_key',
  'secretkey',
  '-jwt-secret',
  '-token',
  '_token',
  'token',
];

/** What people put behind a word that is asked to be longer. */
const endings = ['', '1', '123', '1234', '!', '2023', '2024', '2025'];

/**
 * Keys that somebody would guess: published ones, and common words with what people put around them.
 * @param names of this site, for instance the labels of its host: people take those for words
 */
export function* weakSecrets(names: readonly string[]): Generator<string> {
  yield* published;
  const own = names.filter((name) => name.length > 1 && !words.includes(name));
  for (const word of [...words, ...own])
    for (const prefix of before)
      for (const suffix of after) {
        const guess = prefix + word + suffix;
        yield guess;
        yield guess.toUpperCase();
        yield guess.charAt(0).toUpperCase() + guess.slice(1);
      }
  for (const ending of endings)
    for (const word of commonWords) {
      yield word + ending;
      yield word.toUpperCase() + ending;
      yield word.charAt(0).toUpperCase() + word.slice(1) + ending;
    }
}
