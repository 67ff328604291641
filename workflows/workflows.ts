/** All that Temporal may start by name. */
export { recheckOwnership, verifyDomain } from './ownership.workflow.ts';
export { scanWorkflow } from './scan.workflow.ts';
