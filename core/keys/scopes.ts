import type { Caller } from '../context.ts';

const orgScopes = [
  'scans:read',
  'scans:write',
  'findings:write',
  'domains:write',
  'keys:write',
  'org:write',
  'webhooks:write',
];

/** Scopes that a key of each kind may hold. Workers, listeners and operators are limited by their kind alone. */
export const scopesOf: Record<Caller['kind'], readonly string[]> = {
  org: orgScopes,
  service: [...orgScopes, 'credits:grant'],
  worker: [],
  operator: [],
  listener: [],
};
