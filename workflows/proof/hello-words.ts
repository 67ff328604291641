import type { HelloAnswer } from '../model/tls-hello.ts';

/** What claims about the answer to a ClientHello look at (see `Assertion`). A choice that was not offered is none. */
export function helloSubjects(answer: HelloAnswer): Record<string, string | undefined> {
  const { outcome, version, suite, group, compression, dhBits, alert } = answer;
  const renegotiation = answer.isRenegotiationSecure ? 'secure' : 'insecure';
  const ofChoice = (word: string | undefined) => (outcome === 'accepted' ? word || undefined : undefined);
  return {
    'hello:version': ofChoice(version),
    'hello:suite': ofChoice(suite),
    'hello:group': ofChoice(group),
    'hello:compression': ofChoice(compression),
    'hello:dh-bits': ofChoice(dhBits?.toString()),
    'hello:renegotiation': ofChoice(version === 'TLSv1.3' ? undefined : renegotiation),
    'hello:alert': alert || undefined,
  };
}

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
