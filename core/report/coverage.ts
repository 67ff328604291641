import { type Html, html } from '../../kit/html.ts';
import type { Omission } from '../../proto/gen/scanaudit/v1/coverage_pb.ts';
import {
  type CheckOutcome,
  type FamilyCoverage,
  FamilyStatus,
  OutcomeKind,
  type Scan,
} from '../../proto/gen/scanaudit/v1/scans_pb.ts';
import { isGap, omissionsText } from '../coverage/omissions.ts';
import { ByteBudget, fitting, shares } from './budget.ts';
import { section, table } from './section.ts';
import { clip, count } from './text.ts';
import { isComplete } from './verdict.ts';

/** What was looked at, what was not, and why. */
export function coverageSection(scan: Scan): Html {
  const budget = new ByteBudget(shares.coverageBytes);
  const families = scan.coverage?.families ?? [];
  return section({
    id: 'coverage',
    title: 'Coverage',
    lead: isComplete(scan)
      ? 'What this depth promises was looked at, or does not apply to this host.'
      : 'Not everything of this depth was looked at. What could not be tested comes first.',
    body: html`${notTested(scan.coverage?.gaps ?? [], isComplete(scan), budget)}${limitsTable(scan.coverage?.limits ?? [], budget)}${familyTables(families, budget)}${everyCheck(families, budget)}`,
  });
}

function notTested(gaps: readonly Omission[], complete: boolean, budget: ByteBudget): Html {
  if (gaps.length === 0)
    return complete
      ? html`<p>Nothing that this depth promises was left out.</p>`
      : html`<p class="gap">Which parts were left out was not recorded. Take everything that is not listed as done for untested.</p>`;
  return html`<h3>Not tested</h3>${omissionsTable('Not tested', 'gap', gaps, budget)}`;
}

function limitsTable(limits: readonly Omission[], budget: ByteBudget): Html {
  if (limits.length === 0) return html``;
  return html`<h3>Limits of this audit</h3><p>What this depth does not promise: ${clip(omissionsText(limits), 2_000)}.</p>${omissionsTable('Limits of this audit', 'limit', limits, budget)}`;
}

function omissionsTable(caption: string, one: string, omissions: readonly Omission[], budget: ByteBudget): Html {
  const { shown, left } = fitting(
    omissions,
    budget,
    ({ subject, count: number, text }) =>
      html`<tr><th scope="row">${clip(subject, 600)}</th><td class="figure">${number}</td><td>${clip(text, 600)}</td></tr>`,
  );
  return html`${table({ caption, columns: ['Where', 'Number', 'What and why'], rows: shown })}${more(left, one)}`;
}

const statusNames: Record<FamilyStatus, readonly [name: string, className: string]> = {
  [FamilyStatus.DONE]: ['done', 'done'],
  [FamilyStatus.SKIPPED]: ['not run', 'gap'],
  [FamilyStatus.FAILED]: ['ended early', 'gap'],
  [FamilyStatus.RUNNING]: ['running', 'gap'],
  [FamilyStatus.UNSPECIFIED]: ['unknown', 'gap'],
};

/** Parts of an audit that are no families of checks, in the order in which they run; some are there for each visitor. */
const partNames: Record<string, readonly [alone: string, ofVisitor: string]> = {
  survey: ['Survey without a login', 'Survey as'],
  login: ['Log-in', 'Log-in of'],
  permissions: ['Who is shown what', ''],
  chains: ['Attack chains', ''],
  undo: ['Taking changes back', ''],
};
const partOrder = Object.keys(partNames);
const kindOf = ({ id }: FamilyCoverage): string => id.split(':', 1)[0] ?? '';

function partName(part: FamilyCoverage): string {
  const [alone = '', ofVisitor = ''] = partNames[kindOf(part)] ?? [];
  const visitor = part.id.slice(kindOf(part).length + 1);
  return visitor === '' ? alone : `${ofVisitor} ${clip(visitor, 120)}`;
}

function familyTables(all: readonly FamilyCoverage[], budget: ByteBudget): Html {
  if (all.length === 0) return html`<p class="gap">No family of checks has reported.</p>`;
  const isPart = (family: FamilyCoverage) => Object.hasOwn(partNames, kindOf(family));
  const parts = all.filter(isPart).toSorted((a, b) => partOrder.indexOf(kindOf(a)) - partOrder.indexOf(kindOf(b)));
  const families = all.filter((family) => !isPart(family)).toSorted((a, b) => Number(isDeep(a)) - Number(isDeep(b)));
  return html`${families.length > 0 && familyTable(families, budget)}${parts.length > 0 && partTable(parts, budget)}`;
}

const isDeep = ({ id }: FamilyCoverage): boolean => id.startsWith('deep/');

function familyTable(families: readonly FamilyCoverage[], budget: ByteBudget): Html {
  const { shown, left } = fitting(
    families,
    budget,
    (family) => html`<tr><th scope="row">${clip(family.id, 120)}</th><td>${statusText(family)}</td>
<td class="figure">${family.checks}</td><td class="figure">${family.requests}</td><td>${clip(family.reason, 400)}</td></tr>`,
  );
  return html`<h3>Families of checks</h3>${table({
    caption: 'Families of checks',
    columns: ['Family', 'Status', 'Checks', 'Requests', 'Remark'],
    rows: shown,
  })}${more(left, 'family', 'families')}`;
}

function partTable(parts: readonly FamilyCoverage[], budget: ByteBudget): Html {
  const { shown, left } = fitting(
    parts,
    budget,
    (part) => html`<tr><th scope="row">${partName(part)}</th><td>${statusText(part)}</td>
<td class="figure">${part.requests}</td><td>${clip(part.reason, 400)}</td></tr>`,
  );
  return html`<h3>Other parts of the audit</h3>${table({
    caption: 'Other parts of the audit',
    columns: ['Part', 'Status', 'Requests', 'Remark'],
    rows: shown,
  })}${more(left, 'part')}`;
}

function statusText({ status }: FamilyCoverage): Html {
  const [name, className] = statusNames[status] ?? statusNames[FamilyStatus.UNSPECIFIED];
  return html`<span class="status ${className}">${name}</span>`;
}

const outcomeNames: Record<OutcomeKind, string> = {
  [OutcomeKind.FOUND]: 'found',
  [OutcomeKind.CLEAN]: 'looked, nothing there',
  [OutcomeKind.NOT_APPLICABLE]: 'does not apply',
  [OutcomeKind.NOT_RUN]: 'could not look',
  [OutcomeKind.UNSPECIFIED]: 'unknown',
};

function everyCheck(families: readonly FamilyCoverage[], budget: ByteBudget): Html {
  const outcomes = families.flatMap((family) => family.outcomes);
  if (outcomes.length === 0) return html``;
  const { shown, left } = fitting(outcomes, budget, outcomeRow);
  return html`<details class="evidence"><summary>Each check and how it ended (${outcomes.length})</summary><div class="evidence-body">${table(
    {
      caption: 'Checks and their outcomes',
      columns: ['Check', 'Outcome', 'Refuted', 'Remark'],
      rows: shown,
    },
  )}${more(left, 'check')}<p class="note">Refuted: places that looked weak and that an experiment showed not to be.</p></div></details>`;
}

const outcomeRow = ({ checkId, outcome, reason, refuted, code }: CheckOutcome): Html =>
  html`<tr><th scope="row">${clip(checkId, 160)}</th><td>${
    outcome === OutcomeKind.NOT_RUN && isGap(code)
      ? html`<span class="status gap">${outcomeNames[outcome]}</span>`
      : (outcomeNames[outcome] ?? 'unknown')
  }</td><td class="figure">${refuted > 0 && refuted}</td><td>${clip(reason, 400)}</td></tr>`;

const more = (left: number, one: string, many?: string): Html =>
  html`${left > 0 && html`<p class="note cut">${count(left, `further ${one}`, many && `further ${many}`)} not shown here; the API has ${left === 1 ? 'it' : 'them'}.</p>`}`;
