import type { Assertion, HttpAction, LastingWrite, WritePlan } from '../model/experiment.ts';
import { ProofError } from './proof-error.ts';
import { createRedactor, isSecretHeader, looksSecret, type Redactor, redactHeaders } from './redact.ts';

/** A request that will change the target, recorded before it is sent, with its undo and what shows that it is gone. */
export type PlannedWrite = {
  /** What changes, in one sentence. */
  description: string;
  /** Whose session takes it back. "" is anonymous. */
  identity: string;
  /** With secrets and personal data masked. */
  request: HttpAction;
  undo: WritePlan['undo'];
  /** `identity` says whose session looks; "" is anonymous. */
  verify: Required<WritePlan['verify']>;
};

/**
 * The write as it is recorded.
 * @param stepIdentity whose step it is
 * @param sessionSecrets what sessions hold, and what was captured as a secret
 * @throws ProofError when it could not be taken back from what may be stored, or nothing would show that it was
 */
export function plannedWrite(
  { write, secrets = [], ...request }: HttpAction & { write: WritePlan },
  stepIdentity: string,
  sessionSecrets: readonly string[],
): PlannedWrite {
  const { description, undo, verify, identity = stepIdentity } = write;
  if (verify.expect.every(isNegative))
    throw new ProofError('the read after an undo claims only what lacks, as any error page would');
  if (needsSecret(write, createRedactor(sessionSecrets)))
    throw new ProofError('what takes a change back has a secret in it, which must not be stored');
  const redactor = createRedactor([...secrets, ...sessionSecrets]);
  return {
    description: redactor.text(description),
    identity,
    request: redacted(request, redactor),
    undo,
    verify: { ...verify, identity: verify.identity ?? identity },
  };
}

/** A request that stores something which stays, recorded before it is sent. */
export type RecordedLasting = Pick<PlannedWrite, 'description' | 'identity' | 'request'> & {
  /** Page that shows what is left, or that has the form. */
  place: string;
};

/** @param identity whose session sends it, "" for nobody's */
export function lastingRecord(
  { lasting, secrets = [], ...request }: HttpAction & { lasting: LastingWrite },
  identity: string,
  sessionSecrets: readonly string[],
): RecordedLasting {
  const redactor = createRedactor([...secrets, ...sessionSecrets]);
  const { description, place } = lasting;
  return {
    ...{ description: redactor.text(description), place: redactor.text(place), identity },
    request: redacted(request, redactor),
  };
}

function redacted({ write: _, ...request }: HttpAction, redactor: Redactor): HttpAction {
  const { url, headers = [], body } = request;
  return {
    ...request,
    url: redactor.text(url),
    headers: redactHeaders(headers, redactor),
    ...(body === undefined ? {} : { body: redactor.text(body) }),
  };
}

/** Writes of the same key are taken back by the same request, and shown to be gone by the same read. */
export const undoKey = ({ identity, undo, verify }: Pick<PlannedWrite, 'identity' | 'undo' | 'verify'>): string =>
  JSON.stringify([identity, undo, verify]);

const negative: readonly Assertion['operator'][] = ['not-equals', 'not-contains', 'not-matches', 'absent'];
const isNegative = ({ operator }: Assertion): boolean => negative.includes(operator);

/** The values from before are kept until they are back; whatever opens a session never is. */
function needsSecret({ undo, verify }: WritePlan, redactor: Redactor): boolean {
  const { url, headers = [], body = '', fresh } = undo;
  const texts = [url, body, fresh?.url ?? '', verify.url, ...verify.expect.map(({ expected }) => expected)];
  // What is read right before the undo stands in it by its name alone.
  const isRead = (value: string) => fresh?.capture.some(({ name }) => value === `‹${name}›`) ?? false;
  const kept = headers.filter(([, value]) => !isRead(value));
  return (
    kept.some(([name, value]) => isSecretHeader(name, value) || redactor.holds(value)) ||
    texts.some((text) => looksSecret(text) || redactor.holds(text))
  );
}
