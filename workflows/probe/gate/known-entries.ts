import type { GateRequest } from '../../model/gate.ts';
import { namesInRequest, placeOfEntry, type SiteEntry } from './entries.ts';

/** Entries that requests of one kind work on: those whose texts they give back, and those that something is added to. */
type EntryKind = {
  fields: ReadonlySet<string>;
  idFields: Set<string>;
  shown: Set<string>;
  others: Set<string>;
};

/** What a gate knows of the entries that requests work on. */
export type KnownEntries = {
  learn(entry: SiteEntry): void;
  /**
   * Why a request would change an entry that the audit has not made; undefined when it would not, or may.
   * @param isOwn whether what names an entry names one of the audit's own
   */
  changedBy(request: GateRequest, isOwn: (key: string) => boolean, may: MayChange): string | undefined;
};

/**
 * @property isRecorded the request is sent for what it leaves, and recorded before: what names no known entry is then one that was just made
 * @property isTestSystem entries of others may be changed where the audit has none of its own
 */
type MayChange = { isRecorded: boolean; isTestSystem: boolean };

/** Under which it is kept that an entry whose texts are shown was observed: only those of the audit's own are. */
const entryKey = (place: string, name: string): string => `entry ${place} ${name}`;

/** Keys of an entry of the audit's own, by all that names it. */
export const keysOfEntry = ({ place, names }: Pick<SiteEntry, 'place' | 'names'>): string[] =>
  names.map((name) => entryKey(place, name));

export function createKnownEntries(): KnownEntries {
  const known = new Map<string, Map<string, EntryKind>>();
  return {
    learn({ place, fields, names, idFields, isShown }) {
      const there = known.get(place) ?? new Map<string, EntryKind>();
      known.set(place, there);
      const kind = there.get(fields) ?? kindOf(fields);
      for (const name of idFields) kind.idFields.add(name);
      there.set(fields, kind);
      for (const name of names) (isShown ? kind.shown : kind.others).add(name);
    },
    changedBy(request, isOwn, { isRecorded, isTestSystem }) {
      const place = placeOfEntry(request.method, request.url);
      const there = known.get(place);
      if (!there) return undefined;
      const sent = namesInRequest(request);
      const sentNames = new Set(sent.pairs.map(([name]) => name));
      const kinds = [...there.values()].filter((kind) => covers(kind, sentNames));
      // A page that sends less there may be another program than those that send more elsewhere.
      const isNamed = (name: string) => kinds.some(({ others }) => others.has(name));
      for (const kind of kinds) {
        const { idFields, shown } = kind;
        const isOurs = (name: string) => isOwn(entryKey(place, name));
        const isFree = isTestSystem && ![...shown].some(isOurs);
        const isOthers = (name: string) => shown.has(name) && !isOurs(name) && !isFree;
        if (sent.names.some(isOthers)) return 'it changes an entry that the audit has not made';
        if (isRecorded) continue;
        const isKnown = (name: string) => isNamed(name) || isOurs(name) || (isFree && shown.has(name));
        // A field that is filled in may have any number.
        const isFilledIn = (name: string) => kind.fields.has(fieldOf(name)) && !idFields.has(fieldOf(name));
        const isAnother = (name: string) => /=\d+$/.test(name) && !isKnown(name) && !isFilledIn(name);
        if (sent.names.some(isAnother)) return 'it names another entry than its page';
        // Databases take a text for the number that it begins with.
        const isNearAnother = sent.pairs.some(([name, value]) => {
          const [, number] = /^\s*[+-]?0*(\d+)/.exec(value) ?? [];
          return idFields.has(name) && number !== undefined && !isKnown(`${name}=${number}`);
        });
        if (isNearAnother) return 'it names another entry than its page';
      }
      return undefined;
    },
  };
}

const fieldOf = (name: string): string => name.replace(/=.*$/s, '');

const kindOf = (fields: string): EntryKind => ({
  fields: new Set(fields.split('&')),
  idFields: new Set(),
  shown: new Set(),
  others: new Set(),
});

/** A check may leave out a field, add one or give it another name; what is another form has few names in common. */
function covers({ fields, idFields }: EntryKind, sent: ReadonlySet<string>): boolean {
  const common = [...fields].filter((name) => sent.has(name));
  return [...idFields].every((name) => sent.has(name)) && 2 * common.length >= fields.size;
}
