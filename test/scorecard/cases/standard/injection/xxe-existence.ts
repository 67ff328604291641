import { isHere } from '../../../../support/programs.ts';
import type { ScoreCase } from '../../../case.ts';
import { blindDocuments } from '../../../sites/blind-documents.ts';

export const cases: ScoreCase[] = isHere('python3')
  ? Object.entries(blindDocuments).map(([name, start]) => ({ name, start }))
  : [];
