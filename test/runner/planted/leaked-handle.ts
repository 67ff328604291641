import { createServer } from 'node:net';
import { suite } from 'uvu';

const Leaks = suite('leaks');
Leaks('leaves a server listening', () => {
  createServer().listen(0, '127.0.0.1');
});
Leaks.run();
