import { create } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { DomainSchema, DomainService } from '../../proto/gen/scanaudit/v1/domains_pb.ts';
import {
  IssueKeyResponseSchema,
  type Key,
  KeySchema,
  KeyService,
  type ListKeysResponse,
  ListKeysResponseSchema,
} from '../../proto/gen/scanaudit/v1/keys_pb.ts';
import { KeyKind } from '../../proto/gen/scanaudit/v1/options_pb.ts';
import { ask } from './core.ts';
import type { Admin } from './orgs.ts';
import { type OutputOptions, print, printTable, timeText } from './output.ts';

export const keyKinds = {
  org: KeyKind.ORG,
  service: KeyKind.SERVICE,
  worker: KeyKind.WORKER,
  operator: KeyKind.OPERATOR,
  listener: KeyKind.LISTENER,
};

export type IssueOptions = OutputOptions & {
  kind: keyof typeof keyKinds;
  org?: string;
  name: string;
  scope?: string[];
  expires?: Date;
};

/** The secret alone goes to standard output, so that a script can take it. */
export async function issueKey({ core, out, err }: Admin & { err: Admin['out'] }, options: IssueOptions) {
  const { kind, org = '', name, scope = [], expires } = options;
  const expiresAt = expires && { expiresAt: timestampFromDate(expires) };
  const wanted = { kind: keyKinds[kind], orgId: org, name, scopes: scope, ...expiresAt };
  const issued = await ask(core(KeyService).issueKey(wanted));
  print(out, options, [IssueKeyResponseSchema, issued], () => {
    err.line(`Issued the ${kind} key ${issued.key?.keyId ?? ''}. This is the only time that it is shown:`);
    out.line(issued.secret);
  });
}

export async function listKeys({ core, out }: Admin, options: OutputOptions & { org?: string }) {
  const items: Key[] = [];
  for (let cursor: string | undefined = ''; cursor !== undefined; ) {
    const page: ListKeysResponse = await ask(
      core(KeyService).listKeys({ orgId: options.org ?? '', limit: 100, cursor }),
    );
    items.push(...page.items);
    cursor = page.nextCursor;
  }
  print(out, options, [ListKeysResponseSchema, create(ListKeysResponseSchema, { items })], () =>
    printTable(
      out,
      ['KEY', 'KIND', 'NAME', 'STATE', 'LAST USED (UTC)', 'EXPIRES (UTC)', 'SCOPES'],
      items.map((key) => [
        key.keyId,
        kindText(key.kind),
        key.name,
        stateText(key),
        timeText(key.lastUsedAt),
        timeText(key.expiresAt),
        key.scopes.join(' '),
      ]),
      'There are no such keys.',
    ),
  );
}

export async function revokeKey({ core, out }: Admin, keyId: string, options: OutputOptions) {
  const key = await ask(core(KeyService).revokeKey({ keyId }));
  print(out, options, [KeySchema, key], () => out.line(`The key ${key.keyId} (${key.name}) is revoked.`));
}

export async function approveDomain(
  { core, out }: Admin,
  orgId: string,
  domain: string,
  options: OutputOptions & { subdomains?: boolean },
) {
  const includeSubdomains = options.subdomains ?? false;
  const approved = await ask(core(DomainService).approveDomain({ orgId, domain, includeSubdomains }));
  print(out, options, [DomainSchema, approved], () =>
    out.line(`The org may scan ${approved.domain}${includeSubdomains ? ' and all below it' : ''}.`),
  );
}

export async function withdrawDomain({ core, out }: Admin, orgId: string, domain: string, options: OutputOptions) {
  const withdrawn = await ask(core(DomainService).withdrawDomain({ orgId, domain }));
  print(out, options, [DomainSchema, withdrawn], () =>
    out.line(`The org may no longer scan ${withdrawn.domain}. Its unfinished scans are canceled.`),
  );
}

const kindText = (kind: KeyKind): string =>
  Object.entries(keyKinds).find(([, number]) => number === kind)?.[0] ?? 'unknown';

function stateText({ revokedAt, expiresAt }: Key): string {
  if (revokedAt) return 'revoked';
  return expiresAt && Number(expiresAt.seconds) * 1_000 < Date.now() ? 'expired' : 'live';
}
