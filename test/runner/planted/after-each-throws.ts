import { suite } from 'uvu';
import * as assert from 'uvu/assert';

const Hooks = suite('hooks');
Hooks.after.each(() => {
  throw new Error('planted');
});
Hooks('fails, and then its hook fails too', () => assert.unreachable());
Hooks.run();
