import { suite } from 'uvu';

const Empty = suite('empty');
Empty.run();
