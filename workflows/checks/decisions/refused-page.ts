import type { Exchange } from '../../model/http.ts';
import { ProbeError } from '../../model/probe-error.ts';
import type { PageSurface } from '../../model/surface.ts';
import { piecesOf } from '../../probe/html/page-pieces.ts';
import { visibleText } from '../../probe/html/text.ts';
import { documentTypeOf } from '../../probe/http/document-type.ts';
import { partRoute } from '../../probe/program-parts.ts';
import type { CheckContext } from '../contract.ts';
import { likeliest } from '../inputs/at-most.ts';
import { inParallel } from '../inputs/parallel.ts';

/** Within one sentence. */
const near = '[^.!?]{0,40}';
const sentencesOfRefusal = [
  'access (?:is |was )?(?:denied|forbidden|restricted)|permission denied|unauthori[sz]ed|forbidden',
  `\\b(?:not|aren.t|isn.t)\\b${near}\\b(?:authori[sz]ed|allowed|permitted|(?:an? |the )?admin(?:istrator)?|logged in)`,
  `insufficient (?:rights|privileges|permissions)|(?:don.t|do not) have${near}(?:access|permission|privilege|rights)`,
  `\\b(?:only|just|reserved|restricted)\\b${near}\\b(?:admin|staff|local|internal|member|logged)|\\b(?:admin|staff|internal|local)\\w* only`,
  `(?:must|need to|have to) (?:be|come)${near}(?:admin|staff|logged|localhost|local|internal|from)`,
  'zugriff verweigert|kein(?:en)? zugriff|nicht berechtigt|nur für administratoren|acc[èe]s (?:refus|interdit)|non autoris',
  'acceso denegado|no autorizad|acesso negado|não autorizad|accesso negato|non autorizzat|toegang geweigerd',
].join('|');
const refusing = new RegExp(sentencesOfRefusal, 'i');
const everyRefusal = new RegExp(sentencesOfRefusal, 'gi');
/** What pages say to whoever may not see what they are for, as a pattern for claims. */
export const refusingWords = `(?i)${sentencesOfRefusal}`;
/** Longer texts are articles, which talk about anything. */
const maxTextLength = 4_000;
/** A page that says it more often lists what was refused to others. */
const maxRefusals = 4;

/** A page that says that it does not show itself to whoever asks. */
export function saysRefused(exchange: Exchange): boolean {
  const text = /html/.test(documentTypeOf(exchange)) ? visibleText(exchange.text) : exchange.text;
  if (text.length > maxTextLength) return false;
  const refusals = text.replace(/\s+/g, ' ').match(everyRefusal)?.length ?? 0;
  return refusals > 0 && refusals <= maxRefusals;
}

const loginPath = /(?:^|[/_.=-])(?:log-?_?[io]n|sign-?_?in|auth|anmeld\w*|connexion)(?:$|[/_.?-])/i;

/** Whether an answer keeps from whoever asked what its address is for. */
export function isRefusing(exchange: Exchange): boolean {
  const { status, header, request } = exchange;
  if (status === 401 || status === 403) return true;
  if (status >= 300 && status < 400) {
    const target = URL.parse(header('location') ?? '', request.url);
    return target !== null && loginPath.test(partRoute(target.href)) && !loginPath.test(partRoute(request.url));
  }
  return status === 200 && saysRefused(exchange);
}

/** Whether two answers refuse in the same way: by their status, or in the same words. */
export function areRefusedAlike(one: Exchange, other: Exchange): boolean {
  if (!isRefusing(one) || !isRefusing(other) || one.status !== other.status) return false;
  return one.status !== 200 || refusalIn(one) === refusalIn(other);
}

const refusalIn = ({ text }: Exchange): string =>
  piecesOf(text)
    .filter((piece) => refusing.test(piece))
    .join('\n');

/** Of more pages that were shown, those are looked at for what they say that by their name are for somebody else. */
const maxShown = 10;
const reserved = /admin|manage|intern|private|secret|staff|panel|console|dashboard|flag|restricted|member|vip|protect/i;

/**
 * Pages of the surface that refuse whoever asks, as they were just answered; those that say so by their status first.
 * @param further pages that others were refused by their status
 */
export async function refusedPages(context: CheckContext, further: readonly PageSurface[] = []): Promise<Exchange[]> {
  const { http, surface } = context;
  const named = new Map([...further, ...surface.pages].map((page) => [page.url, page]));
  const refused = [...named.values()].filter(({ status }) => status === 401 || status === 403);
  const all = surface.pages.filter(
    // What leads to the login has no text, and often no type.
    ({ status, contentType }) => status < 400 && (status >= 300 || /html|json|plain/.test(contentType)),
  );
  const shown = all.length <= maxShown ? all : all.filter((page) => reserved.test(pathOf(page)));
  const pages = [...refused, ...likeliest(context, shown, maxShown, 'pages that may say that they refuse')];
  const answers = await inParallel(pages, 4, async ({ url }) => {
    try {
      return await http.get(url);
    } catch (error) {
      if (error instanceof ProbeError && error.code === 'refused') return undefined;
      throw error;
    }
  });
  return answers.filter((answer) => answer !== undefined && isRefusing(answer)) as Exchange[];
}

const pathOf = ({ url }: PageSurface): string => partRoute(url);

const whom = [
  /\b(?:only|reserved|restricted|just|meant|open|for)\b (?:for |to |by )?(?:the |an? |our )?([a-z]{3,20})\b/gi,
  /\b([a-z]{3,20}?)(?:s|es)?[ -]only\b/gi,
  /\b(?:must|need to|have to|has to) be (?:the |an? )?([a-z]{3,20})\b/gi,
  /\brole\b ?[:=]? ?["'‘“]?([a-z]{3,20})\b/gi,
  /\b([a-z]{3,20}) (?:role|rank|rights|privileges|permissions?) (?:is |are )?(?:required|needed|necessary)\b/gi,
  /\b([a-z]{3,20}?)s (?:can|may|see|get|have)\b/gi,
  /\b(?:requires?|needs?) (?:the )?(?:role )?(?:of )?(?:the |an? )?["'‘“]?([a-z]{3,20})\b/gi,
];
const noRole =
  /^(?:the|for|you|your|this|that|these|those|from|with|not|are|log(?:ged)?|login|sign(?:ed)?|authori[sz]ed|access|page|read|local(?:host)?|now|here|all|registered|members?|users?|admin(?:istrator)?s?|more|other|role|get|post|permission|password|internal)$/i;
const maxRoles = 3;

/** What the site calls those who may see a page, by the words in which it refuses, in the singular: "For teachers only". */
export function rolesNamedBy({ text }: Exchange): string[] {
  const said = visibleText(text).slice(0, maxTextLength).replace(/\s+/g, ' ');
  const words = whom.flatMap((pattern) => [...said.matchAll(pattern)].map(([, word = '']) => word.toLowerCase()));
  const roles = words.filter((word) => !noRole.test(word)).map((word) => word.replace(/(?<=[^s])s$/, ''));
  return [...new Set(roles)].slice(0, maxRoles);
}
