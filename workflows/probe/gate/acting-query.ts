import { isState, object, objectLike, storing } from './address-words.ts';
import { describes } from './describes.ts';
import { makingIn, mildIn } from './mild-words.ts';
import { plainName } from './plain-name.ts';
import { markedStates } from './words/english.ts';
import { folded, tokensOf } from './words/spelling.ts';
import { type Acting, actingInName, appliedIn, appliedOnQuery } from './words.ts';

/**
 * Parameters whose value names what is to be done, or the page of a site that has one entry for all: more than those that tell parts of a
 * program apart, since a name too many costs a page, and one too few may change what is there.
 */
const commandParameter =
  /^(?:_?method|_?action|[a-z]{2,20}_action|act|a|cmd|command|do|op|oper|operation|task|event|mode|m|todo|job|step|go|func|function|fn|submit|button|btn|page|p|view|route|r|path|controller|c|option|module|mod|section|request|req|service|handler|doaction|subaction|sub|type|what)(?:\[\])?$/i;
/** A name or a path, as sites write them; values of ours are none. */
const nameLike = /^[\p{L}\p{M}\p{N}_.:/ -]{1,80}$/u;

/** Of those parameters the ones whose value is a verb more often than a name. */
const verbParameter =
  /^(?:_?action|[a-z]{2,20}_action|act|cmd|command|do|op|oper|operation|task|event|todo|job|doaction|subaction|func|function|fn)(?:\[\])?$/i;
/** What the parameters of an address say that it does. */
export function actingInQuery(parameters: readonly (readonly [string, string])[]): Acting | undefined {
  for (const [name, value] of parameters) {
    const acting =
      actingInParameter(name, value) ??
      (isCommand(name, value) ? (actingInValue(value) ?? actingInVerb(name, value)) : undefined);
    if (acting && !isPart(name, acting)) return acting;
  }
  return markedIn(parameters) ?? foldedIn(parameters);
}

/** "?action=expand" folds a view out; "?action=expand&project_id=3" has the site keep that of one thing. */
function foldedIn(parameters: readonly (readonly [string, string])[]): Acting | undefined {
  const fold = parameters.find(([name, value]) => verbParameter.test(plainName(name)) && folding.test(value));
  return fold && parameters.some(isOne) ? { code: 'would-act', word: fold[1] } : undefined;
}

const folding = /^(?:expand|(?:un)?collapse)(?:[-_]?all)?$/i;

/** "?id=7&is_read=0" marks one thing; "?feed_id=7&is_read=0" chooses some of a list. */
function markedIn(parameters: readonly (readonly [string, string])[]): Acting | undefined {
  const mark = parameters.find(([name, value]) => markName.test(name) && yesOrNo.test(value));
  const isOfOne = parameters.some(([name, value]) => /^(?:id|uuid|guid|pk)$/i.test(name) && objectLike.test(value));
  return mark && isOfOne ? { code: 'would-act', word: mark[0] } : undefined;
}

const markName = new RegExp(`^(?:is|set|mark(?:_?as)?)_?(?:${markedStates})$`, 'i');
const yesOrNo = /^(?:[01]|true|false|yes|no|on|off)$/i;

/** "?do=save&id=5" and "?r=wishlist/add&id=5" keep something as "/wishlist/add/5" does. @returns the word that says so */
export function storedByQuery(parameters: readonly (readonly [string, string])[]): string | undefined {
  const called = parameters.map(storingMethod).find((word) => word !== undefined);
  if (called !== undefined || !parameters.some(isOne)) return called;
  return parameters.map(storedBy).find((word) => word !== undefined);
}

/** "?route=account/returns.save" calls a method: such a place takes a form, and shows none. */
function storingMethod([name, value]: readonly [string, string]): string | undefined {
  const method = /^[\w-]+(?:\/[\w-]+)+\.(\w+)$/.exec(value)?.[1];
  if (method === undefined || !isCommand(name, value)) return undefined;
  return method === 'write' || storing.test(mildIn(method) ?? '') ? method : undefined;
}

function storedBy([name, value]: readonly [string, string]): string | undefined {
  const part = value.split(/[/:.]/).at(-1) ?? '';
  const isVerb = verbParameter.test(plainName(name)) || (part !== value && isCommand(name, value));
  const word = isVerb && nameLike.test(value) ? mildIn(part) : undefined;
  return word !== undefined && storing.test(word) ? word : undefined;
}

/** Parameters whose value is a page or a part of a site: "?page=order&id=3" shows an order. */
const partParameter = /^(?:page|p|view|section|module|mod|c|controller|option|route|type|what)$/i;
const isPart = (name: string, { needs }: Acting): boolean => needs === 'command' && partParameter.test(plainName(name));

/** Parameters that name one of many things. */
const identifier = /^(?:\w*[-_])?(?:id|uuid|guid|pk)$|^[a-z]+I[dD]$/;
const isOne = ([name, value]: readonly [string, string]): boolean => identifier.test(name) && objectLike.test(value);

/** "/clone?id=7" does what "/7/clone" does. @param name the last one of the path */
export function actingOnObject(name: string, parameters: readonly (readonly [string, string])[]): Acting | undefined {
  const word = parameters.some(isOne) ? appliedOnQuery(name) : undefined;
  return word === undefined ? undefined : { code: 'would-act', word };
}

/** "/actions?id=delete_rows" does what "/actions/delete_rows" does. @param name the last one of the path */
export function actingAsCalled(name: string, parameters: readonly (readonly [string, string])[]): Acting | undefined {
  if (!commands.test(name)) return undefined;
  const called = parameters.filter(([name, value]) => calling.test(name) && nameLike.test(value));
  return called.map(([, value]) => actingInName(value)).find((each) => each !== undefined);
}

const commands = /(?:^|[-_])(?:actions?|commands?|operations?|procedures?|methods?|functions?|tools?|rpc)$/i;
const calling = /^(?:\w*[-_])?(?:id|name|key|slug|method)$/i;

/** Names that filter and sort as often as they act. */
const filtering = /^(?:orders?|reports?|features?|blocks?|archives?|issues?|tips?|imports?|orderby|marks?)$/;

/** Apache Wicket calls a listener of a component by it: "?1-1.ILinkListener-rows-3-remove". */
const listener = /^\d+(?:-\d+)?\.(?:I[A-Z]\w{1,40}Listener)?-./;
const maxWordLength = 60;

/** The phase of a portlet in which it changes what is there; 0 is that in which it shows. Source: JSR 286 PLT.4.2, as portals write it. */
const isActionPhase = (name: string, value: string): boolean => name === 'p_p_lifecycle' && value === '1';

/** "?order=asc" sorts, "?like=" filters; "?close", "?trash=7" and "?add=12" are commands. */
function actingInParameter(name: string, value: string): Acting | undefined {
  if (listener.test(name)) return { code: 'would-act', word: name.slice(0, maxWordLength) };
  if (isActionPhase(name, value)) return { code: 'would-act', word: name };
  const acting = actingInName(name);
  if (acting && (acting.needs === undefined || value === '')) return acting;
  if (acting && objectLike.test(value) && !filtering.test(acting.word)) return acting;
  if (acting && !/^orders?$/.test(acting.word) && object.test(folded(value))) return acting;
  const mild = mildIn(name);
  return mild !== undefined && storing.test(mild) && objectLike.test(value) && mild !== 'set'
    ? { code: 'would-act', word: mild }
    : undefined;
}

/** Where a visitor goes on to afterwards. */
const afterwards =
  /next|return|redirect|continue|back|dest|target|url|uri|link|ref|from|to$|goto|callback|success|fail/i;

/** A name in a parameter for commands, or a path in any but those that say where a visitor goes on to. */
const isCommand = (name: string, value: string): boolean =>
  nameLike.test(value) &&
  (commandParameter.test(plainName(name)) || (/^\/?[\w-]+\/[\w/-]+$/.test(value) && !afterwards.test(name)));

function actingInValue(value: string): Acting | undefined {
  const parts = value.split(/[/:.]/);
  const named = parts.map((part) => actingInName(part) ?? doneIn(part)).find((each) => each !== undefined);
  return named ?? actingInName(value.replaceAll('/', ' '));
}

/** Names of marks as well; before another word of a command they are verbs: "bookmarkQuery", "star_item". */
const marking = /^(?:un)?(?:bookmark|favou?rite|fav|star|pin|archive|vote|like|flag|follow)$/;
const ofMarks = /^(?:status|list|view|page|index)$/;
const maxCommandWords = 3;

/** As methods of programs are named: what is marked, and "doTasksImport". */
function doneIn(command: string): Acting | undefined {
  const tokens = tokensOf(command);
  const [first = '', ...others] = tokens;
  if (others.length === 0 || tokens.length > maxCommandWords || describes(tokens)) return undefined;
  if (marking.test(first) && !ofMarks.test(tokens.at(-1) ?? '')) return { code: 'would-act', word: tokens.join('') };
  return first === 'do' ? others.map((token) => actingInName(token)).find((each) => each !== undefined) : undefined;
}

/** "draftdel", "delchoice", "markpatrolled": as programmers shorten them. */
const shortened = /^(?:del(?!iver|ta$|eg|ay)|rm)\p{L}{3,}$|^\p{L}{3,}(?<!mo)del$|^mark\p{L}+ed$/u;

function actingInVerb(name: string, value: string): Acting | undefined {
  if (!verbParameter.test(plainName(name))) return undefined;
  const parts = value.split(/[/:.]/);
  const word =
    parts.map((part) => appliedIn(part)).find((each) => each !== undefined) ??
    parts.find((part) => isState(part) || shortened.test(tokensOf(part).join('')));
  return word === undefined ? undefined : { code: 'would-act', word };
}

/** The first parameter that says what is to be done: "?op=move". */
export const commandIn = (parameters: readonly (readonly [string, string])[]): readonly [string, string] | undefined =>
  parameters.find(([name, value]) => verbParameter.test(plainName(name)) && nameLike.test(value));

/** Mild words that change what is there; the others open an editor or read anew. */
const changing = /^(?:add|create|insert|store|save|update|change|modify|set)/;
/** "get_update", "check-change": what is read. */
const reading = /^(?:get|load|list|show|view|check|fetch|read|find|search|can|is|has|on|before|after|last)$/;

/** The word by which a command changes something though others of its name show a form: "?action=query_change", "?op=update_data". */
export const changingCommandIn = (parameters: readonly (readonly [string, string])[]): string | undefined =>
  parameters
    .filter(([name, value]) => verbParameter.test(plainName(name)) && nameLike.test(value))
    .flatMap(([, value]) => (reading.test(tokensOf(value)[0] ?? '') ? [] : (mildIn(value) ?? [])))
    .find((word) => changing.test(word));

/** Parameters that say that something new is made: "?action=new". */
export const makingParameters = (parameters: readonly (readonly [string, string])[]): (readonly [string, string])[] =>
  parameters.filter(
    ([name, value]) => verbParameter.test(plainName(name)) && nameLike.test(value) && makingIn(value) !== undefined,
  );

/** Whether a parameter says what is to be done, or which page is meant. */
export const namesCommand = (name: string, value: string): boolean =>
  commandParameter.test(plainName(name)) && nameLike.test(value);
