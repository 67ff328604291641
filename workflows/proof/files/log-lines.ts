type LogFormat = { name: string; line: RegExp };

/** How lines of each kind begin. */
const formats: readonly LogFormat[] = [
  { name: 'Laravel or Monolog', line: /^\[\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d[^\]]{0,20}\] [\w-]{1,40}\.[A-Z]{4,9}: / },
  {
    name: 'the error log of PHP',
    line: /^\[\d\d-[A-Z][a-z]{2}-\d{4} \d\d:\d\d:\d\d [\w/+:-]{1,40}\] (?:PHP |WordPress )?\w/,
  },
  {
    name: 'the error log of Apache httpd',
    line: /^\[[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d(?:\.\d+)? \d{4}\] \[[\w:]+\] /,
  },
  {
    name: 'an access log',
    line: /^(?:[\w.:-]{1,255} )?[\da-f.:]{3,45} \S{1,60} \S{1,60} \[\d\d\/[A-Z][a-z]{2}\/\d{4}:\d\d:\d\d:\d\d [+-]\d{4}\] "[A-Z-]{1,10} ?/i,
  },
  {
    name: 'the error log of nginx',
    line: /^\d{4}\/\d\d\/\d\d \d\d:\d\d:\d\d \[(?:debug|info|notice|warn|error|crit|alert|emerg)\] \d+#\d+: /,
  },
  { name: 'a log of IIS', line: /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d \S+ (?:\S+ ){0,3}(?:GET|POST|HEAD|PUT|OPTIONS) \// },
  {
    name: 'a log of Rails',
    line: /^(?:[DIWEF], \[\d{4}-\d\d-\d\dT[\d:.]+ #\d+\] +(?:DEBUG|INFO|WARN|ERROR|FATAL) -- |Started (?:GET|POST|PUT|PATCH|DELETE) "|Processing by \w|Completed \d{3} )/,
  },
  {
    name: 'a log of an application',
    line: /^\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z|[ ]?[+-]\d\d:?\d\d)?\]?[ :|\t-]{1,4}(?:[\w.()[\]:#-]{1,80}[ :|\t-]{1,4}){0,5}\[?(?:TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?|ERROR|FATAL|SEVERE|CRITICAL|PHP \w+)\b/i,
  },
  {
    name: 'a log of an application in Python',
    line: /^(?:DEBUG|INFO|WARNING|ERROR|CRITICAL)[: ][\w.: -]{0,60}\d{4}-\d\d-\d\d|^(?:INFO|ERROR|WARNING|DEBUG):[\w.]{1,60}:/,
  },
  {
    name: 'a log in JSON',
    line: /^\{"?(?=.{0,400}"(?:level|severity|lvl)")(?=.{0,400}"(?:time|timestamp|ts|@timestamp|msg|message)")/,
  },
  {
    name: 'a debug log of npm',
    line: /^\d{1,5} (?:verbose|info|silly|error|warn|notice|timing|http) /,
  },
  {
    name: 'a log of the system',
    line: /^[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d [\w.-]{1,64} [\w/.-]{1,40}(?:\[\d+\])?: /,
  },
  { name: 'a log of slow queries of MySQL', line: /^# (?:Time: \d|User@Host: |Query_time: \d)|^SET timestamp=\d+;/ },
];

/** Lines of a stack trace or of a message that goes on. */
const continuation =
  /^(?:\s|#\d+ |at |Caused by: |Stack trace:|\[stacktrace\]|"?\}|Traceback \(|\w+(?:\.\w+)*(?:Error|Exception)\b|thrown in|SELECT |INSERT |UPDATE |use \w+;|Parameters: )/;

const maxLines = 400;
const minLines = 2;

/**
 * What kind of log a text is, when at least two of its lines begin as lines of that kind do, and few begin in other ways.
 * @returns undefined when it is none
 */
export function logKind(text: string): string | undefined {
  if (/^\s*<(?:!doctype|html|\?xml)/i.test(text)) return undefined;
  const lines = text
    .split(/\r\n|\n|\r/, maxLines)
    .map((line) => line.slice(0, 1_000))
    // The last one may be cut off, and IIS begins with a head.
    .filter((line) => line.trim() !== '' && !/^#(?:Software|Version|Date|Fields):/.test(line));
  const own = lines.filter((line) => !continuation.test(line));
  const best = formats.find(({ line }) => {
    const count = own.filter((each) => line.test(each)).length;
    return count >= minLines && count >= (own.length - 1) * 0.7;
  });
  return best?.name;
}
