import { AuditEntryEntity } from './audit-log/entities.ts';
import { CallbackEntity } from './callbacks/entities.ts';
import { FamilyCoverageEntity, OmissionEntity } from './coverage/entities.ts';
import {
  CreditAccountEntity,
  CreditDrawEntity,
  CreditHoldEntity,
  CreditLotEntity,
  LedgerEntryEntity,
  LedgerTransactionEntity,
} from './credits/entities.ts';
import { DomainEntity, LoginEntity } from './domains/entities.ts';
import { ScopeDocumentEntity, ScopeHeaderEntity } from './domains/scope-entities.ts';
import { DecisionEntity, FindingEntity } from './findings/entities.ts';
import { ApiKeyEntity } from './keys/entities.ts';
import { OrgEntity, PlanEntity } from './orgs/entities.ts';
import { OutboxEntity } from './outbox/entities.ts';
import { ChallengeEntity, DomainCheckEntity } from './ownership/entities.ts';
import { ArtifactEntity, FactEntity, PermissionsEntity, RunSecretEntity, WriteEntity } from './runs/entities.ts';
import { IdempotencyKeyEntity, ScanEntity } from './scans/entities.ts';

/** What core stores. */
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
  CallbackEntity,
  AuditEntryEntity,
  DecisionEntity,
];
