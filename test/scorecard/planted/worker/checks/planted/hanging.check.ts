import { wordCheck } from '../../../word-check.ts';

export const hanging = wordCheck('hanging', 'weakness');
