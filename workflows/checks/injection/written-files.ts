import type { InputSurface } from '../../model/surface.ts';
import { decodedText } from '../../probe/html/decoded-text.ts';
import type { KnownFile } from './traversal-payloads.ts';

/** Fields beside the name of a file that hold what is written to it. */
const contentNames =
  /^(?:file_?)?(?:contents?|text|data|body|message|msg|notes?|source|code|payload|values?|val|html|json|xml|comment|description|markdown|md|txt)$/i;
/** Commands and names of fields by which something is written to a file. */
const writing =
  /(?:^|[^a-z])(?:writ|sav(?:e|ing)|stor(?:e|ing)|creat|put|upload|dump|export|append|backup|overwrit|output|out(?:file|_)|dest)/i;
/** What pages say of a file that was written, or is about to be. */
const written = /\b(?:writ(?:e|ten|ing)|wrote|saved?|stored|created|appended|overwrit\w+|uploaded|exported)\b/i;

/**
 * Whether the file that a value names may be written to: then a file of the system is never named that the server's account could
 * destroy.
 * @param base the page of the site's own value
 */
export const mayBeWritten = (
  { isStored, others, url, parameter }: Pick<InputSurface, 'isStored' | 'others' | 'url' | 'parameter'>,
  base: string,
): boolean =>
  isStored === true ||
  others.some(({ name }) => contentNames.test(name)) ||
  [new URL(url).pathname, parameter, ...others.map(({ name, value }) => `${name} ${value}`)].some((text) =>
    writing.test(text.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')),
  ) ||
  written.test(decodedText(base.replace(/<[^<>]*>/g, ' ')));

/** Nobody writes to it, whatever the account: the kernel makes it when it is read (Linux). Source: proc(5). */
export const unwritableFile: KnownFile = {
  path: 'proc/version',
  nowhere: 'version/proc',
  pattern: 'Linux version \\d{1,2}\\.\\d{1,3}[^<\\n]{0,300}(?:gcc|clang|SMP|PREEMPT)',
};
