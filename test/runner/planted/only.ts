import { suite } from 'uvu';

const Narrow = suite('narrow');
Narrow('is left out', () => {});
Narrow.only('is all that runs', () => {});
Narrow.run();
