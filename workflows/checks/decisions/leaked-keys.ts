import type { Fact } from '../../model/fact.ts';
import { escapePattern, firstMatch } from '../../proof/pattern.ts';
import type { CheckContext } from '../contract.ts';
import { type LeakedPlace, leakedTexts } from '../files/leaked-texts.ts';
import { secretsIn } from '../files/secret-formats.ts';
import { likeliest } from '../inputs/at-most.ts';
import { encodeTemplate } from '../inputs/input-url.ts';
import type { PageChange } from './opened-page.ts';

/** A key for the site itself in a file that everybody can read. */
export type LeakedKey = LeakedPlace & {
  value: string;
  /** Its first group is the key. */
  pattern: string;
  /** Ways to send a key: each with what it is called. */
  ways: readonly KeyWay[];
  /** Addresses of the site that the file names. */
  addresses: readonly string[];
};

export type KeyWay = { what: string; headers?: readonly string[]; prefix?: string; parameters?: readonly string[] };

const maxKeys = 4;
const value = `([\\w.~+/=-]{8,400})`;

/** X-Admin-Token: value; -H "Authorization: Bearer value"; 'X-Api-Key' => 'value' */
const inHeader = new RegExp(
  `\\b(x-[a-z][a-z\\d-]{1,40}|api-?key|authorization)["']?\\s{0,3}(?::|=>?|,)\\s{0,3}["']?((?:Bearer|Token|ApiKey) )?${value}`,
  'gi',
);
/** GET /export?token=value */
const inQuery = new RegExp(`[?&]((?:[a-z]{1,20}[_-]?)?(?:key|token|secret))=${value}`, 'gi');
/** ADMIN_API_KEY=value, adminToken: "value" */
const inSetting = new RegExp(
  `(?<![\\w.-])["']?([\\w.-]{0,40}?(?:key|token|secret))["']?\\s{0,3}(?:=>?|:)\\s{0,3}["'\`]?${value}`,
  'gi',
);
/** Of other services, of what signs or encrypts, and what is no secret. */
const otherwise =
  /aws|amazon|s3|azure|gcp|google|stripe|paypal|github|gitlab|slack|smtp|mail|sendgrid|twilio|sentry|captcha|facebook|twitter|openai|firebase|algolia|mapbox|database|mysql|postgres|redis|mongo|ssh|gpg|pgp|license|npm|public|primary|foreign|cache|sort|jwt|session|cookie|sign|hmac|csrf|xsrf|encrypt|salt|^app_?key$|secret_?key/i;
const placeholder =
  /^(?:your|change|replace|insert|example|xxx|test|todo|true|false|null|none|undefined|process\.env|env\.|self\.|this\.|config\.)/i;
const address = /(?<![\w.:/-])(\/(?:[\w-]{1,60}\/){0,6}[\w-]{1,60})(?=[?"'`\s,;)]|$)/gm;

/** Keys in what checks have shown to be given away, each with all ways to send it; those that a file itself names come first. */
export async function leakedKeys(
  context: Pick<CheckContext, 'http' | 'leave' | 'surface'>,
  facts: readonly Pick<Fact, 'subject' | 'attributes'>[],
): Promise<LeakedKey[]> {
  const found: LeakedKey[] = [];
  for await (const { text, place } of leakedTexts(context, facts)) {
    const addresses = addressesIn(text, context.surface.url);
    found.push(...keysIn(text).map((key) => ({ ...place, ...key, addresses })));
  }
  const once = [...Map.groupBy(found, ({ value }) => value).values()].flatMap(([first, ...others]) =>
    first ? [{ ...first, ways: [first, ...others].flatMap(({ ways }) => ways) }] : [],
  );
  return likeliest(context, once, maxKeys, 'keys in files');
}

/** A word or a number is what a setting is called or counts. */
const isLikely = (given: string): boolean => !/^\d+$/.test(given) && (/\d/.test(given) || given.length >= 12);

type KeyInText = Pick<LeakedKey, 'value' | 'pattern' | 'ways'>;

/** What issuers of other services have given has their form, and is sent to nobody. */
function keysIn(text: string): KeyInText[] {
  const issued = new Set(secretsIn(text).flatMap(({ format, value }) => (format.called === undefined ? [value] : [])));
  const isKey = (name: string, given: string): boolean =>
    !otherwise.test(name) && !placeholder.test(given) && !issued.has(given) && isLikely(given);
  const keys: KeyInText[] = [];
  const add = (match: RegExpMatchArray, name: string, given: string, ways: KeyWay[]) => {
    const before = match[0].slice(0, match[0].length - given.length);
    const pattern = `${escapePattern(before)}${value}`;
    const isFound = firstMatch(pattern, text)?.groups[0] === given;
    if (isKey(name, given) && isFound) keys.push({ value: given, pattern, ways });
  };
  for (const match of text.matchAll(inHeader)) {
    const [, name = '', prefix = '', given = ''] = match;
    if (!/^authorization$/i.test(name) || prefix !== '')
      add(match, '', given, [{ what: `the header ${name}`, headers: [name], prefix }]);
  }
  for (const match of text.matchAll(inQuery)) {
    const [, name = '', given = ''] = match;
    add(match, name, given, [{ what: `the parameter ${name}`, parameters: [name] }]);
  }
  for (const match of text.matchAll(inSetting)) {
    const [, name = '', given = ''] = match;
    add(match, name, given, usualWays(name));
  }
  return keys;
}

const usualHeaders = ['X-API-Key', 'X-API-Token', 'X-Auth-Token', 'X-Access-Token', 'X-Token'] as const;
const usualParameters = ['api_key', 'apikey', 'key'] as const;

/** @param setting "ADMIN_API_TOKEN": "X-Admin-Api-Token", "X-Api-Token" and the usual ones */
function usualWays(setting: string): KeyWay[] {
  const words = setting.split(/[^A-Za-z\d]+|(?<=[a-z\d])(?=[A-Z])/).filter((word) => word !== '' && !/^x$/i.test(word));
  const written = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase());
  const own = [written, written.slice(-2)].map((parts) => `X-${parts.join('-')}`);
  const headers = [...new Map([...own, ...usualHeaders].map((name) => [name.toLowerCase(), name])).values()];
  return [
    { what: 'headers for keys', headers },
    { what: 'the header Authorization', headers: ['Authorization'], prefix: 'Bearer ' },
    { what: 'parameters for keys', parameters: [...usualParameters] },
  ];
}

/** The same way by one name alone. */
export const singleWays = ({ headers = [], parameters = [], prefix }: KeyWay): KeyWay[] => [
  ...headers.map((name) => ({
    ...{ what: `the header ${name}`, headers: [name] },
    ...(prefix === undefined ? {} : { prefix }),
  })),
  ...parameters.map((name) => ({ what: `the parameter ${name}`, parameters: [name] })),
];

/** @param key the value, or `‹key›` for one that is captured */
export function keyChange(
  url: string,
  { what, headers = [], prefix = '', parameters = [] }: KeyWay,
  key: string,
): PageChange {
  const send = (given: string) => {
    const encoded = encodeTemplate(given).replace('‹key›', '‹encode:key›');
    const pairs = parameters.map((name) => `${name}=${encoded}`).join('&');
    return {
      url: pairs === '' ? url : `${url}${url.includes('?') ? '&' : '?'}${pairs}`,
      ...(headers.length > 0 ? { headers: headers.map((name) => [name, prefix + given] as const) } : {}),
    };
  };
  return { what: `the key of the file in ${what}`, refused: { url }, changed: send(key), twin: send('‹nonce›') };
}

const addressesIn = (text: string, site: string): string[] => [
  ...new Set([...text.matchAll(address)].map(([, path = '']) => new URL(path, site).href)),
];
