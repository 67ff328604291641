import { endsSession } from '../session-words.ts';
import { intoBasketIn } from './adding.ts';
import { changesView } from './changes-view.ts';
import { describes, isSubject } from './describes.ts';
import { isMildWord } from './mild-words.ts';
import { remembered } from './remembered.ts';
import {
  appliedForeign,
  appliedOnlyBehind,
  appliedUnspaced,
  appliedVerbs,
  onlyVerbs,
  russianInfinitive,
  showing,
  workedAtOnce,
} from './words/applied.ts';
import {
  filler,
  gluedVerbs,
  markedStates,
  nounVerbs,
  objects,
  selfSufficient,
  selfSufficientAlone,
  selfSufficientGlued,
  shortVerbs,
  valuedVerbs,
  verbs,
} from './words/english.ts';
import { commandWords, endings, prose, readingUnspaced } from './words/harmless.ts';
import { latinEndings, latinGlued, latinWords, otherAlphabets } from './words/latin.ts';
import { decoded, folded, maxNameWords, tokensOf, whole } from './words/spelling.ts';
import { unspacedWords } from './words/unspaced.ts';

/** A word that says that something is done, instead of shown. */
export type Acting = {
  code: 'ends-session' | 'would-act';
  word: string;
  /** A name as well: it acts only where it stands as a command, is given a value, or belongs to one of many things. */
  needs?: 'command' | 'value' | 'thing';
  /** It needs no object to do harm. */
  isSelfSufficient?: true;
};

const foreignVerb = whole(folded(`${latinWords}|${otherAlphabets}`).replaceAll('\\p{l}', '\\p{L}'));
const englishVerb = whole(verbs);
const verb = { test: (word: string) => englishVerb.test(word) || foreignVerb.test(word) };
const noun = whole(nounVerbs);
const valued = whole(valuedVerbs);
const self = whole(selfSufficient);
const selfGlued = new RegExp(`^(?:${selfSufficientGlued})\\p{L}{3,}$`, 'u');
const foreignGlued = new RegExp(
  `^(?:${latinGlued})(?!(?:${latinEndings})$)\\p{L}{3,}$|^\\p{L}{3,}(?:${latinGlued})$`,
  'u',
);
const selfAlone = whole(selfSufficientAlone);
const unspaced = new RegExp(unspacedWords.normalize('NFC'), 'u');
const anyObject = new RegExp(`^(?:${gluedVerbs})(?!(?:${endings})$)\\p{L}+$|^\\p{L}{2,}(?:${gluedVerbs})$`, 'u');
const knownObject = new RegExp(
  `^(?:${shortVerbs})${filler}(?:${objects}){1,2}$|^(?:add|put)(?:to|in|into)?(?:my|your|the)?(?:cart|basket|bag|wishlist|favou?rites?)$|^(?:${objects})(?:del|rm|drop|ban|reset|cancel|send|pay)$`,
  'u',
);
const anyWordOfObject = new RegExp(
  `^(?:as|to|the|a|an|all|my|this|your|from|for|by|of|in|on|and|selected|${objects})$`,
  'u',
);
/** "bulkdelete", "unprotect": what stands before a verb leaves it one. */
const prefixed = new RegExp(`^(?:un|auto|bulk|mass|batch|multi|force|quick)(?:${verbs}|${appliedVerbs})$`, 'u');
const notPrefixed = whole(
  'unlike|autopilot|unless|untold|unit|unite|under|until|unread|autostart|autoplay|multiplay|unused',
);
/** Verbs are made of other words by these endings; a few nouns end alike. */
const madeVerb = {
  test: (word: string) => /^\p{L}{3,}(?:[iy][sz]e|ify)$/u.test(word) && !notMade.test(word),
};
const notMade = whole(
  '(?:over|down|bite|up)?size|exercise|franchise|visuali[sz]e|analy[sz]e|summari[sz]e|tokeni[sz]e|stringify|beautify|prettify|minify|capitali[sz]e|colori[sz]e|slugify|merchandise|enterprise|expertise|premise|promise|surprise|paradise|concise|precise|disguise|cruise|raise|praise|noise|sunrise|otherwise|likewise|compromise|treatise|demise|excise|anise|spotify|shopify|wise|rise|prize|maize',
);
const atOnce = whole(`(?:${workedAtOnce})now`);
const appliedEnglish = whole(`${appliedVerbs}|${appliedOnlyBehind}|${verbs}`);
const onlyAVerb = whole(onlyVerbs);
const appliedInOthers = whole(folded(`${appliedForeign}|${russianInfinitive}`).replaceAll('\\p{l}', '\\p{L}'));
const onControls = whole(appliedVerbs);
const shows = whole(showing);
const unspacedAtEnd = new RegExp(`(?:${appliedUnspaced})(?:する)?$`.normalize('NFC'), 'u');
const readingAtEnd = new RegExp(readingUnspaced.normalize('NFC'), 'u');
const ofTitles = whole(prose);
const ofCommands = whole(commandWords);
/** "order status", "feature list": what begins as an order or a feature is one. */
const ofThings = whole('status|list');

/** "order_id", "block-key": what names one of them. */
const nameOfThing =
  /^(?:orders?|reports?|features?|blocks?|tips?|imports?|transfers?|bids?|purchases?|refunds?|claims?|issues?|archives?|broadcasts?|subscriptions?)(?:ids?|keys?)$/;
/** "stopall", "Start all", "stop-server": everything that runs, or one thing that does. */
const running =
  /^(?:(?:stop|start|run|pause|resume|sync|halt|launch)(?:all|everything)|(?:stop|start|halt)(?:the|this|my)?(?:servers?|services?|process(?:es)?|jobs?|tasks?|timer|machine|instance|container|vm|daemon|workers?|bot|engine|backup|sync))$/;
/** "Sign in as …", "login_as_user": one visitor becomes another. */
const becoming = /^(?:sign|log)in(?:as)(?:user|member|customer|client|admin)?$/;

/** "Mark all messages as read", "mark-all-viewed", "Toggle mark as read". */
const markedAs = new RegExp(`^(?:toggle)?mark(?:\\p{L}{0,20}as|all|this)?(?:${markedStates})$`, 'u');
/** Behind a thing, or as a command: "set-cover", "add_to_caddie". */
const putTo = /^(?:set|(?:add|put)(?:to|into|in))\p{L}{3,}$/u;

/** Longer labels are sentences. */
const maxLabelWords = 5;

const letter = /\p{L}/u;

/** What the name of a page, a command or a field says that it does. */
export const actingInName = (text: string): Acting | undefined => (letter.test(text) ? actingInText(text) : undefined);

/** What in a path or a name ends a session: it may stand in two segments, "/session/destroy". */
export const sessionEndIn = remembered(
  (text) => endsSession.exec(decoded(text).replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2'))?.[0],
);

const actingInText = remembered((text): Acting | undefined => {
  const name = decoded(text);
  const ending = endsSession.exec(name.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2'))?.[0];
  if (ending !== undefined) return { code: 'ends-session', word: ending };
  const composed = name.normalize('NFC').trim();
  const found = readingAtEnd.test(composed) ? undefined : unspaced.exec(composed)?.[0];
  if (found !== undefined) return { code: 'would-act', word: found };
  return actingInTokens(tokensOf(name));
});

function actingInTokens(tokens: readonly string[]): Acting | undefined {
  const [first = '', ...others] = tokens;
  const last = tokens.at(-1) ?? '';
  const joined = tokens.join('');
  if (markedAs.test(joined)) return acting(tokens, joined);
  if (others.length > 0 && (describes(tokens) || changesView(tokens))) return undefined;
  if (others.length === 1 && ((noun.test(first) && ofThings.test(last)) || nameOfThing.test(joined))) return undefined;
  if (
    knownObject.test(joined) ||
    becoming.test(joined) ||
    running.test(joined) ||
    (tokens.length <= maxNameWords && tokens.some((token) => anyObject.test(token) || foreignGlued.test(token)))
  )
    return acting(tokens, joined);
  const isNear = (index: number) => index < 2 || index === tokens.length - 1;
  const isVerb = (token: string) => verb.test(token) || (prefixed.test(token) && !notPrefixed.test(token));
  const index = tokens.findIndex((token, at) => isVerb(token) && isNear(at));
  const word = tokens[index];
  if (word === undefined) return undefined;
  if (last === 'now' || !(noun.test(word) || valued.test(word))) return acting(tokens, word);
  // "sales-report" and "order-form" are names.
  return tokens.length === 1 ? { ...acting(tokens, word), needs: valued.test(word) ? 'value' : 'command' } : undefined;
}

const acting = (tokens: readonly string[], word: string): Acting => ({
  code: 'would-act',
  word,
  ...([...tokens, word].some((token) => self.test(token) || selfGlued.test(token)) ||
  (tokens.length === 1 && selfAlone.test(word))
    ? { isSelfSufficient: true as const }
    : {}),
});

/** What stands on a control: short texts are commands, longer ones are headlines, and "Kill Bill" is a film. */
export function actingInLabel(text: string): Acting | undefined {
  const label = text.trim().replace(/\s+/g, ' ');
  const tokens = tokensOf(label);
  if (tokens.length > maxLabelWords) return undefined;
  const found = actingInName(label) ?? appliedInLabel(label, tokens);
  const isWhole = found?.word === tokens.join('');
  if (!found || found.code === 'ends-session' || found.needs === 'thing' || tokens.length < 2 || isWhole) return found;
  const [first = '', ...others] = tokens;
  const isCommand = englishVerb.test(first) && others.every((token) => anyWordOfObject.test(token) || isSubject(token));
  if (isCommand || (tokens.length <= maxNameWords && tokens.some((token) => foreignVerb.test(token)))) return found;
  return unspaced.test(label.normalize('NFC')) ? found : undefined;
}

/** "Freeze", "Enrol me", "Закрыть": what a control says that belongs to one of many things. */
function appliedInLabel(label: string, tokens: readonly string[]): Acting | undefined {
  const [first = '', ...others] = tokens;
  const put = intoBasketIn(label);
  if (put !== undefined) return { code: 'would-act', word: put };
  if (describes(tokens) || changesView(tokens)) return undefined;
  const isCommand =
    (onControls.test(first) || madeVerb.test(first)) &&
    !shows.test(first) &&
    (others.length === 0 || others.every((token) => anyWordOfObject.test(token) || ofCommands.test(token)));
  const joined = tokens.join('');
  if (atOnce.test(joined)) return { code: 'would-act', word: joined, needs: 'thing' };
  const word = isCommand ? first : tokens.find((token, at) => at !== 1 && appliedInOthers.test(token));
  if (word !== undefined && tokens.length <= maxNameWords) return { code: 'would-act', word, needs: 'thing' };
  const end = unspacedAtEnd.exec(label.normalize('NFC'))?.[0];
  return end === undefined ? undefined : { code: 'would-act', word: end, needs: 'thing' };
}

/** The word by which a name that is applied to one of many things acts on it: "freeze" of "/cards/4/freeze". */
export const appliedIn = (text: string): string | undefined => (letter.test(text) ? appliedInText(text) : undefined);

/** The same of a name beside a parameter that names the thing: "clone" of "/clone?id=7". What is a noun as well shows it: "/book?id=7". */
export function appliedOnQuery(text: string): string | undefined {
  const word = appliedIn(text);
  return word !== undefined && (onlyAVerb.test(word) || atOnce.test(word)) ? word : undefined;
}

const appliedInText = remembered((text): string | undefined => {
  const name = decoded(text);
  const tokens = tokensOf(name);
  const [first = '', ...others] = tokens;
  if (tokens.length > maxLabelWords || (others.length > 0 && describes(tokens))) return undefined;
  if (changesView(tokens)) return undefined;
  // "merge-requests" and "transfer-rules" are lists.
  const isPlain = englishVerb.test(first) && !(noun.test(first) || valued.test(first));
  if (others.length === 1 && /[^s]s$/.test(others[0] ?? '') && !isPlain) return undefined;
  const joined = tokens.join('');
  if (atOnce.test(joined) || (others.length > 0 && putTo.test(joined))) return joined;
  if (appliedEnglish.test(first) || appliedEnglish.test(joined) || madeVerb.test(first) || prefixed.test(first))
    return first;
  return tokens.find((token) => appliedInOthers.test(token)) ?? unspacedAtEnd.exec(name.normalize('NFC'))?.[0];
});

/** Whether a name is that of a thing, in prose or with words that no command has: "kill-switches", "cancel-an-order". */
export function isTitle(text: string): boolean {
  const tokens = tokensOf(decoded(text));
  if (tokens.length < 2) return false;
  const isOfCommand = (token: string) => verb.test(token) || anyWordOfObject.test(token) || ofCommands.test(token);
  return tokens.some((token) => ofTitles.test(token) || !(isOfCommand(token) || isMildWord(token)));
}
