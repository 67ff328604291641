import { isIPv6, type Socket } from 'node:net';
import { ProbeError } from '../../model/probe-error.ts';
import type { SmtpLook, SmtpProbe } from '../../model/smtp.ts';
import type { Budget } from '../budget/budget.ts';
import { probeErrorFrom, timeLimit } from '../errors.ts';
import type { Guard } from '../guard/guard.ts';
import { hangUp, openSocket, startTls } from '../http/connect.ts';
import type { Recorder } from '../recorder.ts';
import { readReply, type SmtpReply, say } from './dialogue.ts';

type SmtpParts = {
  guard: Guard;
  budget: Budget;
  recorder: Recorder;
  signal: AbortSignal;
  /** Where mail servers listen; 25 by default (RFC 5321 §2.3.9), 0 to ask none. */
  port?: number | undefined;
};

const smtpPort = 25;
/** Servers make strangers wait for some seconds, to see who talks first. */
const timeoutMs = 20_000;

/** The mail instrument. A mail server is another host than the audited one: the guard decides on its address, and it counts. */
export function createSmtpProbe(parts: SmtpParts): SmtpProbe {
  const { guard, budget, recorder, signal, port = smtpPort } = parts;
  return {
    async look(host) {
      if (port === 0) throw new ProbeError('turned_off', 'mail servers are not asked here (MAIL_PORT is 0)');
      const startMs = performance.now();
      const note = (outcome: string) =>
        recorder.note({
          instrument: 'smtp',
          method: 'EHLO',
          url: `smtp://${host}:${port}`,
          outcome,
          elapsedMs: performance.now() - startMs,
        });
      using limit = timeLimit(signal, Math.min(timeoutMs, Math.max(1, budget.remainingMs())), `SMTP with ${host}`);
      limit.pause();
      await budget.take(limit);
      const slot = await budget.connections.take(limit);
      limit.resume();
      try {
        const socket = await openSocket(guard, { host, port }, limit);
        const look = await lookAt(socket, host, port, limit).finally(() => hangUp(socket));
        note(look.startTls);
        return look;
      } catch (error) {
        const known = probeErrorFrom(error, limit);
        note(known.code);
        throw known;
      } finally {
        slot.release();
      }
    },
  };
}

async function lookAt(socket: Socket, host: string, port: number, signal: AbortSignal): Promise<SmtpLook> {
  const greeting = expectCode(await readReply(socket, signal), 220, 'greets us');
  const welcome = expectCode(await say(socket, `EHLO ${ownName(socket)}`, signal), 250, 'takes our greeting');
  const look: SmtpLook = {
    greeting: `220 ${greeting.lines[0] ?? ''}`,
    extensions: welcome.lines.slice(1).map((line) => line.trim().toUpperCase()),
    startTls: 'not-offered',
    detail: '',
    remoteAddress: socket.remoteAddress ?? '',
    port,
  };
  // Firewalls that inspect mail overwrite removed commands with X; one may stand on our side of the path.
  if (look.extensions.some((word) => /^X{4,}/.test(word)))
    throw new ProbeError('protocol_error', `something on the way to ${host} takes its extensions out`);
  if (!look.extensions.includes('STARTTLS')) {
    await say(socket, 'QUIT', signal).catch(() => undefined);
    return look;
  }
  const ready = await say(socket, 'STARTTLS', signal);
  if (ready.code !== 220) return { ...look, startTls: 'refused', detail: `${ready.code} ${ready.lines[0] ?? ''}` };
  try {
    const secure = await startTls(socket, host, signal);
    const detail = secure.getProtocol() ?? '';
    await say(secure, 'QUIT', signal).catch(() => undefined);
    await hangUp(secure);
    return { ...look, startTls: 'done', detail };
  } catch (error) {
    if (!(error instanceof ProbeError) || error.code !== 'tls_failed') throw error;
    return { ...look, startTls: 'failed', detail: error.message };
  }
}

/** The address that we come from: a client without a name gives that. Source: RFC 5321 §4.1.3. */
function ownName({ localAddress = '127.0.0.1' }: Socket): string {
  return isIPv6(localAddress) ? `[IPv6:${localAddress}]` : `[${localAddress}]`;
}

/** A server that turns strangers away says nothing of what it would do with mail. */
function expectCode(reply: SmtpReply, code: number, what: string): SmtpReply {
  if (reply.code === code) return reply;
  throw new ProbeError('protocol_error', `no mail server that ${what}: ${reply.code} ${reply.lines[0] ?? ''}`);
}
