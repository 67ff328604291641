import { suite } from 'uvu';

const Exits = suite('exits');
Exits('ends the process in the middle', () => process.exit(0));
Exits.run();
