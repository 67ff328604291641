import { wordCheck } from '../../../word-check.ts';

export const missed = wordCheck('missed', 'nowhere');
