import { MikroORM } from '@mikro-orm/postgresql';
import type { Credentials } from '../../kit/certificates.ts';
import type { Logger } from '../../kit/logger.ts';
import { AuditEntryEntity } from '../audit-log/entities.ts';
import {
  CreditAccountEntity,
  CreditDrawEntity,
  CreditHoldEntity,
  CreditLotEntity,
  LedgerEntryEntity,
  LedgerTransactionEntity,
} from '../credits/entities.ts';
import { DecisionEntity } from '../findings/decision-entities.ts';
import { OutboxEntity } from '../outbox/entities.ts';
import { DomainEntity, LoginEntity } from '../domains/entities.ts';
import { ChallengeEntity, DomainCheckEntity } from '../ownership/entities.ts';
import { ScopeDocumentEntity, ScopeHeaderEntity } from '../domains/scope-entities.ts';
import { ApiKeyEntity } from '../keys/entities.ts';
import { OrgEntity, PlanEntity } from '../orgs/entities.ts';
import {
  ArtifactEntity,
  FactEntity,
  FamilyCoverageEntity,
  FindingEntity,
  OmissionEntity,
  PermissionsEntity,
  RunSecretEntity,
  WriteEntity,
} from '../runs/entities.ts';
import { IdempotencyKeyEntity, ScanEntity } from '../scans/entities.ts';
import { forgetLostConnections } from './lost-connections.ts';
import { databaseTls } from './tls.ts';

export const entities = [
  PlanEntity,
  OrgEntity,
  ApiKeyEntity,
  DomainEntity,
  LoginEntity,
  ScopeHeaderEntity,
  ScopeDocumentEntity,
  ChallengeEntity,
  DomainCheckEntity,
  CreditAccountEntity,
  CreditLotEntity,
  CreditDrawEntity,
  CreditHoldEntity,
  LedgerTransactionEntity,
  LedgerEntryEntity,
  ScanEntity,
  OutboxEntity,
  IdempotencyKeyEntity,
  FindingEntity,
  FamilyCoverageEntity,
  OmissionEntity,
  FactEntity,
  ArtifactEntity,
  PermissionsEntity,
  WriteEntity,
  RunSecretEntity,
  AuditEntryEntity,
  DecisionEntity,
];

export type DatabaseOptions = {
  /** postgres://role:password@host:port/database */
  url: string;
  /** Connections at most; default 10. */
  poolSize?: number;
  /** Switches TLS on, as `sslmode` in the URL does. */
  tls?: Credentials;
  log: Logger;
};

/** An ORM over the project's tables. Connects when it is first used, so PostgreSQL may be down. Close it. */
export const createOrm = ({ url, poolSize = 10, tls, log }: DatabaseOptions) =>
  new MikroORM({
    entities,
    clientUrl: url,
    pool: { min: 0, max: poolSize },
    // A statement that takes longer than any deadline is stuck.
    driverOptions: {
      connectionTimeoutMillis: 5_000,
      statement_timeout: 15_000,
      application_name: 'scan-audit',
      onPoolCreated: forgetLostConnections,
      ...databaseTls(url, tls),
    },
    ensureDatabase: false,
    discovery: { warnWhenNoEntities: false },
    logger: (message) => log.debug(message),
  });
