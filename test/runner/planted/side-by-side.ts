import { setTimeout as sleep } from 'node:timers/promises';
import { suite } from 'uvu';
import { sideBySide } from '../../support/side-by-side.ts';

const test = suite('planted');
const together = sideBySide(test, 3);

together('takes longer', () => sleep(100));
together('fails early', () => Promise.reject(new Error('planted')));
together('passes', () => sleep(10));

test.run();
