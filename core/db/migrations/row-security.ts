/**
 * Statements that put a table under row level security, for its owner too: an org sees and writes its own rows only.
 * Part of applied migrations, so it never changes.
 */
export const tenantTable = (table: string, orgColumn = 'org_id'): string[] => [
  `alter table ${table} enable row level security`,
  `alter table ${table} force row level security`,
  `create policy tenant on ${table} using (${orgColumn} = current_org()) with check (${orgColumn} = current_org())`,
];

/** A policy that opens a table to one of the system paths (core/db/session.ts) for one kind of statement. */
export const systemPath = (table: string, path: string, command: 'select' | 'update' | 'all'): string => {
  const isPath = `current_setting('app.path', true) = '${path}'`;
  const check = command === 'select' ? '' : ` with check (${isPath})`;
  return `create policy ${path}_${command} on ${table} for ${command} using (${isPath})${check}`;
};
