import type { BudgetShare } from './budget.ts';
import type { Omission, Omitted } from './omission.ts';

/** What the scan workflow and its activities say to each other: ids and small facts, as JSON. */

export type Depth = 'standard' | 'deep';

/** The deep checks after which the site may let a test identity in no more: they run when nobody needs it any more. */
export const lockingFamily = 'deep/lockout';

export type ScanInput = { runId: string; depth: Depth };

export type ScanPlan = {
  /** Ids of the families of checks, from the registry of the worker that answered. */
  standard: string[];
  deep: string[];
  /** Those of `deep` that change the target. Undefined in answers of earlier versions. */
  writing?: string[];
  /** Requests that each family is likely to send, by its id. Undefined in answers of earlier versions. */
  weights?: Record<string, number>;
  /** Names of the test identities of the domain. */
  logins: string[];
  /** Families of standard checks that look again as each of them, by its name. Undefined in answers of earlier versions. */
  visitors?: Record<string, string[]>;
  /** The worker has a listener for callbacks, of which some come late. Undefined in answers of earlier versions. */
  hearsCallbacks?: true;
  /** The ceiling for this host. */
  requestsPerSecond: number;
  /** The proof of ownership is older than a day: to be looked at before anything else. */
  ownershipCheck?: string;
};

export type Phase = 'survey' | 'standard' | 'login' | 'deep' | 'chains' | 'finish';

type OutcomeKind = 'found' | 'clean' | 'not-applicable' | 'not-run';

/** How one check ended. */
export type TaskOutcome = {
  checkId: string;
  kind: OutcomeKind;
  /** Why it does not apply, could not look, or could not look everywhere; empty otherwise. */
  reason: string;
  omitted: Omitted[];
  /** Candidates that an experiment refuted. */
  refuted: number;
};

/** What a family has behind it: carried from slice to slice and, as heartbeat details, from attempt to attempt. */
export type FamilyProgress = {
  outcomes: TaskOutcome[];
  requests: number;
  /** Undefined in what earlier versions carry. */
  obstruction?: Obstruction;
  /** What the write gate refused and no check reports. Undefined in data of earlier versions. */
  refused?: Omitted[];
  /** Ids of checks that need more than their part of the budget, and wait for what others leave. */
  cut?: string[];
  /** How those of them ended that have found something, which is recorded: what they are to look at besides cannot take that back. */
  foundBefore?: TaskOutcome[];
};

/** What a heartbeat of a family's activity carries. */
export const progressIn = (details: unknown): FamilyProgress | undefined =>
  typeof details === 'object' && details !== null && 'outcomes' in details && 'requests' in details
    ? (details as FamilyProgress)
    : undefined;

export type FamilyInput = {
  runId: string;
  family: string;
  share: BudgetShare;
  /** After this long the family stops between two checks and answers `done: false`, so that the budget is divided anew. */
  sliceMs?: number;
  before: FamilyProgress;
};

/** @property isCut nothing is left but what waits for more of the budget */
export type FamilyResult = FamilyProgress & { done: boolean; isCut?: boolean };

type SurveyInput = {
  runId: string;
  /** "" is anonymous. */
  identity: string;
  share: BudgetShare;
};

type ObservationInput = SurveyInput;

export type PermissionsInput = { runId: string; share: BudgetShare };

type LoginInput = { runId: string; login: string; share: BudgetShare };

/** An action of a chain with the facts that it starts from. */
export type PlannedStep = { key: string; actionId: string; factIds: string[] };

export type PlanInput = { runId: string; stateRef?: string };

export type PlanResult = {
  steps: PlannedStep[];
  stateRef: string;
  /** Actions among those of the steps that change the target. Undefined in answers of earlier versions. */
  writing?: string[];
  /** What limits have kept from being tried so far. Undefined in answers of earlier versions. */
  omissions?: Omission[];
};

export type ChainStepInput = { runId: string; step: PlannedStep; share: BudgetShare };

export type ChainReportInput = { runId: string; share: BudgetShare };

export type Spent = { requests: number };

/** Names of logins, and what of ScanPlan goes with them. */
export type GainedLogins = Required<Pick<ScanPlan, 'logins' | 'visitors' | 'weights'>>;

/** What an activity had sent when it failed. */
export type SentBefore = { requests: number };

export type RunFailure = { code: string; detail: string };

/** @property part "login:<name>", "permissions", "chains" or "undo" */
export type PartInput = { runId: string; part: string; requests: number; omissions: Omission[] };

export type FinishInput = { runId: string } & (
  | {
      outcome: 'completed' | 'canceled';
      /** The worker itself lost a part of it: nothing is to be paid. */
      isFree?: true;
    }
  | { outcome: 'failed'; failure: RunFailure }
);

/** Short calls to core, on the workflows' own queue. */
export type ControlActivities = {
  beginRun(input: { runId: string }): Promise<ScanPlan>;
  reportProgress(input: { runId: string; phase: Phase; progress: number }): Promise<void>;
  /** A family that could not be run to its end: its remaining checks are reported as not run. */
  recordLostFamily(input: { runId: string; family: string; before: FamilyProgress; lost: Omission }): Promise<void>;
  /** How a part of the scan that is no family of checks ended, in place of what was said of it before. */
  recordPart(input: PartInput): Promise<void>;
  finishRun(input: FinishInput): Promise<void>;
};

/** Looks for proofs that a domain is an org's. */
export type OwnershipActivities = {
  /** Looks, and reports to core what was seen. */
  lookForProof(input: { checkId: string }): Promise<void>;
  /** The same for a scan, which fails without the proof. */
  proveOwnership(input: { checkId: string }): Promise<void>;
};

/** What the daily look is made of: short calls to core. */
export type OwnershipPlan = { listDueChecks(input: { limit: number }): Promise<string[]> };

/** Everything that sends traffic to the audited host. */
export type AuditActivities = {
  survey(input: SurveyInput): Promise<Spent>;
  /** Sends each unknown form that a visitor saw once, and keeps what that did. */
  observeForms(input: ObservationInput): Promise<Spent>;
  runFamily(input: FamilyInput): Promise<FamilyResult>;
  /** Finds accounts where the org has given none. */
  gainLogins(input: { runId: string; share: BudgetShare }): Promise<Spent & GainedLogins>;
  /** Logs in and proves it; an identity that cannot be proven goes to coverage and is left out. */
  proveLogin(input: LoginInput): Promise<Spent & { proven: boolean }>;
  /** Asks for what one visitor saw as all others, for the permission matrix of the report. */
  mapPermissions(input: PermissionsInput): Promise<Spent>;
  planNext(input: PlanInput): Promise<PlanResult>;
  runChainStep(input: ChainStepInput): Promise<Spent & { omissions?: Omission[] }>;
  /** What was left out is missing in answers of earlier versions. */
  reportChains(input: ChainReportInput): Promise<Spent & { omissions?: Omission[] }>;
  /**
   * Proves what was called at the listener after its check had ended.
   * @param input `isLast` waits for what was sent just before as well; `part` is the name under which the coverage has it
   */
  creditLateCallbacks(input: { runId: string; share: BudgetShare; part: string; isLast: boolean }): Promise<Spent>;
  undoWrites(input: { runId: string; share: BudgetShare }): Promise<Spent>;
};

/** How much of what an activity asked was answered by something before the site. */
export type Obstruction = {
  /** Answers of a firewall, or of a limit on requests. */
  blocked: number;
  /** By whom: "Cloudflare", "a limit on requests", … */
  by: string[];
  /** Why requests were sent more slowly, the last reason. */
  slowed?: string | undefined;
};
