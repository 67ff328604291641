import { suite } from 'uvu';

const Late = suite('late');
Late('leaves work that fails later', () => {
  setTimeout(() => {
    throw new Error('planted');
  }, 100);
});
Late.run();
