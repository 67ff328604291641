import type { ScoreCase } from '../../../case.ts';
import { blindDocuments } from '../../../sites/blind-documents.ts';

export const cases: ScoreCase[] = Object.entries(blindDocuments).map(([name, start]) => ({ name, start }));
