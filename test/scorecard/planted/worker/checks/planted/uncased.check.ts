import { wordCheck } from '../../../word-check.ts';

export const uncased = wordCheck('uncased', 'weakness');
