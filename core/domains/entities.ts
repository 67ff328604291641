import { defineEntity, type InferEntity, p } from '@mikro-orm/core';

export const ownershipMethods = ['operator', 'dns-txt', 'http-file', 'meta-tag'] as const;

const allowedWrites = ['none', 'reversible', 'create'] as const;

/** An org's right to scan a domain, and what a scan of it needs to know. */
export const DomainEntity = defineEntity({
  name: 'Domain',
  tableName: 'domains',
  properties: {
    orgId: p.uuid().primary(),
    /** Normalised: lower case, Punycode, no trailing dot. */
    domain: p.text().primary(),
    method: p.enum(ownershipMethods).columnType('text'),
    verifiedAt: p.datetime(),
    includeSubdomains: p.boolean(),
    withdrawnAt: p.datetime().nullable(),
    /** What is published; null for a right that staff gave. */
    proofToken: p.text().nullable(),
    /** When the proof was looked at last. */
    checkedAt: p.datetime().defaultRaw('now()'),
    /** Why the right ended, when it did because its proof was gone. */
    lostReason: p.text().nullable(),
    /** Further URLs to start from. */
    startUrls: p.array().columnType('text[]').default([]),
    /** Path prefixes that are never requested. */
    excludedPaths: p.array().columnType('text[]').default([]),
    /** 0 is the worker's default. */
    requestsPerSecond: p.integer().default(0),
    /** What scans may change on the site. */
    writes: p.enum(allowedWrites).columnType('text').default('reversible'),
    /** Scans send the scope's headers over plain http, too. */
    headersOverHttp: p.boolean().default(false),
  },
});
export type DomainRow = InferEntity<typeof DomainEntity>;

const loginKinds = ['form', 'json', 'bearer', 'basic', 'header', 'cookie', 'browser'] as const;
export type LoginKind = (typeof loginKinds)[number];

/** A test identity of a domain that deep scans log in with. */
export const LoginEntity = defineEntity({
  name: 'Login',
  tableName: 'logins',
  properties: {
    orgId: p.uuid().primary(),
    domain: p.text().primary(),
    name: p.text().primary(),
    kind: p.enum(loginKinds).columnType('text'),
    role: p.text(),
    /** A one-time password goes with it. */
    totp: p.boolean().default(false),
    /** JSON of scanaudit.v1.Login, encrypted (core/crypto.ts) for the context of `loginContext`. */
    settings: p.text(),
    updatedAt: p.datetime().defaultRaw('now()'),
  },
});
export type LoginRow = InferEntity<typeof LoginEntity>;
