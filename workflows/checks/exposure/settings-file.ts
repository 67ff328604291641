import { isPublicSetting, isSecretSetting, isUnfilled } from '../../proof/files/setting-words.ts';
import { escapePattern, firstMatch } from '../../proof/pattern.ts';

/** An assignment in a file of environment settings. */
export type Setting = { key: string; value: string; isSecret: boolean };

/** Keys by which frameworks and container images are configured. */
const knownKey =
  /^(?:(?:APP|DB|DATABASE|MYSQL|MARIADB|POSTGRES|PG|REDIS|MONGO|MAIL|SMTP|AWS|S3|QUEUE|CACHE|SESSION|BROADCAST|PUSHER|DJANGO|FLASK|RAILS|NODE|STRIPE|PAYPAL|TWILIO|SENDGRID|SENTRY|GITHUB|GOOGLE|AZURE|OAUTH|ELASTIC(?:SEARCH)?|RABBITMQ|CELERY|WP|LOG|JWT|OPENAI|FTP|SSH)_[A-Z0-9_]+|PORT|HOST|DEBUG|ENVIRONMENT)$/;

const assignment = /^\s*(?:export\s+)?([A-Za-z_][A-Za-z0-9_.]{0,99})\s*=\s*(.*)$/;

/** Lines that are something else, such as a condition of a shell or a name alone: at most one of so many. */
const linesForOneOther = 3;

/**
 * The settings of a `.env` file, when the text is one: assignments, comments and the further lines of quoted values, and hardly
 * anything else. Undefined otherwise.
 */
export function readSettings(text: string): Setting[] | undefined {
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/);
  const settings: Setting[] = [];
  let others = 0;
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    if (/^\s*(?:#.*)?$/.test(line)) continue;
    const [, key, rest = ''] = assignment.exec(line) ?? [];
    if (key === undefined) {
      others += 1;
      continue;
    }
    const quote = /^["']/.exec(rest)?.[0] ?? '';
    if (quote !== '' && !rest.slice(1).includes(quote)) at = endOfValue(lines, at, quote);
    const value = quote === '' ? rest.replace(/\s#.*$/, '').trim() : (rest.slice(1).split(quote)[0] ?? '');
    settings.push({ key, value, isSecret: isSecretSetting(key, value) });
  }
  return others * linesForOneOther > settings.length ? undefined : settings;
}

/** The line that a quoted value ends on; the one that it begins on where nothing closes it. */
function endOfValue(lines: readonly string[], start: number, quote: string): number {
  const end = lines.findIndex((line, index) => index > start && line.trimEnd().endsWith(quote));
  return end === -1 ? start : end;
}

/** Settings that are filled in and whose key is known, secrets first. Those meant for the browser are not among them. */
export const knownSettings = (settings: readonly Setting[]): Setting[] =>
  settings
    .filter(
      ({ key, value, isSecret }) => isSecret || (!isUnfilled(value) && !isPublicSetting(key) && knownKey.test(key)),
    )
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
