import type { Check } from '../../../../workflows/checks/contract.ts';
import type { CheckResult } from '../../../../workflows/checks/run-check.ts';
import { startValuePage, type ValuePage } from '../../../scorecard/sites/value-page.ts';
import { type AuditOptions, runOn } from '../harness.ts';

/** Makes the page for a value. */
export type Show = ValuePage['make'];

/** What a check says of a page that links to another one with a value of its own. */
export async function resultOn(
  check: Check,
  link: string,
  make: Show,
  { isOther = false, ...options }: AuditOptions & Pick<ValuePage, 'isOther'> = {},
): Promise<CheckResult> {
  const site = await startValuePage({ link, make, isOther });
  try {
    return await runOn(site.url, check, options);
  } finally {
    await site.close();
  }
}
