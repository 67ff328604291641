import { suite } from 'uvu';

const Throws = suite('throws');
Throws('throws nothing at all', () => {
  throw null;
});
Throws.run();
