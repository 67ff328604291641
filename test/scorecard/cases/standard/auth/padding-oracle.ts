import type { ScoreCase } from '../../../case.ts';
import {
  authenticated,
  inBlocks,
  plainFailures,
  signed,
  startSealedCookie,
  startSealedLinks,
} from '../../../sites/sealed.ts';

/** The text says who visits; garbled it says nothing. */
const mayAsOwner = (text: string) => (/"visitor":"\w+"/.test(text) ? text.includes('"owner"') : undefined);

export const cases: ScoreCase[] = [
  {
    name: 'cookie in AES-CBC, an error for wrong padding',
    start: (variant) =>
      startSealedCookie(
        variant === 'vulnerable' ? inBlocks('aes-128-cbc') : authenticated(),
        '{"visitor":"guest","since":"2026-11-02","lang":"en"}',
        mayAsOwner,
        plainFailures,
      ),
  },
  {
    name: 'links in AES-CBC, other words for wrong padding',
    start: (variant) =>
      startSealedLinks(variant === 'vulnerable' ? inBlocks('aes-128-cbc') : signed(inBlocks('aes-128-cbc')), {
        undecrypted: (response) => void response.status(400).send('<h1>Lagoon</h1><p>Bad padding</p>'),
        unread: (response) => void response.status(400).send('<h1>Lagoon</h1><p>No such document</p>'),
      }),
  },
  {
    name: 'links in Triple DES, all failures answered alike when mended',
    start: (variant) =>
      startSealedLinks(
        inBlocks('des-ede3-cbc'),
        variant === 'vulnerable' ? plainFailures : { ...plainFailures, undecrypted: plainFailures.unread },
      ),
  },
];
