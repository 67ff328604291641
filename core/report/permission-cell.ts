import { type Html, html } from '../../kit/html.ts';
import { type Permission, PermissionOutcome } from '../../proto/gen/scanaudit/v1/runs_pb.ts';
import { clip } from './text.ts';

type CellSurroundings = {
  /** The visitor’s own pages lead there. */
  isLinked: boolean;
  /** The content is that of somebody else; with the finding that says so, if there is one. */
  beyond?: { finding: { anchor: string; number: string } | undefined } | undefined;
  /** Of the audited host: left out of redirects. */
  origin: string;
};

/** A cell of the permission matrix: a word for what was answered, and what there is to say of it. */
export function permissionCell(permission: Permission, surroundings: CellSurroundings): Html {
  const { beyond } = surroundings;
  const [word, className] = wordOf(permission, beyond !== undefined);
  return html`<td class="answer ${className}"><strong>${word}</strong>${
    beyond?.finding && html` <a href="#${beyond.finding.anchor}">${beyond.finding.number}</a>`
  }<span class="asked">${remark(permission, surroundings)}</span></td>`;
}

function wordOf({ outcome, status, private: isPrivate }: Permission, isBeyond: boolean): [string, string] {
  switch (outcome) {
    case PermissionOutcome.SHOWN:
      return isBeyond ? ['Shown', 'beyond'] : isPrivate ? ['Private', 'private'] : ['Shown', 'open'];
    case PermissionOutcome.WITHHELD:
      return ['Withheld', 'shut'];
    case PermissionOutcome.REFUSED:
      return ['Refused', 'shut'];
    case PermissionOutcome.LOGIN:
      return ['Log in', 'shut'];
    case PermissionOutcome.REDIRECTED:
      return ['Redirected', 'shut'];
    case PermissionOutcome.NOT_FOUND:
      return ['Not found', 'shut'];
    case PermissionOutcome.OTHER:
      return [`Status ${status}`, 'shut'];
    default:
      return ['Not tried', 'untried'];
  }
}

function remark({ outcome, status, sameAs, detail }: Permission, { isLinked, origin }: CellSurroundings): string {
  switch (outcome) {
    case PermissionOutcome.SHOWN:
      return [sameAs !== '' && `same as ${clip(sameAs, 60)}`, !isLinked && 'not linked'].filter(Boolean).join(', ');
    case PermissionOutcome.LOGIN:
      return detail === ''
        ? String(status)
        : `${status} to ${clip(withoutOrigin(detail.replace(/\?.*$/s, ''), origin), 160)}`;
    case PermissionOutcome.REDIRECTED:
      return detail === '' ? String(status) : `${status} to ${clip(withoutOrigin(detail, origin), 160)}`;
    case PermissionOutcome.OTHER:
      return '';
    case PermissionOutcome.WITHHELD:
    case PermissionOutcome.REFUSED:
    case PermissionOutcome.NOT_FOUND:
      return String(status);
    default:
      return clip(detail, 300);
  }
}

/** An address of the audited host as its path, any other as it is. */
export const withoutOrigin = (url: string, origin: string): string =>
  origin !== '' && url.startsWith(`${origin}/`) ? url.slice(origin.length) : url;
