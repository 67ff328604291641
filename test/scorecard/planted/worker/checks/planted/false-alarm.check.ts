import { wordCheck } from '../../../word-check.ts';

export const falseAlarm = wordCheck('false-alarm', 'Welcome');
