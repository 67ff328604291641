import { createServer, type Server, type Socket } from 'node:net';
import { CallbackProtocol } from '../proto/gen/scanaudit/v1/callbacks_pb.ts';
import type { Reporter } from './reporter.ts';

const maxConnections = 128;
/** RFC 5321 §4.5.3.1: a command is shorter. */
const maxLineBytes = 1_000;
const maxMailBytes = 262_144;
const maxCommands = 50;
const timeoutMs = 30_000;

/** A mail server that takes mail for addresses with a token, reports that it came, and keeps nothing of it. */
export function smtpSink(reporter: Reporter): Server {
  const server = createServer((socket) => {
    converse(socket, (recipient) =>
      reporter.receive({
        protocol: CallbackProtocol.SMTP,
        address: socket.remoteAddress?.replace(/^::ffff:/, '') ?? '::',
        texts: [recipient],
        detail: 'RCPT',
      }),
    );
  });
  server.maxConnections = maxConnections;
  return server;
}

type Conversation = { commands: number; mailBytes: number; isMail: boolean; line: string };

function converse(socket: Socket, recipient: (address: string) => string[]): void {
  const state: Conversation = { commands: 0, mailBytes: 0, isMail: false, line: '' };
  const say = (text: string) => void socket.write(`${text}\r\n`);
  // What still comes is thrown away: a connection that is cut would take the last line with it.
  const end = (text: string) => {
    socket.removeAllListeners('data');
    socket.resume();
    socket.end(`${text}\r\n`);
  };
  // All together, however slowly it comes.
  const timer = setTimeout(() => socket.destroy(), timeoutMs);
  socket.on('close', () => clearTimeout(timer));
  socket.on('error', () => socket.destroy());
  socket.on('data', (data) => {
    if (state.isMail) state.mailBytes += data.length;
    if (state.mailBytes > maxMailBytes) return end('552 5.3.4 Too much');
    const lines = (state.line + data.toString('latin1')).split('\n');
    state.line = lines.pop() ?? '';
    for (const line of lines) if (!take(line.trimEnd(), state, { say, end, recipient })) return;
    // Of a mail only the lone dot at its end is looked for.
    if (state.line.length > maxLineBytes) {
      if (!state.isMail) return end('500 5.5.2 Line too long');
      state.line = 'x';
    }
  });
  say('220 ready');
}

type Talk = { say(text: string): void; end(text: string): void; recipient(address: string): string[] };

/** @returns false when the conversation has ended */
function take(line: string, state: Conversation, { say, end, recipient }: Talk): boolean {
  if (state.isMail) {
    if (line !== '.') return true;
    state.isMail = false;
    say('250 2.0.0 Taken');
    return true;
  }
  state.commands += 1;
  if (state.commands > maxCommands) return stop(end, '421 4.7.0 Too many commands');
  const [verb = ''] = line.slice(0, 10).toUpperCase().split(/[\s:]/, 1);
  if (verb === 'QUIT') return stop(end, '221 2.0.0 Bye');
  if (verb === 'RCPT') say(recipient(line).length > 0 ? '250 2.1.5 Ok' : '550 5.1.1 Nobody here');
  else if (verb === 'DATA') {
    state.isMail = true;
    say('354 Go on');
  } else say(['HELO', 'EHLO', 'MAIL', 'RSET', 'NOOP'].includes(verb) ? '250 Ok' : '502 5.5.1 Not here');
  return true;
}

function stop(end: Talk['end'], text: string): false {
  end(text);
  return false;
}
