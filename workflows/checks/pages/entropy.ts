/** Shannon entropy of a text's characters, in bits for the whole text. An upper bound of what somebody has to guess. */
export function shannonBits(text: string): number {
  return bitsPerCharacter(text) * text.length;
}

/** Shannon entropy in bits per character: about 4 for random hexadecimal, 6 for base64, below 3.5 for words. */
export function bitsPerCharacter(text: string): number {
  const counts = new Map<string, number>();
  for (const char of text) counts.set(char, (counts.get(char) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}
