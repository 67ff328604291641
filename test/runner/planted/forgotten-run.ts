import { suite } from 'uvu';

const Told = suite('told to run');
Told('runs', () => {});
Told.run();
const Forgotten = suite('forgotten');
Forgotten('never runs', () => {});
