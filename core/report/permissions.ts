import { type Html, html } from '../../kit/html.ts';
import {
  type AddressPermissions,
  type Permission,
  PermissionOutcome,
  type Permissions,
  type Visitor,
} from '../../proto/gen/scanaudit/v1/runs_pb.ts';
import { ByteBudget, fitting, shares } from './budget.ts';
import type { Grouped, ReportGroup } from './groups.ts';
import { permissionCell, withoutOrigin } from './permission-cell.ts';
import { matrixTable, section, table } from './section.ts';
import { clip, count } from './text.ts';

/** The finding that shows what is wrong with an address, by the address. */
type Marks = ReadonlyMap<string, { anchor: string; number: string }>;

/** Which visitor was shown what: the permission matrix of a deep audit. */
export function permissionsSection(
  permissions: Permissions | undefined,
  grouped: Grouped,
  targetUrl: string,
): Html | undefined {
  if (!permissions || permissions.addresses.length === 0) return undefined;
  const budget = new ByteBudget(shares.permissionsBytes);
  const view: PermissionsView = {
    permissions,
    marks: marksOf(grouped),
    origin: URL.parse(targetUrl)?.origin ?? '',
    budget,
  };
  const alike = permissions.addresses.filter(isAlike);
  const { leftOut } = permissions;
  return section({
    id: 'permissions',
    title: 'Who is shown what',
    lead: 'What one visitor was shown was asked for as all the others, by reading only: nothing was submitted. The table says what was answered, not what ought to be.',
    body: html`${matrix(view)}${words()}${alike.length > 0 && sameForAll(view, alike)}
${leftOut > 0 && html`<p class="note cut">${count(leftOut, 'further address', 'further addresses')} ${leftOut === 1 ? 'was' : 'were'} seen and not asked for as the others.</p>`}`,
  });
}

type PermissionsView = { permissions: Permissions; marks: Marks; origin: string; budget: ByteBudget };

/** Findings about access, with the numbers that they have in the report. */
function marksOf({ weaknesses, setAside }: Grouped): Marks {
  const numbered = (groups: readonly ReportGroup[], letter: string) =>
    groups.flatMap(({ anchor, findings }, index) =>
      findings
        .filter(({ category }) => category === 'access')
        .flatMap(({ locations }) =>
          locations.map(({ url }) => [url, { anchor, number: `${letter}${index + 1}` }] as const),
        ),
    );
  return new Map([...numbered(setAside, 'A'), ...numbered(weaknesses, 'F')]);
}

/** The same answer for everybody, and nothing more for one than for another. */
function isSame({ permissions: [first, ...others] }: AddressPermissions): boolean {
  if (!first || first.outcome === PermissionOutcome.NOT_TRIED) return false;
  return others.every(
    ({ outcome, status, private: isPrivate }) => outcome === first.outcome && status === first.status && !isPrivate,
  );
}

/** And public pages lead there: a row that says nothing. */
const isAlike = (address: AddressPermissions): boolean => isSame(address) && address.linkedFor.includes('');

/** Content that the site leads others to, shown to somebody whose role does not explain it. */
const isBeyond = (visitor: Visitor | undefined, { linkedFor }: AddressPermissions, { sameAs }: Permission): boolean =>
  visitor !== undefined && sameAs !== '' && !visitor.administrator && !linkedFor.includes(visitor.name);

function matrix(view: PermissionsView): Html {
  const { visitors } = view.permissions;
  const grouped = rowGroups(view.permissions).map(({ heading, addresses }) => ({
    heading,
    ...fitting(addresses.toSorted(byRoute), view.budget, (address) => addressRow(view, address)),
  }));
  if (grouped.length === 0) return html`<p>Every address gave the same to every visitor.</p>`;
  const left = grouped.reduce((sum, group) => sum + group.left, 0);
  return html`${matrixTable({
    caption: 'What each visitor was shown',
    columns: ['Address', ...visitors.map(columnName)],
    groups: grouped.map(({ heading, shown }) => ({ heading, rows: shown })),
  })}${left > 0 && html`<p class="note cut">${count(left, 'further row')} not shown here, to keep this file small.</p>`}`;
}

/** What a reader looks for first. */
function rowGroups({ visitors, addresses }: Permissions): { heading: string; addresses: AddressPermissions[] }[] {
  const groups = Map.groupBy(
    addresses.filter((address) => !isAlike(address)),
    (address) => {
      const { permissions } = address;
      if (permissions.some((permission, column) => isBeyond(visitors[column], address, permission))) return 'beyond';
      if (permissions.every(({ outcome }) => outcome === PermissionOutcome.NOT_TRIED)) return 'untried';
      return isSame(address) ? 'same' : 'different';
    },
  );
  const headings = {
    beyond: 'What belongs to others is shown',
    different: 'Not the same for everybody',
    same: 'The same for everybody, though not linked for everybody',
    untried: 'Not tried',
  } as const;
  return (['beyond', 'different', 'same', 'untried'] as const).flatMap((kind) => {
    const members = groups.get(kind);
    return members ? [{ heading: headings[kind], addresses: members }] : [];
  });
}

const byRoute = (a: AddressPermissions, b: AddressPermissions) => (a.route < b.route ? -1 : a.route > b.route ? 1 : 0);

const columnName = ({ name, role }: Visitor): string =>
  name === '' ? 'No login' : role === '' || role === name ? clip(name, 60) : `${clip(name, 60)} (${clip(role, 60)})`;

function addressRow({ permissions: { visitors }, marks, origin }: PermissionsView, address: AddressPermissions): Html {
  return html`<tr><th scope="row">${addressName(address, origin)}<span class="asked">${linkedText(address.linkedFor)}</span></th>${address.permissions
    .slice(0, visitors.length)
    .map((permission, column) => {
      const visitor = visitors[column];
      const beyond = isBeyond(visitor, address, permission) ? { finding: marks.get(address.url) } : undefined;
      return permissionCell(permission, { isLinked: address.linkedFor.includes(visitor?.name ?? ''), beyond, origin });
    })}</tr>`;
}

function addressName({ url, route }: AddressPermissions, origin: string): Html {
  const path = withoutOrigin(url, origin);
  return html`<code>${clip(route, 300)}</code>${path !== route && html`<span class="asked">asked for <code>${clip(path, 300)}</code></span>`}`;
}

function linkedText(names: readonly string[]): string {
  if (names.length === 0) return 'not linked';
  return names.includes('') ? 'linked for everybody' : `linked for ${clip(names.join(', '), 300)}`;
}

function words(): Html {
  return html`<p class="note"><strong>Private</strong>: shown, and a visitor without a login is not. <strong>Withheld</strong>: answered with a success, without what others are shown there. <strong>Same as</strong> a visitor: what that one is shown. <strong>Linked for</strong>: whose pages lead there. A number in the table leads to the finding of an experiment.</p>`;
}

function sameForAll({ budget, origin }: PermissionsView, alike: readonly AddressPermissions[]): Html {
  const { shown, left } = fitting(alike.toSorted(byRoute), budget, (address) => {
    const [permission] = address.permissions;
    return html`<tr><th scope="row">${addressName(address, origin)}</th>${permission && permissionCell(permission, { isLinked: true, origin })}</tr>`;
  });
  return html`<details class="evidence"><summary>The same for everybody (${alike.length})</summary><div class="evidence-body">${table(
    { caption: 'Addresses that gave the same to every visitor', columns: ['Address', 'Everybody'], rows: shown },
  )}${left > 0 && html`<p class="note cut">${count(left, 'further address', 'further addresses')} not shown here, to keep this file small.</p>`}</div></details>`;
}
