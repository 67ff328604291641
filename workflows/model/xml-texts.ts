/** A text of a document, with the names of the elements around it, without the root's and without prefixes. */
type XmlText = { start: number; end: number; names: string[]; value: string };

/** Comments, instructions, document types, texts that are marked as such, and tags. Source: XML 1.0 §2. */
const markup =
  /<!--[\s\S]*?-->|<\?[\s\S]*?\?>|<!\[CDATA\[[\s\S]*?\]\]>|<!DOCTYPE[^>[]*(?:\[[^\]]*\])?[^>]*>|<\/([\w.:-]+)\s*>|<([A-Za-z_][\w.:-]*)(?:\s[^<>]*?)?(\/?)>/g;
/** Real documents nest some ten deep. */
const maxDepth = 100;

/** The texts of elements that hold nothing else, also empty ones, in their order. Empty for what is no document. */
export function xmlTexts(document: string): XmlText[] {
  const open: { name: string; start: number; hasElements: boolean }[] = [];
  const texts: XmlText[] = [];
  for (const match of document.matchAll(markup)) {
    const [whole, closed, opened, alone] = match;
    if (opened !== undefined) {
      const parent = open.at(-1);
      if (parent) parent.hasElements = true;
      if (alone === '') open.push({ name: opened, start: match.index + whole.length, hasElements: false });
      if (open.length > maxDepth) return [];
    }
    if (closed === undefined) continue;
    const element = open.pop();
    if (element?.name !== closed) return [];
    if (element.hasElements || open.length === 0) continue;
    const names = [...open.slice(1).map(({ name }) => name), closed].map((name) => name.replace(/^.*:/s, ''));
    const value = decoded(document.slice(element.start, match.index));
    texts.push({ start: element.start, end: match.index, names, value });
  }
  return open.length === 0 ? texts : [];
}

/** The document with a value in the place of its text of this number. */
export function xmlWith({ body, index }: { body: string; index: number }, value: string): string {
  const place = xmlTexts(body)[index];
  return place ? body.slice(0, place.start) + encoded(value) + body.slice(place.end) : body;
}

const encoded = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const references: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

const decoded = (text: string): string =>
  text
    .replace(/^<!\[CDATA\[([\s\S]*?)\]\]>$/, (_, inner: string) => encoded(inner))
    .replace(/&(lt|gt|amp|quot|apos);/g, (whole, name: string) => references[name] ?? whole);
