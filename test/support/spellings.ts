/**
 * The forms in which a secret may stand in a text: as it is, escaped for JSON, HTML, URLs and forms, in hexadecimal, and in
 * base64, where it may begin at any of three places of a group.
 */
export function spellingsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const quoted = JSON.stringify(secret).slice(1, -1);
  const html = secret
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
  return [
    ...new Set([
      secret,
      quoted,
      // Within a text of JSON within another.
      JSON.stringify(quoted).slice(1, -1),
      html,
      encodeURIComponent(secret),
      new URLSearchParams([['', secret]]).toString().slice(1),
      bytes.toString('hex'),
      bytes.toString('hex').toUpperCase(),
      ...[0, 1, 2].flatMap((offset) => (['base64', 'base64url'] as const).map((form) => inBase64(bytes, offset, form))),
    ]),
  ];
}

/** What of the base64 of a longer text is the same whatever stands around the secret. */
function inBase64(bytes: Buffer, offset: number, form: 'base64' | 'base64url'): string {
  const encoded = Buffer.concat([Buffer.alloc(offset), bytes])
    .toString(form)
    .replace(/=+$/, '');
  const own = Math.ceil((offset * 8) / 6);
  const whole = Math.floor(((offset + bytes.length) * 8) / 6);
  return encoded.slice(own, whole);
}
