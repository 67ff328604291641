/** An address that stands in text: with its host, a path with a known ending, one that begins with dots, or the target of a link in Markdown, and a log by its whole path. */
const written =
  /https?:\/\/[^\s<>"'`(){}|\\^]{1,2000}|(?<=\]\()\/[\w.~/-]{1,500}(?:\?[\w.~=&%-]{0,500})?(?=[)\s])|(?<![\w./])\.{1,2}\/[\w.~/-]{1,500}(?:\?[\w.~=&%-]{1,500})?|(?<![\w.:/-])\/?[\w.~-]+(?:\/[\w.~-]+)*\.(?:php\d?|phtml|html?|aspx?|ashx|asmx|jspx?|jsf|do|action|cgi|pl|py|rb|cfm|json|xml|txt|pdf|csv|svc|wsdl)(?![\w.])(?:\?[\w.~=&%-]{1,500})?|(?<![\w.:/-])\/[\w.~-]+(?:\/[\w.~-]+)*\.log(?![\w.]*\w)/gi;

/** A line and column of a script, as stacks of errors have them. */
const place = /(\.[a-z]{2,4}(?:\?[^:?]*)?)(?::\d{1,9}){2}$/i;

/** Addresses in text and comments, each a guess: text is not written for programs. */
export const addressesInProse = (text: string): string[] => [
  ...new Set([...text.matchAll(written)].map(([found]) => found.replace(/[.,;:!?]+$/, '').replace(place, '$1'))),
];

const noted =
  /(?<=[\p{L}:=]["'`(]?\s{1,3}["'`(]?)\/[a-z][\w~-]{2,40}(?:\/[\w.~-]{1,40}){0,4}\/?(?=$|[\s"'`),;!?]|\.(?:\s|$))/giu;
/** "/wrapper" and "end of /content" say where an element ends. */
const closing = /^\s*(?:end|close|\/)/i;
const maxNoted = 5;

/** Addresses in a comment, plain paths among them: "editors: see /cms/". */
export const addressesInNote = (text: string): string[] => [
  ...addressesInProse(text),
  ...(closing.test(text)
    ? []
    : [...text.matchAll(noted)].slice(0, maxNoted).map(([found]) => found.replace(/\.$/, ''))),
];

/** Reads the comments of one script. Libraries write of paths in many comments, and mean none of this site: few are taken. */
export function commentReader(): (text: string) => string[] {
  let left = maxNoted;
  return (text) => {
    const addresses = addressesInProse(text);
    const noted = addressesInNote(text)
      .filter((each) => !addresses.includes(each))
      .slice(0, left);
    left -= noted.length;
    return [...addresses, ...noted];
  };
}
