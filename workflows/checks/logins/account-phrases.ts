const name = '(?:user[ _-]?(?:name|id)?|log[ _-]?in|e-?mail(?:[ _-]?address)?|account|benutzer(?:name)?)';
const password = '(?:pass(?:word|wd|phrase|code)?|pwd|pw|passwort|kennwort)';
/** Of accounts with words of their own, behind which the values are quoted or set off. */
const ownName = String.raw`(?:\p{L}{2,20}[ _-])?(?:name|id|account|number)`;
const ownSecret = String.raw`(?:pin|code|secret|key|pass\p{L}{0,8})(?:[ -](?:code|word|phrase|number))?`;
const quote = String.raw`["'\x60]`;
const is = String.raw`(?:${quote}{0,2}\s{0,3}(?:[:=]|=>|\bis\b)\s{0,3}${quote}{0,2}|\s{1,3}${quote})`;
const user = String.raw`([^\s"'\x60<>,;|&(){}[\]]{1,64})`;
const secret = String.raw`([^\s"'\x60<>,;|(){}[\]]{1,64})`;
const between = String.raw`["'\x60.)]{0,3}[\s,;|/&*]{0,8}(?:(?:and|und|with)\s{1,3})?(?:(?:the|its)\s{1,3})?`;
/** Not "Demo reader: kim / kim-2031" at its first word: there the pair begins behind it. */
const ends = String.raw`(?=[\s"'\x60<>,;|(){}[\]/]|$)(?!\s{0,2}[:/|]\s{0,2}[\w@+-])`;
/** Sentences in which pages say by what somebody logs in: a name and a password, in this order. */
export const accountPhrases = [
  // "User: demo, password: demo"; "account: demo, password demo-1"; "ADMIN_USER=demo", "ADMIN_PASS=demo-1".
  new RegExp(
    String.raw`(?<!\p{L})${name}${is}${user}${between}(?:\p{L}{1,20}_)?${password}(?:${is}|\s{1,3}(?=[^\s\d]{0,40}\d))${secret}`,
    'giu',
  ),
  // "The default account is demo with the password demo".
  new RegExp(
    String.raw`(?<!\p{L})${name}${is}${user}${quote}?\s{1,3}with\s{1,3}(?:(?:the|its)\s{1,3})?${password}(?:${is}|\s{1,3})${secret}`,
    'giu',
  ),
  // "For reviewers: kim, password kim-2031".
  new RegExp(
    String.raw`(?<=[:(]\s{0,3}${quote}?)([a-z][\w.@+-]{1,63})${between}${password}(?:${is}|\s{1,3}(?=[^\s\d]{0,40}\d))${secret}`,
    'giu',
  ),
  // "Log in as demo with the password demo", "use the card demo with the password demo".
  new RegExp(
    String.raw`\b(?:as|use|try)\s{1,3}(?:the\s{1,3}(?:\p{L}{2,20}\s{1,3}){1,2})?${quote}?${user}${quote}?\s{1,3}(?:with|using|and)\s{1,3}(?:the\s{1,3})?${password}(?:${is}|\s{1,3})${secret}`,
    'giu',
  ),
  // "Sign in as demo with the code demo-1".
  new RegExp(
    String.raw`\b(?:(?:log|sign)[ -]?in|enter)\s{1,3}as\s{1,3}${quote}?${user}${quote}?\s{1,3}(?:with|using|and)\s{1,3}(?:the\s{1,3})?${ownSecret}(?:${is}|\s{1,3})(?=[^\s]{0,40}[-_\d])${secret}`,
    'giu',
  ),
  // "the reader name "kim" and the PIN "2031"".
  new RegExp(
    String.raw`(?<!\p{L})${ownName}\s{0,3}:?\s{0,3}${quote}${user}${between}${ownSecret}\s{0,3}:?\s{0,3}${quote}(?=\S{4})${secret}${quote}`,
    'giu',
  ),
  // "Log in as kim with kim-2031", "use kim:kim-2031": a secret without a word before it has a digit.
  new RegExp(
    String.raw`\b(?:(?:log|sign)[ -]?in\s{1,3}as|use|try)\s{1,3}${quote}?([a-z][\w.@+-]{1,63})${quote}?(?:\s{1,3}(?:with|using|and)\s{1,3}|\s{0,2}[:/]\s{0,2})${quote}?(?=\p{L})(?=[^\s]{0,40}\d)([^\s"'\x60<>,;|(){}[\]/]{5,64})${ends}`,
    'giu',
  ),
  // "Singers use kim / la-la-la": two words with a stroke between them, behind the verb, are no others.
  new RegExp(
    String.raw`\b(?:(?:log|sign)[ -]?in\s{1,3}as|use|try)\s{1,3}([a-z][\w.@+-]{1,63})\s{1,2}/\s{1,2}(?=\p{L})(?=[^\s]{0,40}[-_!#$])([^\s"'\x60<>,;|(){}[\]/]{6,64})${ends}`,
    'giu',
  ),
  // "Readers: kim / kim-2031": whatever people are called, what stands there is no word of a sentence.
  new RegExp(
    String.raw`(?<=[:(]\s{0,2})([a-z][\w.@+-]{1,63})\s{1,2}/\s{1,2}(?=\p{L})(?=[^\s]{0,40}\d)([^\s"'\x60<>,;|(){}[\]/]{6,64})${ends}`,
    'giu',
  ),
  // "kim@site.example / kim-2031", "kim@site.example with kim-2031".
  new RegExp(
    String.raw`(?<![\w.+-])([\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4})(?:\s{0,2}[:/|]\s{0,2}|\s{1,3}with\s{1,3})(?=\p{L})(?=[^\s]{0,40}\d)([^\s"'\x60<>,;|(){}[\]/]{6,64})${ends}`,
    'giu',
  ),
  // "Test account: test / test123", "demo credentials (demo:demo)", "log in with demo:demo".
  new RegExp(
    String.raw`\b(?:demo|hints?|test(?:ing|ers?)?|try|trial|sample|guests?|visitors?|everybody|anybody|default|log-?\s?in with|sign in with)\b[^<>\n]{0,60}?(?<![\w:/.@-])(?!(?:accounts?|credentials?|creds|users?|log-?ins?)\b)(?![\w-]+:\s+[\w.@+-]{2,64}\s{0,2}[:/|])(?=[\w.@+-]*[a-z])([\w.@+-]{2,64})\s{0,2}[:/|]\s{0,2}${quote}?(?!/)([^\s"'\x60<>,;|(){}[\]/]{2,64})${ends}`,
    'giu',
  ),
  // "student / student", "kim:kim": nothing else writes a word twice like this.
  /(?<![\w:/.@-])([a-z][\w.@+-]{2,31})\s{0,2}[:/]\s{0,2}(\1)(?![\w:/@-])/giu,
];

/** "testUser = 'kim'; testPassword = 'kim-2031'", and the same as comparisons. */
export const accountsInCode = new RegExp(
  String.raw`(?:user(?:_?name|_?id)?|log_?in|e_?mail|account)(?:\.value)?["']?\s{0,3}(?:={1,3}|:)\s{0,3}["'\x60]${user}["'\x60]` +
    String.raw`[\s;,)(&]{0,12}(?:(?:var|let|const)\s{1,3})?["']?[\w$.]{0,30}?(?:pass(?:_?word|wd|_?phrase)?|pwd|pw)(?:\.value)?["']?\s{0,3}(?:={1,3}|:)\s{0,3}["'\x60]${secret}["'\x60]`,
  'giu',
);
