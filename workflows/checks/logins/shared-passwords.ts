import type { AccountPair } from './default-accounts.ts';

const password = '(?:pass(?:word|wd|phrase|code)?s?|pwd|pw|passwort|kennwort)';
const name = '(?:user[ _-]?names?|log[ -]?ins?|names?|benutzername)';
/** "The password is the same as the user name", "password = username". */
const sameAsName = new RegExp(
  String.raw`\b${password}\b(?:(?!\b(?:not|never|must|should|can|cannot|may)\b|n[’']t\b)[^.!?]){0,40}?(?:\b(?:same as|equals?|identical (?:to|with)|match(?:es)?)\b|=)[^.!?\w]{0,3}(?:(?:to|the|their|its|your)\s{1,3}){0,2}${name}\b|\b${name}\s{0,3}=\s{0,3}${password}\b|\b${name}\s{1,3}is\s{1,3}also\s{1,3}(?:the|their|its|your)\s{1,3}${password}\b`,
  'iu',
);
const secret = String.raw`["'\x60]?([^\s"'\x60<>,;|(){}[\]]{3,64})`;
const everybody = '(?:all|both|each|every(?:one|body)?)';
/** "The password of all is kimpass", "both have the password kimpass", "all passwords are kimpass". */
const oneForAll = [
  new RegExp(
    String.raw`\b${password}\s{1,3}(?:of|for)\s{1,3}${everybody}\b[^.!?:=]{0,30}?(?:\bis\b|[:=])\s{0,3}${secret}`,
    'iu',
  ),
  new RegExp(
    String.raw`\b${everybody}\b[^.!?:=]{0,40}?\b${password}\b(?:\s{1,3}(?:is|are)\b)?\s{0,3}[:=]?\s{0,3}(?!of\b|for\b|is\b|are\b)${secret}`,
    'iu',
  ),
];
const who = String.raw`[a-z][\w.@+-]{1,63}`;
const list = new RegExp(
  String.raw`\b(?:accounts?|users?|as|names?|members?)(?:\s{1,3}are)?\s{0,2}:?\s{1,3}(${who}(?:(?:\s{0,2},\s{0,2}(?:(?:and|or)\s{1,3})?|\s{1,3}(?:and|or)\s{1,3})${who}){1,3})(?![\w@+-])`,
  'iu',
);
const quoted = new RegExp(String.raw`["'\x60](${who})["'\x60]`, 'giu');

/** Accounts of a line that names several and says one password for all of them, or that it is the name. Texts set off are in quotes. */
export function sharedPairs(line: string): AccountPair[] {
  const isName = sameAsName.test(line);
  const word = isName ? undefined : oneForAll.flatMap((pattern) => pattern.exec(line)?.[1] ?? []).at(0);
  if (!isName && word === undefined) return [];
  const plain = word?.replace(/[.:!?]$/, '');
  const setOff = [...line.matchAll(quoted)].map(([, each = '']) => each).filter((each) => each !== plain);
  const named =
    setOff.length > 0 ? setOff : (list.exec(line)?.[1]?.split(/\s*,\s*(?:(?:and|or)\s+)?|\s+(?:and|or)\s+/i) ?? []);
  return [...new Set(named.map((each) => each.replace(/[.]$/, '')))].map((each): AccountPair => [each, plain ?? each]);
}
