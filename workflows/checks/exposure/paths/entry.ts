import { type Assertion, claim, type Subject } from '../../../model/experiment.ts';
import type { SettingFormat } from '../../../proof/files/settings.ts';
import type { Stack } from '../../pages/fingerprint-host.ts';

/** One way to read an answer: what it then is, the claims that show it, and how bad that is. */
export type Reading = {
  /** Ends "The answer is …". */
  holds: string;
  /** Default 200. */
  status?: number;
  claims: readonly Assertion[];
  /** Another vector than the check's. */
  cvss?: string;
};

/** Paths that may be open, and what would be there. */
export type ExposedPath = {
  /** The check that reports it: "log-file" for "exposure.log-file". */
  check: string;
  /** Below the root of the site, without a slash before. */
  paths: readonly string[];
  /** The first that fits counts, so the gravest comes first. */
  readings: readonly Reading[];
  /** What it goes with. Asked for first where the site shows that it is there; anything by default. */
  stacks?: readonly Stack[];
  /** Asked for in the first folders of the site as well. */
  inFolders?: true;
};

/** Everything that somebody needs for getting further is in it. */
export const grave = 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N';
/** It discloses how the site is built. */
export const mild = 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:L/I:N/A:N';
/** It shortens a search, and no more. */
export const slight = 'CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:U/C:L/I:N/A:N';
export const harmless = 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:N';
/** Whoever opens it is let to run code. */
export const takeover = 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H';

/** The answer matches this; no more of it is kept than what the pattern matches. */
export const inBody = (pattern: string, note?: string): Assertion => claim('body:masked', 'matches', pattern, note);

export const notPage: Assertion = claim(
  'body:masked',
  'not-matches',
  '(?i)<(?:!doctype html|html|head|body|title)\\b',
  'It is no page.',
);

/** A page that asks for a password shows nothing of what stands behind it. */
export const notLogin: Assertion = claim(
  'body:masked',
  'not-matches',
  '(?i)<input\\b[^>]{0,300}\\btype\\s*=\\s*["\']?password\\b',
  'It asks for no password.',
);

/** A text that fits all of these patterns, and is no page. */
export const textOf = (holds: string, patterns: readonly string[], cvss?: string): Reading => ({
  holds,
  claims: [...patterns.map((pattern) => inBody(pattern)), notPage],
  ...(cvss === undefined ? {} : { cvss }),
});

/** JSON in which these members stand: pointers with a pattern each. */
export const jsonOf = (holds: string, members: Readonly<Record<string, string>>, cvss?: string): Reading => ({
  holds,
  claims: [
    inBody('^\\s*[\\[{]'),
    ...Object.entries(members).map(([at, pattern]) => claim(`body:json:${at}`, 'matches', pattern)),
  ],
  ...(cvss === undefined ? {} : { cvss }),
});

/** A page, or JSON, that fits all of these patterns. */
export const pageOf = (holds: string, patterns: readonly string[], cvss?: string): Reading => ({
  holds,
  claims: patterns.map((pattern) => inBody(pattern)),
  ...(cvss === undefined ? {} : { cvss }),
});

const named = (format: SettingFormat, name: string): Assertion =>
  claim(`body:settings:${format}`, 'matches', `(?m)^(?:${name})$`, 'It sets this.');

/**
 * A file of settings in this format, in which all of these names are set. With a secret among its values it is a grave case.
 * @param names RE2 patterns of names with the levels above them, `database\.host`
 */
export function settingsOf(
  holds: string,
  format: SettingFormat,
  names: readonly string[],
  { without = slight }: { without?: string } = {},
): Reading[] {
  const shape = names.map((name) => named(format, name));
  const secret = claim(`body:secret-settings:${format}`, 'present', '', 'Some of them are secret, and filled in.');
  return [
    { holds: `${holds}, with secrets in it`, claims: [...shape, secret], cvss: grave },
    { holds, claims: shape, cvss: without },
  ];
}

/** The same, when it counts for its secrets alone. */
export const secretsOf = (holds: string, format: SettingFormat, names: readonly string[]): Reading[] =>
  settingsOf(holds, format, names).slice(0, 1);

/** A file whose structure a subject reads: tables, keys, names. */
export const fileOf = (holds: string, subject: Subject, pattern: string, cvss?: string): Reading => ({
  holds,
  claims: [claim(subject, 'matches', pattern)],
  ...(cvss === undefined ? {} : { cvss }),
});
