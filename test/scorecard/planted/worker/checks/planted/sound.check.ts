import { wordCheck } from '../../../word-check.ts';

export const sound = wordCheck('sound', 'weakness');
