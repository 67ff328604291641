import cvssLibrary from 'ae-cvss-calculator';

export type SeverityWord = 'info' | 'low' | 'medium' | 'high' | 'critical';

type Cvss = { version: '3.1'; vector: string; score: number };

const baseVector = /^CVSS:3\.1\/AV:[NALP]\/AC:[LH]\/PR:[NLH]\/UI:[NR]\/S:[UC]\/C:[NLH]\/I:[NLH]\/A:[NLH]$/;

/**
 * Reads a CVSS 3.1 base vector with all eight metrics in the order of the specification (§6), and computes its score.
 * @throws RangeError when the vector is not one
 */
export function parseCvss(vector: string): Cvss {
  if (!baseVector.test(vector)) throw new RangeError(`not a CVSS 3.1 base vector: ${vector}`);
  return { version: '3.1', vector, score: new cvssLibrary.Cvss3P1(vector).calculateExactBaseScore() };
}

/** The qualitative rating of a score, CVSS 3.1 §5; "none" is called info. */
export function severityOf(score: number): SeverityWord {
  if (score <= 0) return 'info';
  if (score < 4) return 'low';
  if (score < 7) return 'medium';
  if (score < 9) return 'high';
  return 'critical';
}
