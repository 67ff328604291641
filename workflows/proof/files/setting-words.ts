/** Values that end up in the browser by design. Source: documentation of Vite, Create React App, Next.js, Vue CLI, Nuxt, Expo, Gatsby. */
const isPublic = /^(?:VITE|REACT_APP|NEXT_PUBLIC|VUE_APP|NUXT_PUBLIC|EXPO_PUBLIC|GATSBY|PUBLIC|STORYBOOK)_/i;

const secretName =
  /(?:^|[_.-])(?:PASS(?:WORD|WD|PHRASE)?|PWD|SECRETS?|TOKEN|CREDENTIALS?|DSN|SALT|JWT)(?:[_.-]|$)|(?:API|ACCESS|PRIVATE|SECRET|SIGNING|ENCRYPTION|AUTH|APP|MASTER|ACCOUNT|SERVICE|LICENSE)[_-]?KEY(?:[_.-]|$)|^(?:DATABASE|DB|REDIS|MONGO(?:DB)?|AMQP|RABBITMQ|POSTGRES(?:QL)?|MYSQL|CLOUDINARY|CELERY_BROKER|MAILER)_(?:URL|URI|DSN)$/i;

/** What a template of settings has in the place of a value. */
const unfilled =
  /^(?:|changeme|change[-_ ]me.*|your[-_ ].*|.*_here|put your unique phrase here|x{3,}|\*{3,}|<.*>|\{\{.*\}\}|placeholder|todo)$/i;
/** What is no secret of anybody, or names where one is read from. */
const noSecret =
  /^(?:null|none|nil|true|false|undefined|\$\{?[\w.:-]+\}?|%[\w()]+%?|@[\w.]+@|!secret .*|ENC\(.*\)|example|secret|password|(?:https?|rediss?|postgres(?:ql)?|mysql|mongodb|amqp):\/\/[\w.-]+(?::\d+)?(?:\/[\w.-]*)?)$/i;

/** A password inside of a value: "Server=db;Password=…" of .NET and ODBC, "scheme://user:password@host". */
const connection = /(?:^|;)\s*(?:password|pwd)\s*=\s*([^;\s]+)|^[a-z][a-z\d+.-]*:\/\/[^\s/:@]*:([^\s/@]+)@/i;

/** Whether a setting of this name is meant for the browser. */
export const isPublicSetting = (name: string): boolean => isPublic.test(name);

/** Whether a value is yet to be filled in. */
export const isUnfilled = (value: string): boolean => unfilled.test(value.trim());

const isNoSecret = (value: string): boolean => isUnfilled(value) || noSecret.test(value);

/** Whether a setting is a secret, by its name or form, that was filled in. */
export function isSecretSetting(name: string, value: string): boolean {
  if (isPublic.test(name)) return false;
  const inside = connection.exec(value);
  if (inside) return !isNoSecret(inside[1] ?? inside[2] ?? '');
  return secretName.test(underscored(name)) && !isNoSecret(value.trim());
}

/** The last name of a path as settings in capitals write it: "spring.datasource.dbPassword" → "db_Password". */
const underscored = (path: string): string =>
  path.slice(path.lastIndexOf('.') + 1).replace(/([a-z\d])([A-Z])/g, '$1_$2');
