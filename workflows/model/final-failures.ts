/** Failures that another attempt cannot resolve: refusals of core, and answers of the target guard and the write gate. */
export const finalFailures = [
  'RUN_NOT_RUNNING',
  'NOT_FOUND',
  'DOMAIN_NOT_VERIFIED',
  'ownership_lost',
  'forbidden_address',
  'out_of_scope',
  'excluded',
  'refused',
  'budget_exhausted',
  'out_of_time',
] as const;
