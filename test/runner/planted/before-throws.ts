import { suite } from 'uvu';

const Hooks = suite('hooks');
Hooks.before(() => {
  throw new Error('planted');
});
Hooks('never gets its turn', () => {});
Hooks.run();
