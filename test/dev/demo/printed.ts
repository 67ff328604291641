import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { readersVariables } from '../../../dev/demo/reader.ts';
import type { DnsAnswer, DnsReply } from '../../../workflows/model/dns.ts';
import type { Step } from '../../../workflows/model/experiment.ts';
import type { Exchange } from '../../../workflows/model/http.ts';
import { makeExchange } from '../../../workflows/probe/http/exchange.ts';
import { holds } from '../../../workflows/proof/assertions.ts';
import { subjectValue } from '../../../workflows/proof/subjects.ts';
import { fillAction, fillAssertion, type TrialValues } from '../../../workflows/proof/template.ts';
import type { Proven } from './reproduction.ts';

const run = promisify(execFile);

type Printed = { stdout: string; stderr: string };

/** Pastes commands into a shell that has nothing but those variables. How they end does not matter. */
export async function paste(
  script: string,
  variables: Readonly<Record<string, string>> = readersVariables,
): Promise<Printed> {
  try {
    // Given a socket for its input, as here, bash would read the settings of whoever runs this.
    return await run('bash', ['--norc', '-c', script], {
      env: { PATH: process.env.PATH ?? '', ...variables },
      timeout: 60_000,
      maxBuffer: 32 * 1024 * 1024,
    });
  } catch (error) {
    const { stdout = '', stderr = String(error) } = error as Partial<Printed>;
    return { stdout, stderr };
  }
}

/**
 * Whether what was printed shows what the proof claims: each answer what its step claims of it.
 * @returns what it does not show, undefined when it shows all
 */
export function missingIn({ stdout }: Printed, { experiment, values }: Proven): string | undefined {
  const shown = shownSteps(experiment.steps);
  if (shown.length === 0) return 'no request claims anything';
  const answers = stdout.split(/(?=HTTP\/1\.1 \d{3} )/);
  if (answers.length !== shown.length) return `${answers.length} answers instead of ${shown.length}`;
  return shown.map((step, index) => failureIn(answers[index] ?? '', step, values)).find(Boolean);
}

/** The last request, those that are to be shown as well, and those whose answers the last is compared with. */
function shownSteps(steps: readonly Step[]): Step[] {
  const requests = steps.filter((step) => 'http' in step && step.http.logIn === undefined);
  const last = requests.at(-1);
  const claims = JSON.stringify(last?.expect ?? []);
  const isCompared = ({ capture = [] }: Step) =>
    capture.some(({ name, secret }) => secret && claims.includes(`‹${name}›`));
  return requests.filter((step) => step === last || step.isShown || isCompared(step));
}

const unpacked = /^body:(?:inflate|pack:.*|archive)$/;

function failureIn(answer: string, step: Step, values: TrialValues): string | undefined {
  const action = fillAction(step, values);
  const exchange = exchangeOf(answer, 'http' in action ? action.http.url : '');
  // What was unpacked for the reader has no head: an error answer would have given nothing to unpack.
  const isUnpacked = answer !== '' && step.expect.some(({ subject }) => unpacked.test(subject));
  if (!exchange && !isUnpacked) return `no answer: ${answer.slice(0, 600)}`;
  return firstFailure(answer, step, values, (subject) =>
    exchange ? subjectValue({ kind: 'http', exchange }, subject) : subject === 'status' ? '200' : answer,
  );
}

function firstFailure(
  printed: string,
  step: Step,
  values: TrialValues,
  shown: (subject: string) => string | undefined,
): string | undefined {
  const claims = step.expect.map((claim) => fillAssertion(claim, values));
  const failed = claims.find((claim) => !holds(claim, shown(claim.subject), new Date()));
  return failed && `${failed.subject} ${failed.operator} ${failed.expected}\nin ${printed.slice(0, 600)}`;
}

/** What curl -i prints. */
function exchangeOf(answer: string, url: string): Exchange | undefined {
  const [head = '', ...body] = answer.split('\r\n\r\n');
  const [statusLine = '', ...lines] = head.split('\r\n');
  const status = /^HTTP\/1\.1 (\d{3})/.exec(statusLine)?.[1];
  if (status === undefined) return undefined;
  return makeExchange({
    request: { method: 'GET', url, headers: [], body: '' },
    status: Number(status),
    httpVersion: '1.1',
    headers: lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon), line.slice(colon + 1).trim()] as const;
    }),
    body: Buffer.from(body.join('\r\n\r\n')),
    truncated: false,
    remoteAddress: '',
    elapsedMs: 0,
    redirects: [],
  });
}

/** Whether the shell has BIND's dig. */
export const hasDig = async (): Promise<boolean> => (await paste('command -v dig')).stdout !== '';

/** The same for questions of the DNS, of which each is a line of its own. */
export async function missingInNames({ proof, experiment, values }: Proven): Promise<string | undefined> {
  const lines = proof.curl.split('\n').filter((line) => line.startsWith('dig '));
  const steps = experiment.steps.filter((step) => 'dns' in step);
  if (lines.length !== steps.length) return `${lines.length} lines instead of ${steps.length}`;
  for (const [index, step] of steps.entries()) {
    const { stdout } = await paste(lines[index] ?? '');
    const reply = replyOf(stdout, 'dns' in step ? step.dns.type : '');
    const failure = firstFailure(stdout, step, values, (subject) => subjectValue({ kind: 'dns', reply }, subject));
    if (failure !== undefined) return failure;
  }
  return undefined;
}

/** What dig prints; the short form has nothing but the data. */
function replyOf(stdout: string, asked: string): DnsReply {
  const isShort = !/^;/m.test(stdout);
  const section = (name: string) => (stdout.split(`;; ${name} SECTION:\n`)[1] ?? '').split('\n\n')[0] ?? '';
  const isTransfer = stdout.includes('XFR size');
  const answers = isShort || isTransfer ? stdout : section('ANSWER');
  return {
    rcode: /status: (\w+)/.exec(stdout)?.[1] ?? 'NOERROR',
    answers: recordsIn(answers, isShort ? asked : undefined),
    authority: recordsIn(section('AUTHORITY')),
    authenticated: false,
    authoritative: false,
    server: '',
  };
}

/** @param only type of all of them, when there is nothing but their data */
const recordsIn = (text: string, only?: string): DnsAnswer[] =>
  text
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith(';'))
    .map((line) => {
      const [name = '', ttl = '0', , type = '', ...data] =
        only === undefined ? line.split(/\s+/) : ['', '0', 'IN', only, line];
      const text = data.join(' ');
      const joined = text.startsWith('"') ? text.replaceAll('" "', '').slice(1, -1) : text;
      return { name: bare(name), type, ttlSeconds: Number(ttl), data: bare(joined) };
    });

/** Names without the dot of the root. */
const bare = (name: string): string => name.replace(/\.$/, '');
