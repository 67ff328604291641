import { Command, InvalidArgumentError, Option } from 'commander';
import { addAdmin } from './admin/program.ts';
import { moments, scopes, severities, statuses, thresholds } from './api/schemas.ts';
import { gate } from './commands/gate.ts';
import { type GateOptions, requireSense } from './commands/gate-options.ts';
import { local } from './commands/local.ts';
import { type FindingsOptions, findings, type ReportOptions, report } from './commands/results.ts';
import { cancel, type JsonOptions, type ListOptions, list, show, type WatchOptions, watch } from './commands/scans.ts';
import { type CommandContext, type CommonOptions, createContext, type World } from './context.ts';
import { printable } from './terminal.ts';
import type { ExitCode } from './trouble.ts';
import { version } from './version.ts';

const environmentHelp = `
Environment:
  SCAN_AUDIT_KEY  API key of your organisation (required; there is no option for it, so that it shows in no log)
  SCAN_AUDIT_API  address of the API, for instance https://audit.example.com
  CI, NO_COLOR    plain lines instead of a progress bar; no colours`;

const gateHelp = `
Exit codes:
  0  pass: the scan looked at everything, and nothing is at the threshold or above
  2  fail: a verified finding is at the threshold or above
  1  no verdict: the scan failed, was canceled or could not look at everything, or it was not possible to ask
${environmentHelp}

Examples:
  scan-audit gate https://shop.example.com
  scan-audit gate shop.example.com --deep --threshold critical --sarif scan.sarif --junit scan.xml
  scan-audit gate https://shop.example.com --scope new          fail for what the scan before did not find
  scan-audit gate --run 0198f3a0-5f1e-7c3a-9d3e-2b1f6a7c8d9e --json -`;

const rootHelp = `${environmentHelp}

Examples:
  scan-audit gate https://shop.example.com     audit, and fail the pipeline for what is high or worse
  scan-audit local http://localhost:3000/      audit an application of this machine
  scan-audit scans list                        the newest scans
  scan-audit report <runId> -o report.html     the whole report`;

/** Gives each command its settings, runs it, and keeps what it ends with. */
type CommandRun = (options: CommonOptions, work: (context: CommandContext) => Promise<ExitCode>) => Promise<void>;

/**
 * The commands. What a command ends with goes to `done`.
 * @throws CommanderError from parseAsync when the command line is wrong, or help was asked for
 */
export function createProgram(world: World, done: (code: ExitCode) => void): Command {
  const run: CommandRun = async (options, work) => done(await work(createContext(world, options)));
  const program = new Command('scan-audit')
    .description('Audits web sites for verified weaknesses, in pipelines and from a terminal.')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => world.stdout.write(text),
      // A message of Commander's repeats what stands on the command line.
      writeErr: (text) => world.stderr.write(text.split('\n').map(printable).join('\n')),
      outputError: (text, write) => write(`${oneLine(text)} Run it with --help for all options.\n`),
    })
    .version(version, '-V, --version', 'print the version')
    .addHelpText('after', rootHelp);
  addGate(program, run);
  addScans(program, run);
  addResults(program, run);
  addLocal(program, world, done);
  addAdmin(program, world);
  return program;
}

/** As a log shows it best: "error: unknown command 'gaet' (Did you mean gate?)." */
const oneLine = (message: string): string =>
  message
    .trim()
    .replace(/\s*\n\s*/g, ' ')
    .replace(/[^.]$/, '$&.');

const command = (parent: Command, name: string, summary: string): Command =>
  parent
    .command(name)
    .summary(summary)
    .description(`${summary}.`)
    .option('--api <url>', 'address of the API (default: SCAN_AUDIT_API)');

function addGate(program: Command, run: CommandRun): void {
  command(program, 'gate', 'Scan a site and pass or fail by what was found')
    .argument('[url]', 'URL or host to scan; it must be verified for your organisation')
    .optionsGroup('Which scan:')
    .option('--run <runId>', 'take this scan instead of starting one')
    .option('--deep', 'a deep scan: with logins and chained weaknesses')
    .addOption(
      new Option(
        '--until <moment>',
        'wait for the end of the scan, or for the first finding that fails it (default: completed)',
      ).choices(moments),
    )
    .option(
      '--timeout <seconds>',
      'give up waiting after this long (default: 2700, with --deep or --run 9000)',
      wholeNumber,
    )
    .optionsGroup('What fails:')
    .addOption(
      new Option('--threshold <severity>', "this and worse fails (default: your organisation's policy)").choices(
        thresholds,
      ),
    )
    .addOption(new Option('--scope <scope>', 'all that was found, or what is new (default: all)').choices(scopes))
    .option('--baseline <runId>', 'new is what this scan did not find (default: the completed one of the host before)')
    .optionsGroup('Files (- is standard output):')
    .option('--sarif <file>', 'write the findings as SARIF 2.1.0, for code scanning')
    .option('--junit <file>', 'write the result as JUnit XML, for test reports')
    .option('--json <file>', 'write gate, scan and findings as JSON')
    .option('--html <file>', 'write the whole report')
    .addHelpText('after', gateHelp)
    .action((url: string | undefined, options: GateOptions) => {
      requireSense(url, options);
      return run(options, (context) => gate(context, url, options));
    });
}

function addScans(program: Command, run: CommandRun): void {
  const scans = program
    .command('scans')
    .summary('List, show, watch and cancel scans')
    .description('The scans of your organisation.');
  command(scans, 'list', 'List the newest scans')
    .option('--limit <count>', 'how many', wholeNumber, 20)
    .addOption(new Option('--status <status>', 'only these').choices(statuses))
    .addOption(new Option('--depth <depth>', 'only these').choices(['standard', 'deep']))
    .option('--host <host>', 'only those of this host')
    .option('--json', 'print JSON')
    .action((options: ListOptions) => run(options, (context) => list(context, options)));
  command(scans, 'show', 'Show one scan')
    .argument('<runId>')
    .option('--json', 'print JSON')
    .action((runId: string, options: JsonOptions) => run(options, (context) => show(context, runId, options)));
  command(scans, 'watch', 'Wait for the end of a scan; exits with 0 when it completes, else with 1')
    .argument('<runId>')
    .option('--timeout <seconds>', 'give up waiting after this long', wholeNumber)
    .option('--json', 'print the status record as JSON at the end')
    .action((runId: string, options: WatchOptions) => run(options, (context) => watch(context, runId, options)));
  command(scans, 'cancel', 'Cancel a scan')
    .argument('<runId>')
    .option('--json', 'print JSON')
    .action((runId: string, options: JsonOptions) => run(options, (context) => cancel(context, runId, options)));
}

function addResults(program: Command, run: CommandRun): void {
  command(program, 'findings', 'List the verified findings of a completed scan, worst first')
    .argument('<runId>')
    .addOption(new Option('--min-severity <severity>', 'only this and worse').choices(severities))
    .option('--json', 'print JSON, with the proofs')
    .action((runId: string, options: FindingsOptions) => run(options, (context) => findings(context, runId, options)));
  command(program, 'report', 'Save the HTML report of a completed scan')
    .argument('<runId>')
    .option('-o, --output <file>', 'where to (default: scan-audit-report-<runId>.html; - is standard output)')
    .option('--json', 'print what was written as JSON')
    .action((runId: string, options: ReportOptions) => run(options, (context) => report(context, runId, options)));
}

function addLocal(program: Command, world: World, done: (code: ExitCode) => void): void {
  program
    .command('local')
    .summary('Audit an application that runs on this machine')
    .description(
      'Starts the service from this checkout, audits an application of this machine in depth, and ends it again.',
    )
    .argument('[arguments...]')
    .helpOption(false)
    .allowUnknownOption()
    .action(async (given: string[]) => done(await local(world, given)));
}

function wholeNumber(text: string): number {
  if (!/^[1-9]\d{0,6}$/.test(text)) throw new InvalidArgumentError('Use a whole number from 1 on.');
  return Number(text);
}
