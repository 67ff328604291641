import { wordCheck } from '../../../word-check.ts';

export const crashing = wordCheck('crashing', 'weakness');
