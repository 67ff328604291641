import type { Candidate } from '../../model/candidate.ts';
import type { Experiment } from '../../model/experiment.ts';
import type { Exchange } from '../../model/http.ts';
import { type CheckContext, defineCheck, notApplicable } from '../contract.ts';
import { type AnswerKinds, isOtherThan, kindsOf } from '../decisions/answer-kinds.ts';
import { answerTo } from '../decisions/opened-page.ts';
import { likeliest } from '../inputs/at-most.ts';
import { asRead, type SealedValue, sealedCookies, sealedParameters, withChanged } from '../sessions/sealed-values.ts';

/** Bytes of padding that the last block was seen to end in. */
type PaddingOracle = { value: SealedValue; blockSize: number; padding: number; kinds: AnswerKinds };

const maxValues = 6;
/** Of AES, and of DES and Blowfish. */
const blockSizes = [16, 8] as const;
/** No padding ends in such a byte, whichever it was before. */
const spoiling = 0x40;

/** What is encrypted is decrypted for anybody, a byte at a time. Source: Vaudenay 2002, CWE-649, WSTG-CRYP-02. */
export const paddingOracle = defineCheck<PaddingOracle>({
  id: 'auth.padding-oracle',
  title: 'Padding oracle (CBC encryption without authentication)',
  cwe: 649,
  owasp: 'A04:2025',
  cvss: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:U/C:H/I:H/A:N',
  depth: 'standard',
  visitors: 'each',
  risk: 'safe',
  cost: 20,

  async detect(context) {
    const all = [...sealedCookies(context), ...sealedParameters(context)];
    const values = all.filter(({ bytes }) => bytes.length % 8 === 0 && bytes.length >= 2 * 8);
    if (values.length === 0) return notApplicable('No cookie or parameter may be something encrypted in blocks.');
    const found: Candidate<PaddingOracle>[] = [];
    for (const value of likeliest(context, values, maxValues, 'values that may be encrypted')) {
      const oracle = await firstOracle(context, value);
      if (!oracle) continue;
      const { padding, blockSize } = oracle;
      const detail = `The answers reveal that what is encrypted ends in ${padding} bytes of padding, in blocks of ${blockSize} bytes.`;
      found.push({ location: oracle.value.location, route: value.route, detail, data: oracle });
    }
    return found;
  },

  confirm: (_context, { data }) => data && experimentFor(data),

  explain: {
    description:
      'The site encrypts a value in blocks (CBC) and takes it back without checking that it is the same. Its answer reveals whether what it decrypted ends in valid padding.',
    impact:
      'With some 128 requests for each byte an attacker reads all that is encrypted, and writes values of their own that the site takes for its own: another user, another role, another file. The key is not needed.',
    sends:
      'Sends cookies and parameters that may be encrypted back with one byte changed: 3 requests for each and each of up to four pages, and up to 20 more for each that one refuses when it is changed.',
    proves:
      'Only the change that makes the last byte a padding of one byte is answered otherwise, and a change right before the padding, but none in it; twice. An attacker reads one byte after the other so. Nothing else was decrypted.',
    remedy:
      'Encrypt with authentication: AES-GCM or ChaCha20-Poly1305, or a ready format (Fernet, `JWE` with `A256GCM`, libsodium `secretbox`). Where that cannot be, sign what was encrypted with another key (HMAC), and check the signature before anything is decrypted. Answer every failure alike. Better, keep the value on the server.',
    references: [
      'CWE-649: https://cwe.mitre.org/data/definitions/649.html',
      'WSTG-CRYP-02: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/09-Testing_for_Weak_Cryptography/02-Testing_for_Padding_Oracle',
      'S. Vaudenay, Security Flaws Induced by CBC Padding (EUROCRYPT 2002): https://www.iacr.org/cryptodb/archive/2002/EUROCRYPT/2850/2850.pdf',
    ],
  },
});

/** In blocks of one size or the other, at the page that reads the value. */
async function firstOracle(context: CheckContext, given: SealedValue): Promise<PaddingOracle | undefined> {
  const { length } = given.bytes;
  const sizes = blockSizes.filter((size) => length % size === 0 && length >= 2 * size);
  const value = await asRead(context, given);
  for (const blockSize of value ? sizes : []) {
    const oracle = value && (await oracleOf(context, value, blockSize));
    if (oracle) return oracle;
  }
  return undefined;
}

/**
 * A byte of the block before the last changes the same byte of what the last one decrypts to. Where that ends in n bytes of n, it
 * ends in one byte of 1 when the last byte is changed by n and 1: of all guesses for n one is right, and gives right padding.
 */
async function oracleOf(
  context: CheckContext,
  value: SealedValue,
  blockSize: number,
): Promise<PaddingOracle | undefined> {
  const { bytes } = value;
  const ask = (changed: Buffer) => answerTo(context, value.send(changed));
  const own = await ask(bytes);
  const spoiled = [await ask(withChanged(bytes, -1, 0x5a)), await ask(withChanged(bytes, -1, 0xa7))] as const;
  const [one, other] = spoiled;
  const isOther = one && other ? isOtherThan([one, other]) : undefined;
  if (!own || !one || !other || !isOther?.(own)) return undefined;
  const hits: { padding: number; answer: Exchange }[] = [];
  for (let padding = 2; padding <= blockSize; padding += 1) {
    const answer = await ask(withChanged(bytes, -blockSize - 1, padding ^ 1));
    if (!answer) return undefined;
    if (isOther(answer)) hits.push({ padding, answer });
    // A text may end so that two changes give right padding; where more do, no padding is looked at.
    if (hits.length > 2) return undefined;
  }
  for (const { padding, answer } of hits.length > 0 ? hits : [{ padding: 1, answer: own }]) {
    const within = await ask(withChanged(bytes, -blockSize - padding, spoiling));
    const before = padding < blockSize ? await ask(withChanged(bytes, -blockSize - padding - 1, 1)) : answer;
    if (!within || !before || isOther(within) || !isOther(before)) continue;
    const kinds = kindsOf(padding === 1 ? [before] : [answer, before], [one, other]);
    if (kinds) return { value, blockSize, padding, kinds };
  }
  return undefined;
}

function experimentFor({ value, blockSize, padding, kinds: { other, same } }: PaddingOracle): Experiment {
  const { bytes, send } = value;
  const last = -blockSize - 1;
  return {
    steps: [
      {
        http: send(withChanged(bytes, -1, 0x5a)),
        note: 'With the last byte changed, what is decrypted ends in no padding.',
        expect: same,
        isShown: true,
      },
      ...(padding === 1
        ? []
        : [
            {
              http: send(withChanged(bytes, last, padding ^ 1)),
              note: `The last byte of padding was ${padding}: changed to 1, it is right padding, and the answer is another one.`,
              expect: other,
            },
          ]),
      {
        http: send(
          padding < blockSize ? withChanged(bytes, -blockSize - padding - 1, 1) : withChanged(bytes, last, padding ^ 1),
        ),
        note: 'A change right before the padding leaves it right.',
        expect: other,
      },
      {
        http: send(withChanged(bytes, -blockSize - padding, spoiling)),
        note: 'A change of the first byte of the padding does not.',
        expect: same,
      },
    ],
    control: [
      {
        http: send(withChanged(bytes, last, padding ^ 1 ^ spoiling)),
        note: 'With another byte at its end the padding is wrong, and the answer is that of wrong padding.',
        expect: other,
      },
    ],
  };
}
