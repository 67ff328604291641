import type { InputSurface } from '../../model/surface.ts';
import { decodedText } from '../../probe/html/decoded-text.ts';
import type { KnownFile } from '../files/traversal-payloads.ts';

/** Fields beside the name of a file that hold what is written to it. */
const contentNames =
  /^(?:file_?)?(?:contents?|text|data|body|message|msg|notes?|source|code|payload|values?|val|html|json|xml|comment|description|markdown|md|txt)$/i;
/** Words of addresses, names and commands by which something is written to a file. */
const writing = /(?:^|[^a-z])(?:writ|sav(?:e|ing)|creat|put|upload|append|overwrit)/i;
/** The same in what is posted: what is asked for by its address is rather read. */
const postedWriting = /(?:^|[^a-z])(?:stor(?:e|ing)|dump|export|backup|output|out(?:file|_)|dest)/i;
/** What pages say of a file that was written, or is about to be. */
const written =
  /\b(?:(?:to|will|can(?:not|'t)?) write|writ(?:ten|ing) (?:to|in)|wrote|saved|appended|overwrit\w+|stored (?:in|as|to)|(?:file|note|entry|it) (?:was |has been )?(?:created|stored))\b/i;

type WrittenPlace = Pick<InputSurface, 'isStored' | 'others' | 'url' | 'parameter' | 'method'>;

/**
 * Whether the file that a value names may be written to: then a file of the system is never named that the server's account could
 * destroy.
 * @param base the page of the site's own value
 */
export const mayBeWritten = ({ isStored, others, url, parameter, method }: WrittenPlace, base: string): boolean =>
  isStored === true ||
  others.some(({ name }) => contentNames.test(name)) ||
  [new URL(url).pathname, parameter, ...others.map(({ name, value }) => `${name} ${value}`)]
    .map((text) => text.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2'))
    .some((text) => writing.test(text) || (method !== 'GET' && postedWriting.test(text))) ||
  written.test(decodedText(base.replace(/<[^<>]*>/g, ' ')));

/** Nobody writes to it, whatever the account: the kernel makes it when it is read (Linux). Source: proc(5). */
export const unwritableFile: KnownFile = {
  path: 'proc/version',
  nowhere: 'version/proc',
  pattern: 'Linux version \\d{1,2}\\.\\d{1,3}[^<\\n]{0,300}(?:gcc|clang|SMP|PREEMPT)',
};
