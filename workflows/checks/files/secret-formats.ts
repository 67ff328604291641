import {
  hasCheckSum,
  isAwsKeyId,
  isAwsSecret,
  isBasicCredential,
  isBech32,
  isDatabaseUrl,
  isDiscordToken,
  isPrivateKey,
  isPypiToken,
  isRandom,
  isServiceToken,
  isUnguessable,
} from './secret-check-sums.ts';

/** A kind of secret that is recognisable by its form alone. */
type SecretFormat = {
  name: string;
  /** RE2 and JavaScript; the whole match is the secret. Bounded, so that it takes linear time in both. */
  pattern: string;
  /** The check sum, the structure or the randomness that a made-up example lacks. */
  isGenuine(value: string): boolean;
  /** What has to stand near it: a part that is no secret by itself, and without which it is not known for one. */
  near?: { pattern: string; isGenuine(value: string): boolean };
  /** What the value has to be called, in code or data, where it has no form of its own. */
  called?: string;
};

const format = (
  name: string,
  pattern: string,
  isGenuine: SecretFormat['isGenuine'] = isRandom(24, 3.5),
): SecretFormat => ({
  name,
  pattern,
  isGenuine,
});
const hex = (length: number) => isRandom(length, 3);

/**
 * Formats of secrets that must never be in a browser. Those that issuers mean to be public (Stripe's pk_, Google's AIza, Sentry's DSN,
 * Mapbox's pk., Firebase's configuration, Supabase's anon and sb_publishable_) are not among them. Sources: the issuers' documentation.
 */
const secretFormats: readonly SecretFormat[] = [
  format('a GitHub token', 'gh[pousr]_[A-Za-z0-9]{36}', hasCheckSum),
  format('a fine-grained GitHub token', 'github_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59}', isRandom(59, 4.3)),
  format('an npm token', 'npm_[A-Za-z0-9]{36}', hasCheckSum),
  format('a GitLab token', 'gl(?:pat|ptt|dt|rt)-[\\w-]{20,64}', isRandom(20, 3.4)),
  format('a token of PyPI', 'pypi-AgEIcHlwaS5vcmc[\\w-]{50,300}', isPypiToken),
  format('a key of RubyGems', 'rubygems_[0-9a-f]{48}', hex(48)),
  format('a token of Docker Hub', 'dckr_(?:pat|oat)_[\\w-]{27,40}'),
  format('a secret key of Stripe', '[sr]k_live_[A-Za-z0-9]{24,247}'),
  format('a webhook secret of Stripe', 'whsec_[A-Za-z0-9]{32,64}', isRandom(32, 3.8)),
  format('a token of Slack', 'xox[bpars]-[0-9]{10,13}-[0-9]{10,13}-[A-Za-z0-9-]{24,80}'),
  format('an app token of Slack', 'xapp-1-A[A-Z0-9]{8,12}-[0-9]{10,13}-[0-9a-f]{64}', hex(64)),
  format('a webhook of Slack', 'https://hooks\\.slack\\.com/services/T[A-Z0-9]{8,12}/B[A-Z0-9]{8,12}/[A-Za-z0-9]{24}'),
  format('an API key of SendGrid', 'SG\\.[\\w-]{22}\\.[\\w-]{43}', isRandom(43, 4)),
  format('an API key of Mailgun', 'key-[0-9a-f]{32}', hex(32)),
  format('an API key of Mailchimp', '[0-9a-f]{32}-us[0-9]{1,2}', (value) => hex(32)(value.slice(0, 32))),
  format('an API key of Brevo', 'xkeysib-[0-9a-f]{64}-[A-Za-z0-9]{16}', isRandom(80, 3.4)),
  format('an API key of Resend', 're_[A-Za-z0-9]{8}_[A-Za-z0-9]{24}', isRandom(24, 3.8)),
  // "T3BlbkFJ" is "OpenAI" in base64, which the issuer puts into its keys.
  format(
    'an API key of OpenAI',
    'sk-(?:proj-|svcacct-|admin-)?[\\w-]{20,100}T3BlbkFJ[\\w-]{20,100}',
    isRandom(20, 3.3),
  ),
  format('an API key of Anthropic', 'sk-ant-(?:api|admin)[0-9]{2}-[\\w-]{93}AA', isRandom(95, 4)),
  format('a token of Hugging Face', 'hf_[A-Za-z]{34}', isRandom(34, 3.9)),
  format('an API key of Groq', 'gsk_[A-Za-z0-9]{52}', isRandom(52, 4.2)),
  format('a token of Replicate', 'r8_[A-Za-z0-9]{37}', isRandom(37, 4)),
  format('an access token of Shopify', 'shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}', hex(32)),
  format('a token of DigitalOcean', 'do[por]_v1_[a-f0-9]{64}', isRandom(64, 3.3)),
  format('a secret key of Supabase', 'sb_secret_[\\w-]{31,60}', isRandom(22, 3.6)),
  format(
    'a token that passes by the rules of the service',
    'eyJ[\\w-]{10,200}\\.eyJ[\\w-]{20,1000}\\.[\\w-]{43,350}',
    isServiceToken,
  ),
  format('a client secret of Google', 'GOCSPX-[\\w-]{28}', isRandom(28, 3.8)),
  format('a refresh token of Google', '1//0[\\w-]{60,120}', isRandom(60, 4.3)),
  format('a server key of Firebase Cloud Messaging', 'AAAA[\\w-]{7}:[\\w-]{140}', isRandom(140, 5)),
  {
    ...format('a secret key of AWS', '[A-Za-z0-9/+]{40}', isAwsSecret),
    near: { pattern: '(?:AKIA|ASIA)[A-Z2-7]{16}', isGenuine: isAwsKeyId },
  },
  {
    ...format('an auth token of Twilio', '[0-9a-f]{32}', hex(32)),
    near: { pattern: 'AC[0-9a-f]{32}', isGenuine: (value) => hex(32)(value) },
  },
  format('a key of Azure Storage', 'AccountKey=[A-Za-z0-9+/]{86}==', isRandom(86, 5)),
  format('a client secret of Microsoft Entra', '[\\w~.-]{3}8Q~[\\w~.-]{34}', isRandom(34, 4)),
  format('a token of Atlassian', 'ATATT3[\\w-]{150,250}=[0-9A-F]{8}', isRandom(100, 4.5)),
  format('a token of a Telegram bot', '[0-9]{8,10}:AA[\\w-]{33}', isRandom(33, 4)),
  format('a token of a Discord bot', '[MNO][\\w-]{22,27}\\.[\\w-]{6}\\.[\\w-]{27,38}', isDiscordToken),
  format(
    'a webhook of Discord',
    'https://discord(?:app)?\\.com/api/webhooks/[0-9]{17,20}/[\\w-]{60,68}',
    isRandom(60, 4.3),
  ),
  format('a token of Square', 'sq0(?:csp|atp)-[\\w-]{22,43}', isRandom(22, 3.6)),
  format('a token of Braintree', 'access_token\\$production\\$[a-z0-9]{16}\\$[a-f0-9]{32}', hex(32)),
  format('a user key of New Relic', 'NRAK-[A-Z0-9]{27}', isRandom(27, 3.6)),
  format('a token of Sentry', 'sntry(?:u_[a-f0-9]{64}|s_eyJ[\\w=+/.-]{80,300})', isRandom(43, 3.3)),
  format('a service token of Grafana', 'gl(?:sa_[A-Za-z0-9]{32}_[0-9a-f]{8}|c_eyJ[\\w+/=]{60,300})', isRandom(41, 3.8)),
  format('a token of Vault', 'hvs\\.[\\w-]{90,120}', isRandom(90, 4.5)),
  format('a token of Terraform Cloud', '[A-Za-z0-9]{14}\\.atlasv1\\.[\\w-]{60,70}', isRandom(60, 4.3)),
  format('an API key of Postman', 'PMAK-[0-9a-f]{24}-[0-9a-f]{34}', hex(34)),
  format('a token of Doppler', 'dp\\.(?:pt|st|ct|sa)\\.(?:[\\w-]{2,35}\\.)?[A-Za-z0-9]{40,44}', isRandom(40, 4.2)),
  format('a token of Databricks', 'dapi[0-9a-f]{32}', hex(32)),
  format('an API key of Linear', 'lin_api_[A-Za-z0-9]{40}', isRandom(40, 4.2)),
  format('a token of Notion', '(?:ntn_[A-Za-z0-9]{46}|secret_[A-Za-z0-9]{43})', isRandom(43, 4.2)),
  format('a token of Airtable', 'pat[A-Za-z0-9]{14}\\.[a-f0-9]{64}', hex(64)),
  format('a token of Heroku', 'HRKU-AA[\\w-]{58}', isRandom(58, 4.3)),
  format('a password of PlanetScale', 'pscale_(?:tkn|pw|oauth)_[\\w=.-]{32,64}', isRandom(32, 3.9)),
  format('a token of Pulumi', 'pul-[0-9a-f]{40}', hex(40)),
  format('a secret key of age', 'AGE-SECRET-KEY-1[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58}', isBech32),
  format(
    'a URL of a database with its password',
    '(?:postgres(?:ql)?|mysql|mariadb|mongodb(?:\\+srv)?|rediss?|amqps?|mssql|sqlserver)://[\\w.%+-]{1,64}:[^\\s:/@"\'`<>\\\\]{6,100}@[\\w.-]{3,253}',
    isDatabaseUrl,
  ),
  format(
    'an address with a name and its password',
    '(?:https?|s?ftps?)://[\\w.%+-]{1,64}:[^\\s:/@"\'`<>\\\\]{8,100}@[\\w.-]{3,253}',
    isDatabaseUrl,
  ),
  format('a name and password of HTTP Basic authentication', 'Basic [A-Za-z0-9+/]{14,160}={0,2}', isBasicCredential),
  format(
    'a private key',
    '-----BEGIN (?:RSA |EC |OPENSSH )?PRIVATE KEY-----(?:\\\\r|\\\\n|[A-Za-z0-9+/=\\s]){100,}-----END (?:RSA |EC |OPENSSH )?PRIVATE KEY-----',
    isPrivateKey,
  ),
  {
    ...format('a key that its name calls secret', '[\\w+/=.-]{20,128}', isUnguessable),
    called:
      '(?:(?:jwt|session|signing|hmac|cookie|encryption|webhook|api|app|client)[_-]?secret(?:[_-]?key)?|secret[_-]?key|(?:internal|admin|master|private|backend)[_-]?(?:api[_-]?)?(?:key|token))',
  },
];

/** A secret in a text, by its format. */
type FormedSecret = { format: SecretFormat; value: string };

/** How far the other part of a pair may be. */
const nearby = 240;

/** Genuine secrets in a text, each once. Neighbouring word characters would make it a part of something else. */
export function secretsIn(text: string): FormedSecret[] {
  const found = new Map<string, FormedSecret>();
  for (const format of secretFormats)
    for (const value of valuesOf(format, text))
      if (!found.has(value) && format.isGenuine(value)) found.set(value, { format, value });
  return [...found.values()];
}

const matcher = (pattern: string) => new RegExp(`(?<![\\w/+-])${pattern}(?![\\w/+])`, 'g');

function valuesOf({ pattern, near, called }: SecretFormat, text: string): string[] {
  if (called !== undefined)
    return [...text.matchAll(new RegExp(`${called}["'\`]?\\s{0,3}[:=]\\s{0,3}["'\`](${pattern})["'\`]`, 'gi'))].flatMap(
      ([, value]) => value ?? [],
    );
  if (!near) return [...text.matchAll(new RegExp(`(?<![\\w-])${pattern}(?![\\w])`, 'g'))].map(([value]) => value);
  return [...text.matchAll(matcher(near.pattern))].flatMap(({ 0: other, index }) => {
    if (!near.isGenuine(other)) return [];
    const around = text.slice(Math.max(0, index - nearby), index + other.length + nearby);
    return [...around.matchAll(matcher(pattern))].map(([value]) => value).filter((value) => value !== other);
  });
}
