import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Totp, TotpAlgorithm } from '../../proto/gen/scanaudit/v1/domains_pb.ts';

/** Gives one-time codes, each once. */
export type Codes = {
  /** Waits for the next period when the code of this one was given before: sites take a code once (RFC 6238 §5.2). */
  next(): Promise<string>;
};

type TotpSettings = Pick<Totp, 'secret' | 'algorithm' | 'digits' | 'periodSeconds'>;

const hashes: Record<TotpAlgorithm, string> = {
  [TotpAlgorithm.UNSPECIFIED]: 'sha1',
  [TotpAlgorithm.SHA1]: 'sha1',
  [TotpAlgorithm.SHA256]: 'sha256',
  [TotpAlgorithm.SHA512]: 'sha512',
};

const defaultDigits = 6;
const defaultPeriodSeconds = 30;

/**
 * The time-based one-time password of a moment. Source: RFC 6238 §4, RFC 4226 §5.3.
 * @throws RangeError when the secret is not base32
 */
export function totpAt({ secret, algorithm, digits, periodSeconds }: TotpSettings, epochMs: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(stepAt(periodSeconds, epochMs)));
  const mac = createHmac(hashes[algorithm] ?? 'sha1', base32Bytes(secret))
    .update(counter)
    .digest();
  const offset = (mac.at(-1) ?? 0) & 0x0f;
  const number = mac.readUInt32BE(offset) & 0x7fff_ffff;
  const length = digits || defaultDigits;
  return String(number % 10 ** length).padStart(length, '0');
}

export function createCodes(settings: TotpSettings, signal: AbortSignal): Codes {
  let lastStep = Number.NEGATIVE_INFINITY;
  return {
    async next() {
      for (let step = stepAt(settings.periodSeconds, Date.now()); ; step = stepAt(settings.periodSeconds, Date.now())) {
        if (step > lastStep) {
          lastStep = step;
          return totpAt(settings, Date.now());
        }
        await sleep(periodMs(settings.periodSeconds) * (lastStep + 1) - Date.now() + 1, undefined, { signal });
      }
    },
  };
}

const periodMs = (periodSeconds: number | undefined): number => (periodSeconds || defaultPeriodSeconds) * 1_000;
const stepAt = (periodSeconds: number | undefined, epochMs: number): number =>
  Math.floor(epochMs / periodMs(periodSeconds));

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Source: RFC 4648 §6. Case, spaces, hyphens and padding do not matter: sites show it in groups. */
function base32Bytes(text: string): Buffer {
  const bytes: number[] = [];
  let [bits, held] = [0, 0];
  for (const character of text.replace(/[\s=-]/g, '').toUpperCase()) {
    const value = alphabet.indexOf(character);
    if (value < 0) throw new RangeError('the secret of the one-time password is not base32');
    held = (held << 5) | value;
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    bytes.push((held >> bits) & 0xff);
    held &= (1 << bits) - 1;
  }
  return Buffer.from(bytes);
}
