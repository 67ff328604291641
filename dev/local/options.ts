import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import { type LocalLogin, readLogin } from './login.ts';
import { resolved, UsageError } from './usage.ts';

export const localUsage = `Usage: npx scan-audit local <url> [options]     (or: npm start -- <url> [options])

Audits an application that runs on this machine, in depth: starts the service when it is not running, and ends it again.

  --standard          no logins and no chains; deep is the default here
  --login <recipe>    log in as a test identity; may be given several times, for instance
                        --login 'form url=/login username=alice password=secret check=/account'
                        --login 'json url=/api/login username=bob password=secret check=/api/me'   (field=email: what the body calls the user)
                        --login 'bearer token=eyJ… check=/api/me'    --login 'cookie value="sid=1" check=/account'
                        --login 'basic username=alice password=secret check=/'
                      and with it: name=… role=admin marker="Signed in as"
  --openapi <file>    an OpenAPI, Postman or WSDL document of the application; may be given several times
  --har <file>        what a browser has recorded; may be given several times
  --start <url>       a further URL to start from; may be given several times
  --exclude <path>    a path that is never requested; may be given several times
  --writes <what>     none, reversible (default) or create: see "Writes" in docs/guide.md. create is for a copy that may be thrown away
  --threshold <s>     this severity and worse fails (default: high)
  --html <file>       the report; with --sarif, --junit and --json likewise
  --help

Exit codes: 0 pass, 2 fail, 1 no verdict.`;

export type LocalOptions = {
  url: URL;
  isDeep: boolean;
  logins: LocalLogin[];
  documents: { name: string; content: string }[];
  startUrls: string[];
  excludedPaths: string[];
  writes: 'none' | 'reversible' | 'create';
  /** Options that "gate" takes as they are. */
  gate: string[];
};

const several = { type: 'string', multiple: true } as const;
const one = { type: 'string' } as const;
const passedOn = ['threshold', 'html', 'sarif', 'junit', 'json'] as const;

/** @throws UsageError */
export async function readLocalOptions(args: readonly string[]): Promise<LocalOptions | 'help'> {
  const { values, positionals } = parse(args);
  if (values.help) return 'help';
  const [given, ...rest] = positionals;
  if (given === undefined || rest.length > 0)
    throw new UsageError('Name one URL, for instance http://localhost:3000/.');
  const url = readUrl(given);
  const writes = values.writes ?? 'reversible';
  if (writes !== 'none' && writes !== 'reversible' && writes !== 'create')
    throw new UsageError('--writes is none, reversible or create.');
  if (values.standard && values.login) throw new UsageError('--login is for deep audits: leave --standard out.');
  const logins = (values.login ?? []).map((text) => readLogin(text, url));
  const files = [...(values.openapi ?? []), ...(values.har ?? [])];
  return {
    url,
    isDeep: !values.standard,
    logins: named(logins),
    documents: await Promise.all(files.map(readDocument)),
    startUrls: (values.start ?? []).map((text) => resolved(text, url)),
    excludedPaths: values.exclude ?? [],
    writes,
    gate: passedOn.flatMap((name) => (values[name] === undefined ? [] : [`--${name}`, values[name]])),
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        ...{ standard: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
        ...{ login: several, openapi: several, har: several, start: several, exclude: several },
        ...{ writes: one, threshold: one, html: one, sarif: one, junit: one, json: one },
      },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function readUrl(text: string): URL {
  const url = URL.parse(/^[a-z]+:\/\//i.test(text) ? text : `http://${text}`);
  if (!url || !/^https?:$/.test(url.protocol)) throw new UsageError(`"${text}" is no http or https URL.`);
  return url;
}

async function readDocument(file: string): Promise<{ name: string; content: string }> {
  const content = await readFile(file, 'utf8').catch((error: Error) => {
    throw new UsageError(`${file} cannot be read: ${error.message}`);
  });
  return {
    name: basename(file)
      .replace(/[^\w.-]/g, '_')
      .slice(0, 64),
    content,
  };
}

/** Names in the order in which the audit uses them: "a" and "b", and "admin" for who administers. */
function named(logins: readonly LocalLogin[]): LocalLogin[] {
  const free = 'abcdefghijklmnopqrstuvwxyz'.split('').filter((letter) => !logins.some(({ name }) => name === letter));
  return logins.map((login) => ({
    ...login,
    name:
      login.name ||
      (login.recipe.role === 'admin' && !logins.some(({ name }) => name === 'admin') ? 'admin' : (free.shift() ?? '')),
  }));
}
