import type { Exchange } from '../../model/http.ts';
import type { Identity } from '../../model/identity.ts';
import { visibleText } from '../../probe/html/text.ts';
import { isHtml } from '../../probe/http/document-type.ts';

/** What stands before the names of those whom an object is for, besides its owner. */
const sharing =
  /shar(?:ed|es|ing)|geteilt|partag|compart|condivis|gedeeld|collaborat|participant|recipient|visible to|invited|assigned|attendee|viewers?\b|members?\b|\bcc\b/i;
/** A list of some names is not longer. */
const maxDistance = 120;
const minNameLength = 3;

/**
 * Whether an object, as its owner is shown it, names the reader among those whom it is for.
 * @param others pages of the owner that are not about the object: a name that stands there says nothing
 */
export function isSharedWith(object: Exchange, others: readonly Exchange[], reader: Identity): boolean {
  const { userName = '', marker } = reader;
  const names = [userName, marker].map((name) => name.toLowerCase()).filter(({ length }) => length >= minNameLength);
  const text = textOf(object);
  const elsewhere = others.map(textOf);
  return names.some((name) => {
    if (elsewhere.some((other) => other.includes(name))) return false;
    for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + name.length))
      if (sharing.test(text.slice(Math.max(0, at - maxDistance), at))) return true;
    return false;
  });
}

const textOf = (exchange: Exchange): string =>
  (isHtml(exchange) ? visibleText(exchange.text) : exchange.text).toLowerCase();
