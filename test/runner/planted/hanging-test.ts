import { setTimeout as sleep } from 'node:timers/promises';
import { suite } from 'uvu';

const Hangs = suite('hangs');
Hangs('waits for a minute', () => sleep(60_000));
Hangs.run();
