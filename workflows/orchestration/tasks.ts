import type { BudgetShare } from '../probe/types.ts';

/** What the scan workflow and its activities say to each other: ids and small facts, as JSON. */

export type Depth = 'standard' | 'deep';

export type ScanInput = { runId: string; depth: Depth };

export type ScanPlan = {
  /** Ids of the families of checks, from the registry of the worker that answered. */
  standard: string[];
  deep: string[];
  /** Names of the test identities of the domain. */
  logins: string[];
  /** The ceiling for this host. */
  requestsPerSecond: number;
};

export type Phase = 'survey' | 'standard' | 'login' | 'deep' | 'chains' | 'finish';

export type OutcomeKind = 'found' | 'clean' | 'not-applicable' | 'not-run';

/** How one check ended. */
export type Outcome = {
  checkId: string;
  kind: OutcomeKind;
  /** Why it does not apply, could not look, or could not look everywhere; empty otherwise. */
  reason: string;
  /** Candidates that an experiment refuted. */
  refuted: number;
};

/** What a family has behind it: carried from slice to slice and, as heartbeat details, from attempt to attempt. */
export type FamilyProgress = { outcomes: Outcome[]; requests: number };

export type FamilyInput = {
  runId: string;
  family: string;
  share: BudgetShare;
  /** After this long the family stops between two checks and answers `done: false`, so that the budget is divided anew. */
  sliceMs?: number;
  before: FamilyProgress;
};

export type FamilyResult = FamilyProgress & { done: boolean };

export type SurveyInput = {
  runId: string;
  /** "" is anonymous. */
  identity: string;
  share: BudgetShare;
};

export type LoginInput = { runId: string; login: string; share: BudgetShare };

/** An action of a chain with the facts that it starts from. */
export type PlannedStep = { key: string; actionId: string; factIds: string[] };

export type PlanInput = { runId: string; stateRef?: string };

export type PlanResult = { steps: PlannedStep[]; stateRef: string };

export type ChainStepInput = { runId: string; step: PlannedStep; share: BudgetShare };

export type ChainReportInput = { runId: string; share: BudgetShare };

export type Spent = { requests: number };

export type RunFailure = { code: string; detail: string };

export type NotCovered = { subject: string; reason: string };

/** @property part "login:<name>", "chains" or "undo" */
export type PartInput = { runId: string; part: string; requests: number; notCovered: NotCovered[] };

export type FinishInput = { runId: string } & (
  | { outcome: 'completed' | 'canceled' }
  | { outcome: 'failed'; failure: RunFailure }
);

/** Short calls to core, on the workflows' own queue. */
export type ControlActivities = {
  beginRun(input: { runId: string }): Promise<ScanPlan>;
  reportProgress(input: { runId: string; phase: Phase; progress: number }): Promise<void>;
  /** A family that could not be run to its end: its remaining checks are reported as not run. */
  recordLostFamily(input: { runId: string; family: string; before: FamilyProgress; reason: string }): Promise<void>;
  /** How a part of the scan that is no family of checks ended, in place of what was said of it before. */
  recordPart(input: PartInput): Promise<void>;
  finishRun(input: FinishInput): Promise<void>;
};

/** Everything that sends traffic to the audited host. */
export type AuditActivities = {
  survey(input: SurveyInput): Promise<Spent>;
  runFamily(input: FamilyInput): Promise<FamilyResult>;
  /** Logs in and proves it; an identity that cannot be proven goes to coverage and is left out. */
  proveLogin(input: LoginInput): Promise<Spent & { proven: boolean }>;
  planNext(input: PlanInput): Promise<PlanResult>;
  runChainStep(input: ChainStepInput): Promise<Spent>;
  reportChains(input: ChainReportInput): Promise<Spent>;
  undoWrites(input: { runId: string; share: BudgetShare }): Promise<Spent>;
};
