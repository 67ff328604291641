import type { ScoreCase } from '../../../case.ts';
import {
  asStream,
  authenticated,
  inBlocks,
  plainFailures,
  type Sealer,
  signed,
  startSealedCookie,
} from '../../../sites/sealed.ts';

const alike = { ...plainFailures, undecrypted: plainFailures.unread };

const caseOf = (
  name: string,
  [weak, mended]: [Sealer, Sealer],
  text: string,
  may: (text: string) => boolean | undefined,
  links?: 'allowed',
): ScoreCase => ({
  name,
  start: (variant) => startSealedCookie(variant === 'vulnerable' ? weak : mended, text, may, alike, links),
});

const flagOf = (text: string): boolean | undefined => {
  const [, flag] = /^admin=(.)/s.exec(text) ?? [];
  return flag === undefined ? undefined : flag === '1';
};
const roleOf = (text: string): boolean | undefined => {
  const [, role] = /"role":"([^"]*)"/.exec(text) ?? [];
  return role === undefined ? undefined : role === 'admin';
};
const parsedFlag = (text: string): boolean | undefined => {
  try {
    return JSON.parse(text).staff === true;
  } catch {
    return undefined;
  }
};

export const cases: ScoreCase[] = [
  caseOf('flag in AES-CBC', [inBlocks('aes-128-cbc'), signed(inBlocks('aes-128-cbc'))], 'admin=0;lang=en', flagOf),
  caseOf('role in a stream', [asStream(), authenticated()], '{"name":"ole","role":"guest"}', roleOf),
  caseOf('JSON in a stream', [asStream(), signed(asStream())], '{"staff":false,"lang":"en"}', parsedFlag),
  caseOf(
    'flag in AES-CBC, and a page to which only those who may see it are led',
    [inBlocks('aes-128-cbc'), signed(inBlocks('aes-128-cbc'))],
    'admin=0;lang=en',
    flagOf,
    'allowed',
  ),
];
