import { escapePattern, firstMatch } from '../../proof/pattern.ts';

/** A way in which a database or a layer above it says that a statement breaks SQL's grammar. */
export type SqlError = { engine: string; pattern: string };

/** A double or single quote in text, HTML or JSON. */
const double = '(?:"|&quot;|&#0?34;|&#x22;|\\\\"|\\\\u0022)';
const single = "(?:'|&apos;|&#0?39;|&#x27;|\\\\'|\\\\u0027)";

/** A message that has fixed words, which are looked for first: a pattern over a whole page takes long. */
const message = (engine: string, sign: string, rest = '') => ({ engine, sign, pattern: escapePattern(sign) + rest });

/**
 * Only errors of grammar: values that do not fit a column, or a cast that fails, come from bound parameters too.
 * The particular ones come before those that several engines share.
 */
const errors: readonly (SqlError & { sign: string })[] = [
  message('MariaDB', 'You have an error in your SQL syntax', '.{1,80}MariaDB server version'),
  message('MySQL', 'You have an error in your SQL syntax'),
  message('MySQL', 'ER_PARSE_ERROR'),
  message('CockroachDB', 'lexical error: unterminated string'),
  message('PostgreSQL', 'unterminated quoted string at or near ', double),
  message('PostgreSQL', 'unterminated quoted identifier at or near ', double),
  message('PostgreSQL', 'syntax error at or near ', double),
  message('PostgreSQL', 'ERROR: syntax error at end of input'),
  message('PostgreSQL', 'psycopg2.errors.SyntaxError'),
  message('PostgreSQL', 'psycopg.errors.SyntaxError'),
  message('PostgreSQL', 'PG::SyntaxError'),
  message('SQL Server', 'Unclosed quotation mark after the character string'),
  message('SQL Server', 'Unclosed quotation mark before the character string'),
  message('SQL Server', 'Incorrect syntax near ', `(?:the keyword )?${single}`),
  message('SQLite', 'unrecognized token: ', double),
  { engine: 'SQLite', sign: ': syntax error', pattern: `\\bnear ${double}.{0,80}?${double}: syntax error` },
  { engine: 'SQLite', sign: 'incomplete input', pattern: '(?i)sqlite.{0,60}incomplete input' },
  {
    engine: 'Oracle',
    sign: 'ORA-0',
    pattern: '\\bORA-(?:01756|00933|00936|00911|00907|00923|00921|00920|01747|03049)\\b',
  },
  message('Oracle', 'quoted string not properly terminated'),
  message('Oracle', 'SQL command not properly ended'),
  { engine: 'Db2', sign: 'SQLSTATE', pattern: 'SQLSTATE[=: ]{1,3}4260[13]\\b' },
  { engine: 'Db2', sign: 'SQLCODE', pattern: 'SQLCODE[=: ]{1,3}-(?:10|104)\\b' },
  message('Access', 'Syntax error in string in query expression'),
  message('Access', 'Syntax error (missing operator) in query expression'),
  message('Firebird', 'Dynamic SQL Error', '.{0,20}SQL error code = -104'),
  message('H2', 'Syntax error in SQL statement'),
  message('HSQLDB', 'org.hsqldb.HsqlException: ', '(?:unexpected token|malformed string)'),
  {
    engine: 'HSQLDB',
    sign: ' in statement [',
    pattern: '(?:unexpected token: |malformed string: |unexpected end of statement).{0,120}in statement \\[',
  },
  { engine: 'SAP HANA', sign: 'sql syntax error', pattern: 'SAP DBTech.{0,60}sql syntax error' },
  message('Sybase', 'Unclosed quote before the character string'),
  {
    engine: 'Informix',
    sign: 'A syntax error has occurred',
    pattern: '(?i)informix.{0,120}A syntax error has occurred',
  },
  message('ClickHouse', 'DB::Exception: Syntax error'),
  message('Snowflake', 'SQL compilation error:', '\\s{1,4}(?:parse error|syntax error) line'),
  message('BigQuery', 'Syntax error: Unclosed string literal'),
  message('Trino', 'io.trino.sql.parser.ParsingException'),
  message('Hibernate (HQL)', 'QuerySyntaxException'),
  message('Hibernate (HQL)', 'org.hibernate.query.SyntaxException'),
  message('Doctrine (DQL)', '[Syntax Error] line ', '\\d{1,4}, col \\d{1,4}: Error:'),
  message('a database over JDBC', 'SQLSyntaxErrorException'),
  message('a database over JDBC', 'BadSqlGrammarException'),
  { engine: 'a database over PDO', sign: 'SQLSTATE[42', pattern: 'SQLSTATE\\[42(?:000|601)\\]: Syntax error' },
];

/**
 * Languages inside bound parameters have grammars of their own: full-text queries, JSON paths. Their errors are no injection.
 */
export const otherGrammars =
  '(?i)of jsonpath input|fts5: |in tsquery|full-text search condition|FTSX_|malformed MATCH expression|Oracle Text error';

/** Places of a sign that are looked at, and how much around each. */
const maxPlaces = 4;
const aroundLength = 300;

/** The syntax error that a text states and another text does not; undefined when there is none. */
export function sqlErrorIn(text: string, without = ''): SqlError | undefined {
  const found = errors.find(
    ({ sign, pattern }) =>
      placesOf(sign, text).some((place) => isError(pattern, place)) &&
      !placesOf(sign, without).some((place) => isError(pattern, place)),
  );
  return found && { engine: found.engine, pattern: found.pattern };
}

const isError = (pattern: string, place: string): boolean =>
  firstMatch(pattern, place) !== undefined && firstMatch(otherGrammars, place) === undefined;

function placesOf(sign: string, text: string): string[] {
  const places: string[] = [];
  for (let at = text.indexOf(sign); at !== -1 && places.length < maxPlaces; at = text.indexOf(sign, at + sign.length))
    places.push(text.slice(Math.max(0, at - aroundLength), at + sign.length + aroundLength));
  return places;
}

/** What the page says of it, for the reader: one line. */
export function sqlErrorLine({ pattern }: SqlError, text: string): string {
  const line = firstMatch(`[^\\n<>]{0,60}(?:${pattern})[^\\n<>]{0,60}`, text)?.text ?? '';
  return line.replace(/\s+/g, ' ').trim();
}
