import type { Refused } from '../model/gate.ts';
import { mildIn } from '../probe/gate/mild-words.ts';
import { mayDo, refused } from '../probe/gate/refusal.ts';
import { actingInName } from '../probe/gate/words.ts';
import type { Documented } from './documented-request.ts';

/** Nouns as often as commands. */
const nouns = /^(?:store|new|run|change|backup|cron)$/;
/** Work that is done once more; as the name of a page it would be one about that. */
const again =
  /^re-?(?:count|comput|calculat|sync|build|index|process|send|try|start|set|load|run|generat|assign|order|queue|play|import|check)/i;
/** An operation's identifier: its words are joined. */
const joined = /[._-]|\p{Ll}\p{Lu}/u;

/**
 * What a document says that a read does. A page that is called "create" shows a form; an operation of an API that is called so has
 * none to show.
 */
export function refusedByDocument({ url, title }: Pick<Documented, 'url' | 'title'>): Refused | undefined {
  const path = url.replace(/^[a-z]+:\/\/[^/]*/i, '').replace(/[?#].*$/s, '');
  const last = path.split('/').findLast((segment) => segment !== '' && !segment.includes('{')) ?? '';
  const word = [commandIn(last), ...wordsOf(title).map(commandIn)].find((each) => each !== undefined);
  return word === undefined ? undefined : refused('would-act', mayDo(word));
}

/** The identifier of an operation, and the first word of its summary. */
function wordsOf(title: string): string[] {
  const [first = '', second = ''] = title.split(/\s+/);
  const own = first.replace(/^.*\./s, '');
  return [...(joined.test(first) ? [own, second] : [first])].flatMap(forms);
}

/** "Creates" is "create", "refreshes" is "refresh". */
const forms = (word: string): string[] => [word, word.replace(/s$/, ''), word.replace(/es$/, '')];

function commandIn(name: string): string | undefined {
  if (again.test(name)) return name;
  const acting = actingInName(name);
  if (acting && acting.needs === undefined) return acting.word;
  const mild = mildIn(name);
  return mild === undefined || nouns.test(mild) ? undefined : mild;
}
