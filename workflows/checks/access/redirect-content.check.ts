import type { Candidate } from '../../model/candidate.ts';
import { claim, type Experiment } from '../../model/experiment.ts';
import type { Exchange } from '../../model/http.ts';
import { isLeftOut } from '../../probe/errors.ts';
import { collapsed, textOf, visibleText } from '../../probe/html/text.ts';
import { attributeOf, elementsBelow, isElement, treeOf } from '../../probe/html/tree.ts';
import { isHtml } from '../../probe/http/document-type.ts';
import { normaliseRoute } from '../../probe/routes.ts';
import { type CheckContext, defineCheck, notApplicable } from '../contract.ts';
import { distinctivePieces, onlyIn } from '../decisions/difference.ts';
import { eachKindAtMost, likeliest } from '../inputs/at-most.ts';
import { inParallel } from '../inputs/parallel.ts';
import { asksForPassword } from '../logins/signs.ts';
import { missingLike, siblingOf } from '../pages/soft-404.ts';
import { administrationAddresses } from './admin-addresses.ts';

type SentPage = { url: string; status: number; pieces: string[] };

const maxAddresses = 40;
/** Of texts that neither the login nor a missing page has; a note to whoever is redirected has one or two. */
const minPieces = 3;
/** What pages say of the redirect itself. */
const noteOfRedirect =
  /redirect|click here|moved (?:permanently|temporarily)|found|see other|continue|automatically|please (?:wait|log|sign)|weiterleitung|hier klicken|log ?in|sign ?in/i;

/** Besides the address that it names. */
const maxNoteLength = 200;

/** A page that sends visitors to the login goes on and is made all the same. Source: CWE-698, WSTG-ATHZ-02. */
export const redirectContent = defineCheck<SentPage>({
  id: 'access.redirect-content',
  title: 'Execution after redirect: protected page sent in the body of the redirect',
  cwe: 698,
  owasp: 'A01:2025',
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:L/I:N/A:N',
  depth: 'standard',
  risk: 'safe',

  async detect(context) {
    const redirects = await redirectsOf(context);
    const bodies = redirects.filter((each) => isHtml(each) && textsOf(each).length >= minPieces);
    if (bodies.length === 0) return notApplicable('No page that redirects sends a text with it.');
    const found: Candidate<SentPage>[] = [];
    for (const redirect of bodies) {
      const shown = await shownIn(context, redirect);
      if (shown) found.push(candidateFor(shown));
    }
    return found;
  },

  confirm: (_context, { data }) => data && experimentFor(data),

  explain: {
    description:
      'The page redirects whoever is not logged in to the login, and the program does not end there: it makes the page and sends it as the body of the redirect. Browsers do not show it, every other client does.',
    impact:
      'Whoever reads the answer instead of following it has the page without a login. What else the program does behind the redirect, such as saving what a form sends, is done for everybody, too.',
    sends:
      'Requests up to 40 addresses without a login, those that were seen to redirect and usual ones of an administration; the login that they lead to; random names beside them.',
    proves:
      'The redirect to a login has the texts of a page in its body, twice; neither the login nor a random address beside it has them. An attacker reads the page. What else it does is not tried.',
    remedy:
      'End the program where it redirects: PHP `header("Location: /login"); exit;`, Express `return response.redirect("/login")`, Rails `redirect_to login_path and return`, Java `response.sendRedirect("/login"); return;`. Better, check the session before the page is chosen: middleware, filters, `before_action`, `@login_required`.',
    references: [
      'CWE-698: https://cwe.mitre.org/data/definitions/698.html',
      'OWASP Execution After Redirect: https://owasp.org/www-community/attacks/Execution_After_Redirect_(EAR)',
      'PHP manual, header: https://www.php.net/manual/en/function.header.php',
    ],
  },
});

/** What redirects, of pages that were seen and of usual addresses of an administration. */
async function redirectsOf(context: CheckContext): Promise<Exchange[]> {
  const seen = context.surface.pages.filter(({ status }) => isRedirect(status)).map(({ url }) => url);
  const pages = eachKindAtMost(context, seen, { max: maxAddresses, kindOf: normaliseRoute }, 'pages that redirect');
  const { named, usual } = await administrationAddresses(context);
  const further = [...named, ...usual].filter((url) => !pages.includes(url));
  const guesses = likeliest(context, further, maxAddresses - pages.length, 'usual addresses');
  const answers = await inParallel([...pages, ...guesses], 5, (url) => answerAt(context, url));
  return answers.filter((answer) => answer !== undefined && isRedirect(answer.status)) as Exchange[];
}

const isRedirect = (status: number): boolean => [301, 302, 303, 307, 308].includes(status);

/** @returns undefined for what is left out on purpose */
async function answerAt({ http }: CheckContext, url: string, maxRedirects = 0): Promise<Exchange | undefined> {
  try {
    return await http.get(url, { maxRedirects });
  } catch (error) {
    if (isLeftOut(error)) return undefined;
    throw error;
  }
}

/** The texts that a reader would see, without those about the redirect. */
function textsOf(answer: Exchange): string[] {
  const text = visibleText(answer.text);
  const notes = notesIn(answer);
  const isOfPage = (piece: string) => !noteOfRedirect.test(piece) && !notes.some((note) => note.includes(piece));
  return onlyIn([answer], []).filter((piece) => text.includes(piece) && isOfPage(piece));
}

/** What stands around a link to where the redirect leads, and says no more than that. */
function notesIn(answer: Exchange): string[] {
  const location = answer.header('location') ?? '';
  return elementsBelow(treeOf(answer.text).document).flatMap((element) => {
    if (element.tagName !== 'a' || attributeOf(element, 'href') !== location) return [];
    const parent = element.parentNode;
    const text = parent && isElement(parent) ? collapsed(textOf(parent)) : '';
    return text.length <= location.length + maxNoteLength && noteOfRedirect.test(text) ? [text] : [];
  });
}

/** Only a page that leads to a login is kept from somebody. */
async function shownIn(context: CheckContext, redirect: Exchange): Promise<SentPage | undefined> {
  const { url } = redirect.request;
  const target = await answerAt(context, url, 3);
  if (!target || target.status >= 400 || !asksForPassword(target) || asksForPassword(redirect)) return undefined;
  const again = await context.http.get(url, { fresh: true });
  if (again.status !== redirect.status) return undefined;
  const missing = (await missingLike(context, url)).map(({ exchange }) => exchange);
  const own = new Set(onlyIn([redirect, again], [target, ...missing], [new URL(url).pathname]));
  const pieces = textsOf(redirect).filter((piece) => own.has(piece));
  if (pieces.length < minPieces) return undefined;
  return { url, status: redirect.status, pieces: distinctivePieces(pieces, /$^/) };
}

const candidateFor = (data: SentPage): Candidate<SentPage> => ({
  location: { url: data.url, method: 'GET' },
  detail: `The redirect to the login has the page in its body, with "${data.pieces[0]}".`,
  data,
});

function experimentFor({ url, status, pieces }: SentPage): Experiment {
  const shown = [
    claim('status', 'equals', String(status)),
    ...pieces.map((piece) => claim('body:masked', 'contains', piece)),
  ];
  return {
    steps: [
      { http: { url }, note: 'Without a login the address redirects, and sends the page with it.', expect: shown },
    ],
    control: [
      {
        http: { url: siblingOf(url, '‹nonce›') },
        note: 'An address beside it that does not exist shows nothing of it.',
        expect: shown,
      },
    ],
  };
}
