import { createHash } from 'node:crypto';
import type { Exchange, HttpRequest } from '../../model/http.ts';
import { ProbeError } from '../../model/probe-error.ts';
import type { Obstruction } from '../../model/tasks.ts';
import { type BlockAnswer, blockPageOf } from './block-page.ts';

export type BlockWatch = {
  /**
   * Looks at an answer before anybody takes it for one of the site.
   * @param request that was answered
   * @param askAgain sends a request that worked before
   * @throws ProbeError `blocked` when something else answered
   */
  pass(
    exchange: Exchange,
    request: HttpRequest,
    isHarmless: boolean,
    askAgain: (request: HttpRequest) => Promise<Exchange>,
  ): Promise<void>;
  /**
   * Looks at the document of a page as the browser shows it: those whose block page is known, and limits.
   * @throws ProbeError `blocked` when something else answered
   */
  passPage(page: BlockAnswer & { url: string }): void;
  /**
   * Looks at what the browser was answered while somebody logged in. A limit on logins is the site's own, and says so itself.
   * @throws ProbeError `blocked` when something else answered
   */
  passLogin(answer: BlockAnswer & { url: string }): void;
  blocked(): number;
  by(): string[];
};

/** The same refusal this often in a row is looked into; then after twice as many, and so on. */
const firstLook = 5;

/**
 * Recognises block pages that are known, and those that are not by what they do: the same refusal for everything, for a page too
 * that worked before. Such an answer is evidence of nothing. It is reported and never evaded.
 * @param slowDown is called for each
 */
export function createBlockWatch(slowDown: (reason: string) => void): BlockWatch {
  const names = new Set<string>();
  let blocked = 0;
  /** Requests for pages that worked: one of a stranger, and one of somebody whose session may have ended since. */
  let good: HttpRequest | undefined;
  let goodOfSomebody: HttpRequest | undefined;
  let last = '';
  let inRow = 0;
  let nextLook = firstLook;
  /** The refusal that everything is answered with. */
  let standing: string | undefined;

  const refuse = (name: string, status: number, url: string): never => {
    blocked++;
    names.add(name);
    slowDown(`${name} answered instead of the site`);
    throw new ProbeError('blocked', `${name} answered ${url.slice(0, 200)} instead of the site (HTTP ${status})`);
  };
  const note = (kind: string) => {
    inRow = kind === last ? inRow + 1 : 1;
    if (kind !== last) nextLook = firstLook;
    last = kind;
    if (kind !== standing) standing = undefined;
  };

  return {
    blocked: () => blocked,
    by: () => [...names],
    async pass(exchange, asked, isHarmless, askAgain) {
      const { status, request } = exchange;
      const name = blockPageOf(exchange) ?? (status === 429 && isHarmless ? limit : undefined);
      if (name !== undefined) refuse(name, status, request.url);
      if (!isRefusal(exchange)) {
        note('');
        if (!isHarmless || status !== 200) return;
        if (isOfStranger(asked)) good ??= asked;
        else goodOfSomebody ??= asked;
        return;
      }
      const kind = kindOf(exchange);
      note(kind);
      const worked = good ?? goodOfSomebody;
      if (worked !== undefined && standing === undefined && inRow >= nextLook) {
        nextLook = inRow * 2;
        const again = await askAgain(worked);
        if (isRefusal(again) && kindOf(again) === kind) standing = kind;
      }
      if (standing === kind) refuse(unknown, status, request.url);
    },
    passPage(page) {
      const name = blockPageOf(page) ?? (page.status === 429 ? limit : undefined);
      if (name !== undefined) refuse(name, page.status, page.url);
    },
    passLogin(answer) {
      const name = blockPageOf(answer);
      if (name !== undefined) refuse(name, answer.status, answer.url);
    },
  };
}

const limit = 'a limit on requests';
const unknown = 'an unknown firewall';

const isRefusal = ({ status }: Exchange): boolean => status === 403 || status === 429 || status === 503;

const isOfStranger = ({ url, jar, headers = [] }: HttpRequest): boolean =>
  headers.length === 0 && (jar?.header(url) ?? '') === '';

/** The same page apart from paths, numbers and tokens in it. */
function kindOf({ status, text }: Exchange): string {
  const steady = text
    .slice(0, maxLength)
    .replace(/\/[^\s<>"']*|[\w-]+/g, (word) => (word.startsWith('/') || /\d/.test(word) ? '#' : word));
  return `${status} ${createHash('sha256').update(steady).digest('base64')}`;
}

const maxLength = 16 * 1024;

/** One sentence for the coverage; undefined when nothing was in the way. */
export const obstructionText = ({ blocked, by }: Obstruction, requests: number): string | undefined =>
  blocked === 0
    ? undefined
    : `a firewall or limit (${by.join(', ')}) answered ${blocked} of ${requests} requests instead of the site`;

export const addObstruction = (a: Obstruction | undefined, b: Obstruction): Obstruction => ({
  blocked: (a?.blocked ?? 0) + b.blocked,
  by: [...new Set([...(a?.by ?? []), ...b.by])],
  slowed: b.slowed ?? a?.slowed,
});
