import type { MessageInitShape } from '@bufbuild/protobuf';
import { PermissionOutcome, type PermissionsSchema } from '../../proto/gen/scanaudit/v1/runs_pb.ts';
import { pathOf } from './addresses.ts';
import { type Answered, isSuccess, type MatrixRow, type MatrixVisitor } from './answer.ts';
import { type Contents, contentsOf } from './contents.ts';

export type PermissionsInit = Omit<MessageInitShape<typeof PermissionsSchema>, '$typeName'>;
type Permission = { outcome: PermissionOutcome; status: number; private: boolean; sameAs: string; detail: string };

/**
 * The permission matrix: for each address and visitor what the answer was, and whether it was more than a visitor without a
 * login is shown there. It says what was seen, and nothing of what ought to be.
 * @param visitors the one without a login first
 * @param loginPaths paths of the pages to log in
 */
export function matrixOf(
  visitors: readonly MatrixVisitor[],
  rows: readonly MatrixRow[],
  loginPaths: ReadonlySet<string>,
  leftOut: number,
): PermissionsInit {
  const names = visitors.map(({ name }) => name);
  const contents = contentsOf(names, rows);
  return {
    visitors: [...visitors],
    leftOut,
    addresses: rows.map((row) => {
      const { url, route, linkedFor } = row.address;
      const compared = contents(row);
      const permissions = names.map((_, column) => permissionOf(names, row, column, loginPaths, compared));
      return { url, route, linkedFor, permissions };
    }),
  };
}

function permissionOf(
  names: readonly string[],
  { address, answers }: MatrixRow,
  column: number,
  loginPaths: ReadonlySet<string>,
  contents: Contents,
): Permission {
  const answer = answers[column] ?? { untried: 'it was not asked for' };
  const nothing = { private: false, sameAs: '', detail: '' };
  if ('untried' in answer)
    return { ...nothing, outcome: PermissionOutcome.NOT_TRIED, status: 0, detail: answer.untried };
  const { status } = answer;
  if (!isSuccess(answer)) return { ...nothing, status, ...refusalOf(answer, loginPaths) };
  if (contents.isWithheld(column)) {
    const isLogin = answer.hasLoginForm && !loginPaths.has(pathOf(address.url));
    return { ...nothing, status, outcome: isLogin ? PermissionOutcome.LOGIN : PermissionOutcome.WITHHELD };
  }
  return {
    outcome: PermissionOutcome.SHOWN,
    status,
    private: contents.isPrivate(column),
    sameAs: contents.isPrivate(column) ? (names[contents.sameAs(column) ?? -1] ?? '') : '',
    detail: '',
  };
}

function refusalOf(
  { status, location }: Answered,
  loginPaths: ReadonlySet<string>,
): { outcome: PermissionOutcome; detail?: string } {
  if (status === 401 || status === 403) return { outcome: PermissionOutcome.REFUSED };
  if (status === 404 || status === 410) return { outcome: PermissionOutcome.NOT_FOUND };
  if (status < 300 || status > 399 || location === undefined) return { outcome: PermissionOutcome.OTHER };
  const isLogin = loginPaths.has(pathOf(location)) || isSignOnRequest(location);
  return { outcome: isLogin ? PermissionOutcome.LOGIN : PermissionOutcome.REDIRECTED, detail: location };
}

/** A request to another site's log-in. Source: OAuth 2.0, RFC 6749 §4.1.1; SAML 2.0 bindings §3.4. */
function isSignOnRequest(location: string): boolean {
  const { searchParams } = new URL(location);
  return searchParams.has('SAMLRequest') || (searchParams.has('client_id') && searchParams.has('response_type'));
}
