import { spawn } from 'node:child_process';
import { suite } from 'uvu';

const Leaks = suite('leaks');
Leaks('leaves a child running', () => {
  spawn('sleep', ['60'], { stdio: 'ignore' }).unref();
});
Leaks.run();
