import { type Html, html, type Part } from '../../kit/html.ts';

/**
 * A link that leaves the report, or the plain text when the address is not http or https.
 * The target learns neither who read the report nor from where.
 */
export function externalLink(address: string, text: string = address): Html {
  const isWeb = /^https?:\/\//i.test(address) && URL.canParse(address);
  if (!isWeb) return html`<span>${text}</span>`;
  return html`<a href="${new URL(address).href}" rel="noreferrer noopener">${text}</a>`;
}

/** A reference as the check gives it: "Title: https://…" becomes a titled link, RFC numbers lead to the RFC editor. */
export function reference(text: string): Part[] {
  const [, title, address] = /^(.{3,300}?):? (https?:\/\/\S+)$/.exec(text) ?? [];
  if (title !== undefined && address !== undefined) return [externalLink(address, title)];
  return text.split(/(https?:\/\/[^\s<>"]+|RFC \d{3,5})/).map((piece, index) => {
    if (index % 2 === 0) return piece;
    if (piece.startsWith('RFC ')) return externalLink(`https://www.rfc-editor.org/rfc/rfc${piece.slice(4)}`, piece);
    return externalLink(piece);
  });
}

export const cweLink = (cwe: number): Html =>
  externalLink(`https://cwe.mitre.org/data/definitions/${cwe}.html`, `CWE-${cwe}`);

/** FIRST's calculator, which explains each metric of the vector. */
export const cvssLink = (version: string, vector: string): Html =>
  externalLink(
    `https://www.first.org/cvss/calculator/${version === '4.0' ? '4.0' : '3.1'}#${encodeURI(vector.toWellFormed())}`,
    vector,
  );
