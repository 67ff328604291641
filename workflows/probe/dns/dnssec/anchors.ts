import { type Labels, labelsOf } from '../wire.ts';
import type { DelegationSigner } from './records.ts';

/** A zone that is trusted without another one vouching for it. */
export type TrustAnchor = { zone: Labels; signers: DelegationSigner[] };

/** Keys of the root. Source: https://data.iana.org/root-anchors/root-anchors.xml */
export const rootAnchors: readonly string[] = [
  '. 20326 8 2 E06D44B80B8F1D39A95C0B0D7C65D08458E880409BBC683457104237C7F8EC8D',
  '. 38696 8 2 683D2D0ACB8C9B712A1948B27F741219298D0A450D612C483AF444A4C0FB2B16',
];

/**
 * Reads lines "zone key-tag algorithm digest-type digest", the words of a DS record, all of one zone.
 * @throws Error that quotes a line that cannot be read
 */
export function parseAnchors(lines: readonly string[]): TrustAnchor {
  const parsed = lines.map((line) => {
    const match =
      /^(?<zone>\S+) (?:IN )?(?:DS )?(?<tag>\d{1,5}) (?<algorithm>\d{1,3}) (?<type>\d{1,3}) (?<digest>(?:[0-9A-F]{2}\s*)+)$/i.exec(
        line.trim(),
      )?.groups;
    if (!match) throw new Error(`${JSON.stringify(line)}: use "zone key-tag algorithm digest-type digest"`);
    return {
      zone: (match.zone ?? '').toLowerCase(),
      signer: {
        keyTag: Number(match.tag),
        algorithm: Number(match.algorithm),
        digestType: Number(match.type),
        digest: Buffer.from((match.digest ?? '').replace(/\s/g, ''), 'hex'),
      },
    };
  });
  const [first] = parsed;
  if (!first || parsed.some(({ zone }) => zone !== first.zone))
    throw new Error('the trust anchors have to be those of one zone');
  return { zone: labelsOf(first.zone), signers: parsed.map(({ signer }) => signer) };
}
