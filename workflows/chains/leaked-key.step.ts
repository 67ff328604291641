import type { CheckContext } from '../checks/contract.ts';
import { defineChainStep } from '../checks/contract.ts';
import { type KeyWay, keyChange, type LeakedKey, leakedKeys, singleWays } from '../checks/decisions/leaked-keys.ts';
import { type OpenedPage, openedBy, openedExperiment } from '../checks/decisions/opened-page.ts';
import { isRefusing, refusedPages } from '../checks/decisions/refused-page.ts';
import { likeliest } from '../checks/inputs/at-most.ts';
import { inParallel } from '../checks/inputs/parallel.ts';
import type { Candidate } from '../model/candidate.ts';
import { claim, type Experiment } from '../model/experiment.ts';
import type { Exchange } from '../model/http.ts';
import { isLeftOut } from '../probe/errors.ts';

type OpenedByKey = { key: Pick<LeakedKey, 'url' | 'file' | 'subject' | 'pattern'>; way: KeyWay; opened: OpenedPage };

const maxPages = 6;
/** Addresses in files with keys, which are asked for to see whether they are refused. */
const maxAddresses = 8;

/** A file that the site gives away has a key that opens what is refused without it. Source: CWE-522, CWE-538. */
export const leakedKey = defineChainStep<OpenedByKey>({
  id: 'chains.leaked-key',
  title: 'Protected page opened with a key from an exposed file',
  cwe: 522,
  owasp: 'A07:2025',
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N',
  risk: 'safe',
  needs: [{ kind: 'exposed-text' }],
  goal: 'read(protected page)',
  cost: 20,

  async detect(context, [file]) {
    const keys = file ? await leakedKeys(context, [file]) : [];
    if (keys.length === 0) return [];
    const pages = await pagesFor(context, keys);
    const first = await context.http.get(context.surface.url, { maxRedirects: 3 });
    for (const key of keys)
      for (const page of pages) {
        const found = await openedAt(context, page, key, [first, page]);
        if (found) return [found];
      }
    return [];
  },

  confirm: (_context, { data }) => data && experimentFor(data),

  explain: {
    description:
      'A file that everybody can read has a key of the application’s own interface, and a page that is refused without it is shown to whoever sends it.',
    impact:
      'Everybody has the rights of the program that the key was made for, which is most often trusted with the data of all users, and leaves no trace of a login.',
    sends:
      'Reads the exposed file again, and asks for up to 6 refused pages with up to 4 keys that stand there for the site itself: in the header or parameter that the file names, or in usual ones. Keys of other services are sent to nobody.',
    proves:
      'The key as it stands in the file opens a page that is refused without it and with a random one, twice. An attacker reads the page.',
    remedy:
      'Make a new key, take the file out of what is served, and look in the logs for who used the old one. Keep keys in the environment or in a vault, one for each client, with no more rights than it needs, and give them an end. Let the build or the server refuse files of settings, copies and logs (nginx `location ~ /\\.|\\.(bak|log|old)$ { return 404; }`).',
    references: [
      'CWE-522: https://cwe.mitre.org/data/definitions/522.html',
      'CWE-538: https://cwe.mitre.org/data/definitions/538.html',
      'OWASP Secrets Management Cheat Sheet: https://cheatsheetseries.owasp.org/cheatsheets/Secrets_Management_Cheat_Sheet.html',
    ],
  },
});

/** Pages that refuse, those that a file with a key names first. */
async function pagesFor(context: CheckContext, keys: readonly LeakedKey[]): Promise<Exchange[]> {
  const named = [...new Set(keys.flatMap(({ addresses }) => addresses))];
  const asked = likeliest(context, named, maxAddresses, 'addresses that a file with a key names');
  const answers = await inParallel(asked, 4, (url) =>
    context.http.get(url).catch((error: unknown) => {
      if (isLeftOut(error)) return undefined;
      throw error;
    }),
  );
  const refused = answers.flatMap((answer) => (answer && isRefusing(answer) ? [answer] : []));
  const all = [...refused, ...(await refusedPages(context))];
  const once = [...new Map(all.map((page) => [page.request.url, page])).values()];
  return likeliest(context, once, maxPages, 'refused pages');
}

async function openedAt(
  context: CheckContext,
  { request: { url } }: Exchange,
  { value, ways, file, pattern, subject, url: fileUrl }: LeakedKey,
  elsewhere: readonly Exchange[],
): Promise<Candidate<OpenedByKey> | undefined> {
  const opens = async (way: KeyWay) => {
    const opened = await openedBy(context, keyChange(url, way, value), { elsewhere });
    return opened && { way, opened: { ...opened, change: keyChange(url, way, '‹key›') } };
  };
  for (const way of ways) {
    const together = await opens(way);
    if (!together) continue;
    const found = (await firstOf(singleWays(way), opens)) ?? together;
    const [header] = found.way.headers ?? [];
    const name = header ?? found.way.parameters?.[0] ?? '';
    return {
      location: { url, method: 'GET', parameter: name, parameterIn: header === undefined ? 'query' : 'header' },
      detail: `It was shown to a request with a key that stands in "${file}".`,
      data: { key: { url: fileUrl, file, pattern, subject }, ...found },
    };
  }
  return undefined;
}

async function firstOf<T, R>(items: readonly T[], look: (item: T) => Promise<R | undefined>): Promise<R | undefined> {
  for (const item of items) {
    const found = await look(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The page is asked for with what the trial itself has read. */
function experimentFor({ key, opened }: OpenedByKey): Experiment {
  const opening = openedExperiment(opened, 'With a random key it is refused.');
  return {
    ...opening,
    steps: [
      {
        http: { url: key.url },
        note: `Everybody can read "${key.file}", which has the key.`,
        expect: [claim('status', 'equals', '200'), claim(key.subject, 'matches', key.pattern, 'a key')],
        capture: [{ name: 'key', subject: key.subject, pattern: key.pattern, secret: true }],
      },
      ...opening.steps,
    ],
  };
}
