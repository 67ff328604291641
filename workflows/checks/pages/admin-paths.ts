/** Paths that programs of many kinds keep for those who administrate. */
export const commonAdminPaths = [
  '/admin',
  '/admin/',
  '/admin/users',
  '/admin/dashboard',
  '/api/admin',
  '/api/admin/users',
  '/api/users',
  '/api/v1/admin/users',
  '/api/v1/users',
  '/administrator',
  '/backoffice',
  '/manage',
  '/management',
  '/dashboard/admin',
  '/staff',
  '/internal',
  '/users',
];

const adminWord =
  /(?:^|[/_-])(?:admin\w*|back-?office|manage(?:ment|r)?|staff|internal|superuser|moderat\w+|users|audit|reports?)(?:$|[/_-])/i;

/** Routes in source code that look as if they were for administrators: quoted paths without parameters. */
export function adminPathsIn(source: string): string[] {
  const quoted = source.matchAll(/["'`](\/[\w/-]{2,80})["'`]/g);
  return [...new Set([...quoted].flatMap(([, path]) => path ?? []))].filter(isAdminPath);
}

/** Actions are never asked for, whoever asks. */
export const isAdminPath = (path: string): boolean =>
  adminWord.test(path) &&
  !/delete|remove|reset|logout|signout|drop|purge|restart|shutdown|send|import|export/i.test(path);

const administration =
  /(?:^|[/_-])(?:admin(?:istrat(?:ion|or)s?|s|area|panel|console)?|back-?office|super-?user|staff-?(?:area|only)|moderat(?:ion|ors?)|wp-admin)(?:$|[/_-])|(?:^|\/)(?:staff|internal|management)(?:$|\/)/i;

/** Paths that by their name are for those who administrate, and for nobody else; "/users" may be a page for members. */
export const isAdministration = (path: string): boolean => administration.test(path) && isAdminPath(path);
