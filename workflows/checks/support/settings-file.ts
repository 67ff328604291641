import { escapePattern, firstMatch } from '../../proof/pattern.ts';

/** An assignment in a file of environment settings. */
export type Setting = { key: string; value: string; isSecret: boolean };

/** Values that end up in the browser by design. Source: documentation of Vite, Create React App, Next.js, Vue CLI, Nuxt, Expo, Gatsby. */
const isPublic = /^(?:VITE|REACT_APP|NEXT_PUBLIC|VUE_APP|NUXT_PUBLIC|EXPO_PUBLIC|GATSBY|PUBLIC|STORYBOOK)_/i;

const secretKey =
  /(?:^|[_.])(?:PASS(?:WORD|WD|PHRASE)?|PWD|SECRETS?|TOKEN|CREDENTIALS?|DSN|SALT|JWT)(?:[_.]|$)|(?:API|ACCESS|PRIVATE|SECRET|SIGNING|ENCRYPTION|AUTH|APP|MASTER|ACCOUNT|SERVICE|LICENSE)_?KEY(?:[_.]|$)|^(?:DATABASE|DB|REDIS|MONGO(?:DB)?|AMQP|RABBITMQ|POSTGRES(?:QL)?|MYSQL|CLOUDINARY|CELERY_BROKER|MAILER)_(?:URL|URI|DSN)$/i;

/** Keys that frameworks and container images are told their settings by. */
const knownKey =
  /^(?:(?:APP|DB|DATABASE|MYSQL|MARIADB|POSTGRES|PG|REDIS|MONGO|MAIL|SMTP|AWS|S3|QUEUE|CACHE|SESSION|BROADCAST|PUSHER|DJANGO|FLASK|RAILS|NODE|STRIPE|PAYPAL|TWILIO|SENDGRID|SENTRY|GITHUB|GOOGLE|AZURE|OAUTH|ELASTIC(?:SEARCH)?|RABBITMQ|CELERY|WP|LOG|JWT|OPENAI|FTP|SSH)_[A-Z0-9_]+|PORT|HOST|DEBUG|ENVIRONMENT)$/;

/** What stands where a value is yet to be filled in. */
const placeholder =
  /^(?:|null|none|nil|true|false|undefined|changeme|change[-_ ]me.*|your[-_ ].*|x{3,}|\*{3,}|<.*>|\$\{?\w+\}?|\{\{.*\}\}|example|placeholder|todo|secret|password|(?:https?|rediss?|postgres(?:ql)?|mysql|mongodb|amqp):\/\/[\w.-]+(?::\d+)?(?:\/[\w.-]*)?)$/i;

const assignment = /^\s*(?:export\s+)?([A-Za-z_][A-Za-z0-9_.]{0,99})\s*=\s*(.*)$/;

/**
 * The settings of a `.env` file, when the text is one: nothing but assignments, comments and the further lines of
 * quoted values. Undefined otherwise.
 */
export function readSettings(text: string): Setting[] | undefined {
  const settings: Setting[] = [];
  let openQuote = '';
  for (const line of text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/)) {
    if (openQuote !== '') {
      if (line.trimEnd().endsWith(openQuote)) openQuote = '';
      continue;
    }
    if (/^\s*(?:#.*)?$/.test(line)) continue;
    const [, key, rest = ''] = assignment.exec(line) ?? [];
    if (key === undefined) return undefined;
    const quote = /^["']/.exec(rest)?.[0] ?? '';
    if (quote !== '' && !rest.slice(1).includes(quote)) openQuote = quote;
    const value = quote === '' ? rest.replace(/\s+#.*$/, '').trim() : (rest.slice(1).split(quote)[0] ?? '');
    settings.push({ key, value, isSecret: !isPublic.test(key) && secretKey.test(key) && !placeholder.test(value) });
  }
  return openQuote === '' ? settings : undefined;
}

/** Settings whose key tells what they are for, secrets first. Those meant for the browser are not among them. */
export const tellingSettings = (settings: readonly Setting[]): Setting[] =>
  settings
    .filter(({ key, isSecret }) => isSecret || (!isPublic.test(key) && knownKey.test(key)))
    .toSorted((a, b) => Number(b.isSecret) - Number(a.isSecret));

/**
 * A pattern whose first group is the value of a setting, and that holds nothing of it.
 * @returns undefined when none finds it, because the file sets it more than once
 */
export function patternOf({ key, value }: Setting, text: string): string | undefined {
  const start = `(?m)^\\s*(?:export\\s+)?${escapePattern(key)}\\s*=\\s*`;
  const values = ['"([^"]*)"', "'([^']*)'", '([^\\s#"\'](?:[^\\n]*?[^\\s])?)\\s*$', '([^\\s#"\'][^\\n#]*[^\\s#])'];
  return values.map((each) => start + each).find((pattern) => firstMatch(pattern, text)?.groups[0] === value);
}
