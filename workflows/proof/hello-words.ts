import type { HelloAnswer } from '../model/tls-hello.ts';

/** The answer in a line. */
export function helloSummary({ outcome, version, suite, alert }: HelloAnswer): string {
  if (outcome === 'refused') return `refused: ${alert}`;
  return `${version} ${suite}${outcome === 'accepted' ? '' : ', which was not offered'}`;
}

/** The answer as it is kept in the evidence. */
export function helloText({ outcome, version, suite, compression, group, dhBits, alert }: HelloAnswer): string {
  if (outcome === 'refused') return `alert ${alert}`;
  return [
    `version ${version}`,
    `suite ${suite}`,
    `compression ${compression}`,
    ...(group === '' ? [] : [`group ${group}`]),
    ...(dhBits === undefined ? [] : [`Diffie-Hellman prime ${dhBits} bits`]),
  ].join('\n');
}
