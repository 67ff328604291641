/** Failures that another attempt cannot mend: refusals of core, and answers of the target guard. */
export const finalFailures = [
  'RUN_NOT_RUNNING',
  'NOT_FOUND',
  'DOMAIN_NOT_VERIFIED',
  'ownership_lost',
  'forbidden_address',
  'out_of_scope',
  'excluded',
  'budget_exhausted',
  'out_of_time',
] as const;
