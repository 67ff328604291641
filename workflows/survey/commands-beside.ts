import type { Refused } from '../model/gate.ts';
import type { PageLink } from '../model/page-link.ts';
import { commandIn } from '../probe/gate/acting-query.ts';
import { refusedByControl } from '../probe/gate/links.ts';
import { partsOf } from '../probe/gate/parts.ts';
import { mayDo, refused } from '../probe/gate/refusal.ts';
import { readAddress } from '../probe/gate/urls.ts';

/** What one parameter of one path calls: commands that act, and others. */
type Commands = { acting: Set<string>; others: Map<string, string[]> };

const fewestActing = 2;
/** Links that are looked at: a list of things with five commands each has a hundred rows. */
const maxLinks = 500;
/** Parameters that name the part of a site whose command it is: "?controller=board&action=remove". */
const partOfSite = /^(?:c|ctrl|controller|module|mod|option|component|section)$/i;
/** What shows something, or shows a form, stands beside commands as well. */
const showing =
  /^(?:view|show|list|details?|read|info|history|log|print|preview|export|download|search|find|help|about|home|index|main|start|log-?_?in|register|back|compare|diff|source|edit|modify|change|update|new|add|create|compose|reply|quote)/i;

/**
 * The links whose command stands beside others of the same parameter that act, most of them: "?action=bounce" beside "?action=restart" and
 * "?action=remove". No list has all words for what acts. Commands of each part of a site are compared among themselves.
 */
export function commandsBeside(links: readonly PageLink[]): ReadonlyMap<string, Refused> {
  const places = new Map<string, Commands>();
  for (const link of links.filter(({ url }) => url.includes('?')).slice(0, maxLinks)) {
    const { pathname, parameters } = partsOf(link.url);
    const command = commandIn(parameters);
    if (!command) continue;
    const [name, value] = command;
    const part = parameters.filter((each) => each !== command && partOfSite.test(each[0])).join('&');
    const key = `${pathname} ${part} ${name}`;
    const place = places.get(key) ?? { acting: new Set(), others: new Map() };
    places.set(key, place);
    if (readAddress(link.url).acting || refusedByControl(link)) place.acting.add(value);
    else if (!showing.test(value)) place.others.set(value, [...(place.others.get(value) ?? []), link.url]);
  }
  const beside = [...places.values()].filter(
    ({ acting, others }) => acting.size >= fewestActing && acting.size >= others.size,
  );
  return new Map(
    beside.flatMap(({ others }) =>
      [...others].flatMap(([value, urls]) => urls.map((url) => [url, refused('would-act', mayDo(value))] as const)),
    ),
  );
}
