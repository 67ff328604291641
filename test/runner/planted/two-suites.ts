import { suite } from 'uvu';

const First = suite('first');
First('has a test', () => {});
First('has another', () => {});
First.run();

const Second = suite('second');
Second('has a test', () => {});
Second.run();
