import { firstMatch } from '../../proof/pattern.ts';

/** A kind of trace or debug page, in RE2. */
export type TraceFormat = {
  name: string;
  pattern: string;
  /** Markup that visitors cannot have written, so it counts whatever the status; others only count with an error status. */
  anyStatus?: boolean;
};

/** Two frames near each other: line ends between them differ in text, HTML and JSON. */
const twice = (frame: string): string => `(?s)${frame}.{1,600}?${frame}`;
const quote = '(?:"|\\\\"|&quot;|&#34;|&#x27;|&#39;)';

/** Formats are the programs' own, with file and line: a message that only sounds like an error does not match. */
const traceFormats: readonly TraceFormat[] = [
  {
    name: 'a debug page of Django',
    pattern: '(?i)seeing this error because you have <code>DEBUG ?= ?True</code>',
  },
  { name: 'the debugger of Werkzeug (Flask)', pattern: '(?is)<title>[^<]{0,300}// Werkzeug Debugger</title>' },
  {
    name: 'a traceback of Python',
    pattern: `(?i)Traceback \\(most recent call last\\):[^<>]{0,40}?File ${quote}[^"\\n&\\\\]{1,200}${quote}, line \\d+`,
  },
  {
    name: 'an error of PHP with its file',
    pattern:
      '<b>(?:Fatal error|Warning|Notice|Deprecated|Parse error|Recoverable fatal error)</b>: {1,3}[^\\n]{1,500} in <b>(?:/|[A-Za-z]:\\\\)[^<\\n]{1,250}</b> on line <b>\\d+</b>',
    anyStatus: true,
  },
  { name: 'a stack trace of PHP', pattern: '(?s)#0 (?:/|[A-Za-z]:\\\\)[^\\n:(]{1,200}\\.php\\(\\d+\\): .{1,600}?#1 ' },
  {
    // `html_errors` is off, or the program writes to its own output.
    name: 'an error of PHP with its file',
    pattern:
      '(?m)^\\s{0,9}(?:PHP )?(?:Fatal error|Warning|Notice|Deprecated|Parse error): {1,3}[^\\n]{1,500} in (?:/|[A-Za-z]:\\\\)[^<\\n:]{1,250}\\.(?:php|inc|phtml)(?: on line |:)\\d+',
    anyStatus: true,
  },
  {
    name: 'an error of PHP as Xdebug shows it',
    pattern: '(?i)<table class=["\']xdebug-error ',
    anyStatus: true,
  },
  {
    name: 'a stack trace of PHP in JSON',
    pattern:
      '(?s)"trace"\\s*:\\s*\\[\\s*\\{[^\\]]{0,600}?"file"\\s*:\\s*"(?:\\\\?/|[A-Za-z]:\\\\)[^"\\n]{1,250}\\.php"\\s*,\\s*"line"\\s*:\\s*\\d+',
  },
  {
    name: 'an error of CodeIgniter with its file',
    pattern:
      '(?s)<h4>A PHP Error was encountered</h4>.{1,800}?<p>Line Number: \\d+</p>|<b>(?:APP|SYSTEM|ROOT|FC|VENDOR)PATH/[^<\\n]{1,200}\\.php</b> at line <b>\\d+</b>',
    anyStatus: true,
  },
  {
    name: 'a debug page of CakePHP',
    pattern: twice('\\b(?:ROOT|APP|CORE)/[\\w/.-]{1,200}\\.php(?:, line: |:)\\d+'),
  },
  {
    name: 'a debug page of Yii',
    pattern: '(?is)<div class="call-stack">.*?\\bin (?:/|[A-Za-z]:\\\\)[^<\\n]{1,250}\\.php\\b',
  },
  {
    name: 'a debug page of Laravel',
    pattern:
      '(?is)<title>[^<]{0,300}</title>.*(?:window\\.ignite\\(|window\\.data = \\{"report"|laravel-exceptions-renderer)',
  },
  {
    name: 'a stack trace of Java',
    pattern: twice(
      '[\\w$]+(?:[./][\\w$<>]+){2,}\\((?:[\\w$]+\\.(?:java|kt|scala|groovy):\\d+|Unknown Source|Native Method)\\)',
    ),
  },
  {
    name: 'a debug page of Play',
    pattern: '<pre data-file="[^"\\n]{1,250}" data-line="\\d+"',
  },
  {
    name: 'a stack trace of .NET',
    pattern: twice('\\bat [A-Z][\\w`]*(?:\\.[\\w`<>|\\[\\]&;]+)+\\([^()\\n]{0,200}\\)'),
  },
  {
    name: 'a stack trace of Node.js',
    pattern: twice(
      '\\bat (?:[\\w.<>$\\[\\] &;]{1,80} \\()?(?:node:[\\w/.-]{1,80}|(?:file://|webpack-internal:///|node:)?(?:/|[A-Za-z]:\\\\)?[^\\s()<>:]+\\.[cm]?[jt]sx?):\\d+:\\d+',
    ),
  },
  { name: 'a stack trace of Ruby', pattern: twice("[/\\w.@+-]+\\.rb:\\d+:in (?:`|'|&#39;|&#x27;|&#x60;)") },
  { name: 'a debug page of Rails', pattern: '<code>Rails\\.root: /[^<\\n]{1,250}</code>' },
  {
    name: 'a debug page of Symfony',
    pattern:
      '(?is)<!-- [^<>]{1,400} \\(\\d{3} [A-Za-z ]{3,40}\\) -->.*(?:trace-line|exception-summary|Symfony Exception)',
  },
  { name: 'a debug page of Whoops (PHP)', pattern: '(?is)<title>[^<]{0,300}</title>.*<div class="Whoops container' },
  { name: 'a debug page of Tracy (Nette)', pattern: '(?i)<(?:tracy-div|div) id="tracy-bs"' },
  {
    name: 'an error page of ASP.NET with its source',
    pattern: '(?is)<b>\\s*Source File:\\s*</b>\\s*[A-Za-z]:\\\\[^<>]{1,260}<b>[^<]{0,30}Line:',
  },
  {
    // Without its source, and in the server's language: frames with the offset of the native code.
    name: 'a stack trace of ASP.NET',
    pattern:
      '\\[\\w{1,80}: [^\\n]{0,500}\\]\\r?\\n\\s+[\\w.`+<>&;]{3,200}\\([^()\\n]{0,300}\\) (?:\\+\\d+|in [A-Za-z]:\\\\)',
  },
  {
    name: 'an error of ColdFusion with its file',
    pattern: '(?is)The error occurred in (?:<b>)?(?:/|[A-Za-z]:\\\\)[^<\\n]{1,260}\\.cf[mc]: line \\d+',
  },
  {
    name: 'a panic of Rust',
    pattern: "thread (?:'|&#39;|&#x27;)[^\\n]{1,60} panicked at [^\\n]{1,300}\\.rs:\\d+:\\d+",
  },
  {
    name: 'a stack trace of Elixir',
    pattern: twice('\\(\\w{1,40} \\d+\\.\\d+[\\w.-]{0,20}\\) (?:lib|src|deps|web)/[\\w./-]{1,200}\\.(?:ex|erl):\\d+'),
  },
  {
    name: 'an error of Perl with its file',
    pattern: ' at /[\\w./-]{1,300}\\.(?:p[lm]|cgi) line \\d+[,.]',
  },
  {
    name: 'a stack trace of Lua',
    pattern: '(?s)stack traceback:.{1,200}?\\.lua:\\d+: in (?:main chunk|function|upvalue|local|method|field)',
  },
  { name: 'an error stack of Oracle', pattern: 'ORA-06512: at (?:"|&quot;)[\\w.$]{1,120}(?:"|&quot;), line \\d+' },
  { name: 'a stack trace of Go', pattern: '(?s)goroutine \\d+ \\[running\\]:.{1,400}?\\.go:\\d+' },
];

/** The first format that an answer shows. */
export function traceIn(status: number, text: string): TraceFormat | undefined {
  return traceFormats.find(
    ({ pattern, anyStatus = false }) => (anyStatus || status >= 400) && firstMatch(pattern, text) !== undefined,
  );
}
