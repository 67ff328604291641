/** How a kind of program text is recognised. A server that runs it never sends these. */
type SourceLanguage = { name: string; extensions: readonly string[]; pattern: string };

/** Patterns are RE2, and are also valid for JavaScript without their leading flags. */
const languages: readonly SourceLanguage[] = [
  { name: 'PHP', extensions: ['php', 'php5', 'php7', 'phtml', 'inc'], pattern: '<\\?(?:php\\s|=)' },
  {
    name: 'ASP.NET',
    extensions: ['aspx', 'ashx', 'asmx', 'ascx', 'cshtml'],
    pattern: '<%@ {0,3}(?:Page|WebHandler|WebService|Control)\\s+\\w+ {0,3}=',
  },
  {
    name: 'ASP',
    extensions: ['asp'],
    pattern: '<%@ {0,3}\\w+ {0,3}=|<!-- {0,3}#include |<%\\s{0,9}(?:Dim|Set|If|Option Explicit)\\b',
  },
  {
    name: 'JSP',
    extensions: ['jsp', 'jspx'],
    pattern: '<%@ {0,3}(?:page|include|taglib)\\s+\\w+ {0,3}=|<jsp:(?:root|directive)',
  },
  {
    name: 'ColdFusion',
    extensions: ['cfm', 'cfc'],
    pattern: '<cf(?:set|query|component|function|if|output|include)\\b',
  },
  { name: 'Perl', extensions: ['pl', 'cgi'], pattern: '^#!\\S{0,40}(?:perl|python|sh)' },
  {
    name: 'Python',
    extensions: ['py'],
    pattern:
      '(?m)^(?:from [\\w.]{1,80} import \\w|import [\\w.]{1,80}\\s*$|def \\w{1,60}\\(.*\\):|[A-Z][A-Z0-9_]{2,40} = (?:["\'\\[{(]|True\\b|False\\b|None\\b|os\\.))',
  },
];

/** JavaScript that a server runs: others are for browsers, and served. */
export const serverScript: SourceLanguage = {
  name: 'JavaScript',
  extensions: ['js', 'mjs', 'cjs'],
  pattern:
    '\\brequire\\(["\'](?:node:)?(?:express|koa|fastify|http|fs|path|dotenv|mysql2?|pg|mongoose|sequelize|better-sqlite3|jsonwebtoken)["\']\\)|\\bprocess\\.env\\.\\w|\\bfrom ["\'](?:node:\\w+|express|koa|fastify|pg|mysql2?|mongoose|jsonwebtoken)["\']|\\bmodule\\.exports\\b',
};

/** The language that a page is written in by the extension in its path. */
export function languageOf(pathname: string): SourceLanguage | undefined {
  const extension = /\.([a-z0-9]{1,6})$/i.exec(pathname)?.[1]?.toLowerCase() ?? '';
  return languages.find(({ extensions }) => extensions.includes(extension));
}

/** A Vim swap file: its first block names the program, then the version. Source: Vim, memline.c, struct block0. */
export const vimSwapPattern = '^b0VIM [0-9]\\.[0-9]';

/** Entries of an archive that are no download for visitors: source code, settings, dumps, repositories. */
export const privateEntryPattern =
  '(?im)(?:\\.(?:php|aspx?|jsp|py|rb|java|cs|env|sql|htaccess|ini|config|class|jar)|(?:^|/)(?:\\.(?:git|svn|env|htpasswd)|WEB-INF)(?:/.*)?)$';

/** The head that dump programs write. */
export const sqlDumpPattern =
  '^(?:\\x{FEFF})?(?:\\s|--[^\\n]*\\n|/\\*[^\\n]*\\n){0,20}-- (?:MySQL dump|MariaDB dump|PostgreSQL database dump|phpMyAdmin SQL Dump|Adminer [\\d.]+|Dump of)|^/\\*M?!999999';
