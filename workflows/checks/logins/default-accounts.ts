import { percentDecodedOrSame } from '../../../kit/percent.ts';
import type { CheckContext } from '../contract.ts';
import type { LoginChange } from './entrance.ts';
import { type Login, type LoginAddress, loginAction, nobody } from './login.ts';
import { namesShown } from './names-shown.ts';

/** As a login takes it. */
export type AccountPair = readonly [name: string, password: string];

/** Accounts that products come with, by what their login page says of itself. Sources: the manuals of the products. */
const products: readonly { product: string; page: RegExp; pairs: readonly AccountPair[] }[] = [
  {
    product: 'Apache Tomcat',
    page: /tomcat/i,
    pairs: [
      ['tomcat', 'tomcat'],
      ['tomcat', 's3cret'],
      ['admin', 'admin'],
    ],
  },
  { product: 'RabbitMQ', page: /rabbitmq/i, pairs: [['guest', 'guest']] },
  { product: 'ActiveMQ', page: /activemq/i, pairs: [['admin', 'admin']] },
  { product: 'Grafana', page: /grafana/i, pairs: [['admin', 'admin']] },
  { product: 'SonarQube', page: /sonarqube/i, pairs: [['admin', 'admin']] },
  { product: 'Nexus Repository', page: /nexus repository/i, pairs: [['admin', 'admin123']] },
  { product: 'MinIO', page: /minio/i, pairs: [['minioadmin', 'minioadmin']] },
  {
    product: 'Apache Airflow',
    page: /airflow/i,
    pairs: [
      ['airflow', 'airflow'],
      ['admin', 'admin'],
    ],
  },
  { product: 'Zabbix', page: /zabbix/i, pairs: [['Admin', 'zabbix']] },
  {
    product: 'phpMyAdmin',
    page: /phpmyadmin/i,
    pairs: [
      ['root', ''],
      ['root', 'root'],
    ],
  },
  { product: 'GLPI', page: /glpi/i, pairs: [['glpi', 'glpi']] },
  { product: 'Nagios', page: /nagios/i, pairs: [['nagiosadmin', 'nagiosadmin']] },
  { product: 'Kibana', page: /kibana|elasticsearch/i, pairs: [['elastic', 'changeme']] },
  {
    product: 'WebLogic',
    page: /weblogic/i,
    pairs: [
      ['weblogic', 'welcome1'],
      ['weblogic', 'weblogic1'],
    ],
  },
  { product: 'Openfire', page: /openfire/i, pairs: [['admin', 'admin']] },
  { product: 'Keycloak', page: /keycloak/i, pairs: [['admin', 'admin']] },
];
/** What programs for those who run a site are called. */
const administration =
  /(?:^|[^\p{L}])(?:admin(?:istrat\p{L}*)?|back[- ]?(?:office|end)|console|control ?panel|dashboard|management|manager|verwaltung|panel)(?:$|[^\p{L}])/iu;
/** Cameras, routers and other devices, and what their makers print into the manual. */
const device =
  /(?:^|[^\p{L}])(?:[dn]vr|cctv|(?:ip|web|network) ?cam(?:era)?s?|cameras?|(?:video|network) ?recorder|router|gateway|access point|wlan|wi-?fi|modem|firewall|printer|plc|firmware)(?:$|[^\p{L}])/iu;
const ofDevices: readonly AccountPair[] = [
  ['admin', 'admin'],
  ['admin', '12345'],
  ['admin', '1234'],
  ['admin', 'password'],
  ['admin', ''],
  ['root', 'root'],
  ['user', 'user'],
];
const usual: readonly AccountPair[] = [
  ['admin', 'admin'],
  ['admin', 'password'],
  ['admin', '123456'],
  ['admin', 'admin123'],
  ['administrator', 'administrator'],
  ['root', 'root'],
];
/** What everybody tries first elsewhere: few for each name, so that no account is locked. */
const first: readonly AccountPair[] = [
  ['admin', 'admin'],
  ['test', 'test'],
  ['demo', 'demo'],
  ['guest', 'guest'],
  ['user', 'user'],
  ['editor', 'editor'],
  ['root', 'root'],
  ['admin', 'password'],
  ['admin', 'admin123'],
];

const secrets = ['admin', 'password', '1234', '123456', '0000', 'secret'] as const;

/** The same where there is no page but the words with which it is asked for them. */
export const accountsByWords = (words: string): readonly AccountPair[] =>
  products.find(({ page }) => page.test(words))?.pairs ??
  (device.test(words) ? ofDevices : administration.test(words) ? usual : first);

type UsualAccounts = { product?: string; pairs: readonly AccountPair[] };

/**
 * Those of the product or of an administration, where one is recognised, at most nine, and names that the site shows with themselves
 * as the password, at most five.
 */
export async function usualAccounts(
  context: Pick<CheckContext, 'http' | 'surface' | 'leave'>,
  { input, isMail }: LoginAddress,
): Promise<UsualAccounts> {
  const { http } = context;
  const page = await http.get(input.page?.url ?? input.url);
  const title = /<title[^>]*>([^<]{0,200})/i.exec(page.text)?.[1] ?? '';
  const heads = [...page.text.matchAll(/<h[1-3][^>]*>([^<]{1,200})/gi)].map(([, text]) => text).join('\n');
  const known = products.find(({ page: pattern }) => pattern.test(`${title}\n${heads}`));
  if (known) return known;
  const place = percentDecodedOrSame(new URL(input.url).pathname);
  const own = (await namesShown(context, { isMail })).map((name) => [name, name.replace(/@.*$/s, '')] as const);
  const words = `${title}\n${heads}\n${place}`;
  const general = device.test(words) ? ofDevices : administration.test(words) ? usual : isMail ? [] : first;
  const tried = new Set(general.map((pair) => pair.join(' ')));
  return { pairs: [...general, ...own.filter((pair) => !tried.has(pair.join(' ')))] };
}

/** Those as changes of the login. */
export async function defaultAccounts(
  context: Pick<CheckContext, 'http' | 'surface' | 'leave'>,
  login: Login,
): Promise<LoginChange[]> {
  if (login.nameField === undefined) return usualSecrets(login);
  const { product, pairs } = await usualAccounts(context, login);
  const of = product === undefined ? '' : ` of ${product}`;
  return pairs.flatMap((pair) => {
    const change = accountChange(login, pair);
    const [name, password] = pair;
    return change
      ? [
          {
            ...change,
            what: `${name === password ? 'an account whose password is its name' : 'the usual first account'}${of} ("${name}" with the password "${password}")`,
          },
        ]
      : [];
  });
}

/** Another secret of that form: each digit is another one. */
const secretLike = (secret: string, other: string): string =>
  /^\d+$/.test(secret) ? [...secret].map((digit, place) => (Number(digit) + 7 - 3 * (place % 2)) % 10).join('') : other;

/** Usual passwords of forms without a name, each beside another one of the same form. */
function usualSecrets(login: Login): LoginChange[] {
  return secrets.flatMap((secret) => {
    const [changed, twin] = [
      loginAction(login, '', secret),
      loginAction(login, '', secretLike(secret, nobody(login).password)),
    ];
    return changed && twin
      ? [{ what: `the password "${secret}"`, changed, twin, isEvaluated: 'unless-complaint' }]
      : [];
  });
}

/** A pair beside the same password with a name that nobody has, and the name with another password. */
export function accountChange(login: Login, [name, password]: AccountPair): Omit<LoginChange, 'what'> | undefined {
  const other = nobody(login);
  const [changed, twin] = [loginAction(login, name, password), loginAction(login, other.name, password)];
  const wrong = loginAction(login, name, other.password);
  return (
    changed && twin && wrong && { changed, twin, wrong, isEvaluated: 'unless-complaint', sent: { name, password } }
  );
}
