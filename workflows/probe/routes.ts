import { percentDecodedOrSame } from '../../kit/percent.ts';
import { remembered } from './gate/remembered.ts';

/** What stands for a value in a route. */
const placeholder = /^\{(?:id|date|slug)\}$/;

const date = /^(?:19|20)\d{2}-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12]\d|3[01]))?$/;
const digits = /^[+-]?\d+$/;
const uuid = /^\{?[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\}?$/i;
const hex = /^[0-9a-f]{8,}$/i;
/** Zope names a view so, whatever it is one of: "/news/@@search". What has one sign is somebody's name or address. */
const view = /^@@[a-z][\w.-]*$/i;
/** Random text: long, with digits among the letters (nanoid, base64url, ULID). */
const token = /^(?=.*\d)(?=.*[a-z])[\w~=-]{14,}$/i;
/** Words in lower case with a number behind some of them, "oauth2-callback": names of programs' parts, which no random text looks like. */
const words = /^[a-z]{3,}\d{0,2}(?:[-_][a-z]{3,}\d{0,2}){1,2}$/;
/** Four words or more, as blogs and shops name their pages. */
const slug = /^[a-z0-9]+(?:[-_][a-z0-9]+){3,}$/i;
const extension = /^[a-z][a-z0-9]{0,4}$/i;
const numbered = /^(.*[a-z])([-_])\d+$/i;
/** A name with a number behind it, as generated programs have: no random text looks so. */
const wordAndNumber = /^[a-z]{2,}\d{1,8}$/i;
/** Where a word or a number ends: "Case07-NumericSearch" has "Case", "07", "Numeric" and "Search". */
const boundary = /[-_]|(?<=[a-z])(?=[A-Z\d])|(?<=[A-Z])(?=[A-Z][a-z]{2})|(?<=\d)(?=[A-Za-z])/;
const wordOrNumber = /^(?:[A-Z]?[a-z]{2,}|[A-Z][a-z]?|[A-Z]{2,}|\d{1,4})$/;
/** Files that a server runs: what is above them are folders of its disk, and no values. */
const programFile = /\.(?:jspx?|php\d?|aspx?|cfm|cgi|pl)$/i;

/**
 * The route of a URL: its path with identifiers, hashes, dates and slugs replaced, so that pages made by the same code
 * have the same route. "/orders/17/" is "/orders/{id}". Host, port, query and fragment do not enter.
 * The route of a route is itself.
 */
export function normaliseRoute(url: string): string {
  const path = pathOf(url);
  const segments = path
    .split('/')
    .map(normaliseSegment)
    .filter((segment) => segment !== '');
  return `/${segments.join('/')}`;
}

/**
 * The same, with names in it that are those of programs: "/Report00012", "/a-b-c-d.php". What answers there has its own weaknesses.
 */
export const programRoute = (url: string): string => routeKeeping(url, isProgram);

/** The same with all names that people read, those of articles and of numbered things included; numbers, dates and random texts are replaced. */
export const nameRoute = (url: string): string => routeKeeping(url, (segment) => isProgram(segment) || isName(segment));

function routeKeeping(url: string, isKeptAlone: (segment: string) => boolean): string {
  const path = pathOf(url);
  const isKept = (segment: string): boolean =>
    isKeptAlone(segment) || (programFile.test(path) && !segment.includes('.') && isFolder(segment));
  const segments = path
    .split('/')
    .map((segment) => (isKept(segment) ? segment.replace(/;.*$/s, '') : normaliseSegment(segment)))
    .filter((segment) => segment !== '');
  return `/${segments.join('/')}`;
}

function isProgram(segment: string): boolean {
  const [stem = '', ...endings] = segment.replace(/;.*$/s, '').split('.');
  if (isNumberedName(stem)) return true;
  if (endings.length === 0 || !endings.every((each) => extension.test(each))) return false;
  return placeholderFor(stem) === '{slug}' || isReadable(stem);
}

/** "Report00012": one of many programs, or pages, and no identifier. */
export const isNumberedName = (segment: string): boolean => wordAndNumber.test(segment) && !hex.test(segment);

/** Names of words and numbers, which random text does not consist of. */
function isReadable(text: string): boolean {
  const parts = text.split(boundary);
  const words = parts.filter((part) => /^[a-z]{3,}$/i.test(part));
  return words.length >= 2 && words.length * 2 >= parts.length && parts.every((part) => wordOrNumber.test(part));
}

/** Mostly of words of four letters or more, where random text has shorter ones: "Case06-InJsString". */
const isWritten = (text: string): boolean => {
  const words = text.split(boundary).filter((part) => /^[A-Z]?[a-z]{3,}$/.test(part));
  return isReadable(text) && token.test(text) && words.length >= 2 && words.join('').length * 5 >= text.length * 2;
};

const isFolder = (segment: string): boolean => isName(segment) || isReadable(segment);

const isName = (segment: string): boolean => {
  const replaced = normaliseSegment(segment);
  return replaced === '{slug}' || numbered.test(segment.replace(/;.*$/s, ''));
};

function pathOf(url: string): string {
  const withoutOrigin = url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '');
  return withoutOrigin.replace(/[?#].*$/s, '');
}

/** One segment of a path. A site has few names and many numbers. */
export const normaliseSegment = (segment: string): string => (/^\d+$/.test(segment) ? '{id}' : normalisedName(segment));

const normalisedName = remembered((segment) => {
  const [name = ''] = segment.split(';'); // path parameters such as ;jsessionid=…
  return (
    placeholderFor(name) ??
    name
      .split('.')
      .map((part, index) => {
        const isName = index > 0 ? extension.test(part) : programFile.test(name) && isWritten(part);
        return isName ? part : (placeholderFor(part) ?? part);
      })
      .join('.')
  );
});

function placeholderFor(segment: string): string | undefined {
  const text = percentDecodedOrSame(segment);
  if (placeholder.test(text)) return text;
  if (view.test(text)) return text;
  if (date.test(text)) return '{date}';
  if (digits.test(text) || uuid.test(text) || text.includes('@')) return '{id}';
  if (hex.test(text) && (/\d/.test(text) || text.length >= 16)) return '{id}';
  if (slug.test(text)) return '{slug}';
  if (token.test(text) && !words.test(text)) return '{id}';
  return numbered.test(segment) ? segment.replace(numbered, '$1$2{id}') : undefined;
}
