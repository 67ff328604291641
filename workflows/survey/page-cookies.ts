import { percentDecodedOrSame } from '../../kit/percent.ts';
import type { Explored } from '../model/browser.ts';
import type { FormSurface, InputSurface, PageSurface } from '../model/surface.ts';
import { kindOfForm } from '../probe/gate/structure.ts';
import { normaliseRoute } from '../probe/routes.ts';
import { isPageToken, sentFields } from './form-inputs.ts';

type PageCookie = { name: string; value: string };

/** Sessions, what protects forms and what counts visits: looked up as a whole, verified, or read by others. */
const others = /sess|sid$|auth|token|csrf|xsrf|jwt|nonce|remember|^_|^(?:utm|amp|ajs|mp|ai)_|consent/i;
/** Browsers, and our own jar, keep no longer ones. Source: RFC 6265bis §5.7. */
const maxLength = 4_096;
/** Of one page, so that what a site gives to every visitor is not tried with each of its forms. */
const maxCookies = 4;
/** So many forms are posted with a cookie that their own pages make: each may lead to a program that reads it in its own way. */
const maxForms = 8;

/** Cookies that pages make by script, and the inputs that they and those of servers are. */
export type CookieList = {
  /** Takes up what the script in a page's HTML makes, as far as it stands there as it is. */
  read(url: string, html: string): void;
  /** Takes up what the page's script made in the browser. */
  readExplored(url: string, explored: Pick<Explored, 'cookies'>): void;
  /** Cookies that a page gives or makes, as inputs of that page and of the forms on it that are posted. */
  inputs(pages: readonly PageSurface[], forms: readonly FormSurface[]): InputSurface[];
};

const written =
  /\bdocument\.cookie\s*=\s*["'`]\s*([\w.-]{1,60})=(?:([^"'`;\n]{1,4096})|["'`]\s*\+\s*(?:encodeURIComponent|escape)\(\s*["'`]([^"'`\n]{1,4096})["'`])/g;

const mark = `["'\`]`;
/** In attributes quotes may be references. */
const plainQuotes = (html: string): string => html.replaceAll('&quot;', '"').replace(/&#0?39;|&apos;/g, "'");
/** Helpers of scripts that make a cookie of this name: js-cookie, jQuery's, and "setCookie" of many pages' own. */
const called = new RegExp(
  `(?:\\$\\.cookie|\\bCookies\\.set|\\b(?:set|create|write|save|store|make|add)_?cookie)\\(\\s*${mark}([\\w.-]{1,60})${mark}\\s*,\\s*([^,;<>\\n]{1,200})`,
  'gi',
);
/** What stands in front of an identifier in "document.getElementById('x').value" and "$('#x').val()". */
const ofField = new RegExp(
  `^(?:document\\.(?:getElementById|querySelector)|\\$|jQuery)\\(\\s*${mark}#?([\\w.-]{1,60})`,
);
const literal = new RegExp(`^(?:encodeURIComponent\\(\\s*|escape\\(\\s*)?${mark}([^"'\`]{1,190})${mark}`);
/** Of no site, as what a browser of ours types in. */
const unknown = 'test';

/** The value that a helper is called with: a text as it stands there, or that of a field. */
function givenTo(written: string, html: string): string {
  const text = literal.exec(written)?.[1];
  if (text !== undefined) return text;
  const id = ofField.exec(written)?.[1];
  const field =
    id === undefined
      ? undefined
      : new RegExp(`<input\\b[^<>]{0,500}?\\bid=["']?${id.replaceAll('.', '\\.')}\\b[^<>]{0,500}`).exec(html);
  return /\bvalue=["']([^"']{1,190})["']/.exec(field?.[0] ?? '')?.[1] ?? unknown;
}

/** @param before names of cookies that the visitor has from elsewhere */
export function createCookieList(before: readonly string[]): CookieList {
  const made = new Map<string, PageCookie[]>();
  const note = (url: string, cookies: readonly PageCookie[]) => {
    const known = made.get(url) ?? [];
    const others = cookies.filter(({ name }) => !before.includes(name) && !known.some((each) => each.name === name));
    if (others.length > 0) made.set(url, [...known, ...others]);
  };
  return {
    read: (url, html) =>
      note(url, [
        ...[...html.matchAll(written)].map(([, name = '', plain, escaped = '']) => ({ name, value: plain ?? escaped })),
        ...[...plainQuotes(html).matchAll(called)].map(([, name = '', value = '']) => ({
          name,
          value: givenTo(value, html),
        })),
      ]),
    readExplored: (url, { cookies }) =>
      note(
        url.replace(/#.*$/s, ''),
        cookies.filter(({ httpOnly }) => !httpOnly),
      ),
    inputs: (pages, forms) => inputsOf(pages, made, forms),
  };
}

function inputsOf(
  pages: readonly PageSurface[],
  made: ReadonlyMap<string, readonly PageCookie[]>,
  forms: readonly FormSurface[],
): InputSurface[] {
  const formsOf = Map.groupBy(
    forms.filter((form) => form.method === 'POST' && (form.takesAnybody || kindOfForm(form).kind !== 'login')),
    ({ pageUrl }) => pageUrl,
  );
  const actions = new Map<string, Set<string>>();
  return pages.flatMap((page) => {
    const [byScript, own] = [made.get(page.url) ?? [], formsOf.get(page.url) ?? []];
    const newForms = ({ name }: PageCookie) => own.filter(({ action }) => !actions.get(name)?.has(action));
    const isNew = (cookie: PageCookie): boolean => {
      const known = actions.get(cookie.name);
      return !known || (byScript.includes(cookie) && known.size < maxForms && newForms(cookie).length > 0);
    };
    const cookies = [...page.setCookies.flatMap(parsed), ...byScript]
      .filter((cookie) => isInput(cookie.name, cookie.value) && isNew(cookie))
      .slice(0, maxCookies);
    return cookies.flatMap((cookie) => {
      const known = actions.get(cookie.name) ?? new Set();
      const byPage = byScript.includes(cookie) && !actions.has(cookie.name) ? [inputOf(page.url, cookie)] : [];
      const posted = newForms(cookie);
      actions.set(cookie.name, new Set([...known, ...posted.map(({ action }) => action)]));
      return [...byPage, ...posted.map((form) => postedWith(form, cookie))];
    });
  });
}

const isInput = (name: string, value: string): boolean =>
  value !== '' && value.length <= maxLength && !others.test(name);

function parsed(line: string): PageCookie[] {
  const [, name, value] = /^\s*([^=;\s]+)\s*=\s*"?([^;"]*)/.exec(line) ?? [];
  const isDeleted = /;\s*max-age=(?:0|-)|expires=\w+, ?01[ -]jan[ -]1970/i.test(line);
  return name === undefined || value === undefined || isDeleted ? [] : [{ name, value }];
}

const inputOf = (url: string, { name, value }: PageCookie): InputSurface => ({
  ...{ method: 'GET', url, route: normaliseRoute(url), parameter: name, in: 'cookie' },
  ...{ sample: percentDecodedOrSame(value), others: [] },
});

function postedWith(form: FormSurface, cookie: PageCookie): InputSurface {
  const fields = sentFields(form.fields);
  return {
    ...inputOf(form.action, cookie),
    method: 'POST',
    others: fields.map(({ name, value }) => ({ name, value })),
    contentType: form.enctype,
    page: { url: form.pageUrl, tokens: fields.filter(isPageToken).map(({ name }) => ({ field: name })) },
  };
}
