import { suite } from 'uvu';

const Called = suite('is run');
Called('runs', () => {});
Called.run();
const Forgotten = suite('forgotten');
Forgotten('never runs', () => {});
