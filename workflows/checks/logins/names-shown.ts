import { percentDecodedOrSame } from '../../../kit/percent.ts';
import type { Surface } from '../../model/surface.ts';
import { visibleText } from '../../probe/html/text.ts';
import { namedPath } from '../../probe/program-parts.ts';
import type { CheckContext } from '../contract.ts';
import { likeliest } from '../inputs/at-most.ts';
import { namesInAnswers } from './names-in-answers.ts';
import { textAt } from './page-text.ts';

/** Where sites name the people behind them. */
const about = /team|staff|people|about|contact|kontakt|user|member|author|blog|post|news|directory|profile|employ/i;
const maxPages = 6;
/** Each is tried once, so that no account is locked. */
const maxNames = 5;
const maxTextLength = 60_000;

const inPath = /\/(?:~|@|(?:users?|authors?|profiles?|members?|people|u)\/)([a-z][\w.-]{1,30})(?=$|\/)/i;
const parameters = /^(?:user(?:_?name)?|author|owner|member|login)$/i;
/** Behind a person's name: "Ann Lee (alee)". */
const inParentheses = /\p{Lu}\p{Ll}{1,20} \p{Lu}\p{Ll}{1,20},? {0,2}[([]@?([a-z][a-z0-9._-]{1,30})[)\]]/gu;
const behindWords =
  /\b(?:(?:posted|written|created|uploaded|sold) by|by|author|user(?: ?name)?|account|owner|seller|ask|von)\b ?:? ?@?([a-z][a-z0-9_.-]{2,30})/gi;
/** Beside a login: "Only for the harbourmaster", "log in as kim". */
const besideLogin =
  /\b(?:(?:log|sign)(?:ged)?[ -]?in as|(?:only|reserved|restricted) (?:for|to)|only)\b (?:the )?@?([a-z][a-z0-9_.-]{2,30})/gi;
/** "the harbourmaster (login kim)", "Login: kim". */
const behindLogin = /(?:\(log-?in(?: name)?:? |\blog-?in(?: name)? ?: ?)@?([a-z][a-z0-9_.-]{2,30})\b/gi;
const mailAddress = /\b([a-z][a-z0-9._-]{1,30})@[a-z0-9-]{1,60}(?:\.[a-z0-9-]{1,30}){1,3}/gi;
/** What stands there in sentences, and mailboxes of nobody. */
const nobodys =
  /^(?:the|our|your|you|us|all|any|each|his|her|their|this|that|these|those|its|for|and|with|are|is|was|has|not|from|name|names|id|email|mail|new|one|more|other|about|agreement|experience|account|accounts|manual|guide|settings?|profile|login|register|info|contact|support|hello|office|sales|news|noreply|no-reply|webmaster|list|search|edit|create|password|date|default|using|phone|post|hand|anyone|everyone|if|when|once|then|users|members|registered|authorized|authorised)$/i;

/**
 * User names that pages of a site show, the surest first, and mail addresses where accounts have those.
 * @param login its page is read too where it is named
 */
export async function namesShown(
  context: Pick<CheckContext, 'http' | 'surface' | 'leave'>,
  { isMail, loginPage }: { isMail: boolean; loginPage?: string | undefined },
): Promise<string[]> {
  const { http, surface } = context;
  const first = new URL(surface.url).href;
  const pages = surface.pages.filter(
    ({ url, status, contentType }) =>
      status === 200 && /html/.test(contentType) && (url === first || about.test(namedPath(url))),
  );
  const texts: string[] = [];
  for (const { url } of likeliest(context, pages, maxPages, 'pages that may name users'))
    texts.push(visibleText(await textAt(http, url)).slice(0, maxTextLength));
  const text = texts.join('\n').replace(/[^\S\n]+/g, ' ');
  const asked =
    loginPage === undefined || isMail ? '' : visibleText(await textAt(http, loginPage)).slice(0, maxTextLength);
  const mails = [...text.matchAll(mailAddress)];
  const answered = await namesInAnswers(context, { isMail });
  const names = isMail
    ? [...mails.map(([address]) => address), ...answered]
    : [
        ...answered,
        ...[...text.matchAll(inParentheses)].map(([, name = '']) => name),
        ...[...asked.replace(/\s+/g, ' ').matchAll(besideLogin)].map(([, name = '']) => name),
        ...[...text.matchAll(behindLogin)].map(([, name = '']) => name),
        ...namesInAddresses(surface),
        ...[...text.matchAll(behindWords)].map(([, name = '']) => name).filter((name) => /^[a-z]/.test(name)),
        ...mails.map(([, name = '']) => name),
      ];
  const clean = names.map((name) => name.replace(/[._-]+$/, '')).filter((name) => name.length > 1);
  const shown = [...new Set(clean.filter((name) => !nobodys.test(name)))];
  return likeliest(context, shown, maxNames, 'names of users that the site shows');
}

function namesInAddresses({ pages, inputs }: Pick<Surface, 'pages' | 'inputs'>): string[] {
  const inPages = pages.flatMap(({ url, status }) =>
    status === 200 ? (inPath.exec(percentDecodedOrSame(new URL(url).pathname))?.[1] ?? []) : [],
  );
  const inQueries = inputs.flatMap(({ parameter, sample }) =>
    parameters.test(parameter) && /^[a-z][\w.-]{1,30}$/i.test(sample) ? [sample] : [],
  );
  return [...inPages, ...inQueries];
}
