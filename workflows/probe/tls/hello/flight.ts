import type { HelloAnswer, HelloOffer } from '../../../model/tls-hello.ts';
import { createRecordReader, type Piece } from './records.ts';
import { alertCodes } from './registry.ts';
import { readCertificates, readKeyExchange, readServerHello } from './server-messages.ts';

type FlightReading = Omit<HelloAnswer, 'sent' | 'remoteAddress'>;

/** Messages of a handshake (RFC 5246 §7.4). */
const serverHello = 2;
const certificate = 11;
const serverKeyExchange = 12;
const certificateRequest = 13;
const serverHelloDone = 14;
const certificateStatus = 22;

const nothing: FlightReading = {
  outcome: 'refused',
  alert: 'closed',
  version: '',
  suite: '',
  compression: '',
  group: '',
  signature: '',
  isRenegotiationSecure: false,
  alpn: '',
  isStapled: false,
  asksForCertificate: false,
  certificates: [],
};

/** The first flight of a server, read as it comes. */
type FlightReader = {
  /** @returns the answer once it is complete. @throws ProbeError */
  push(chunk: Uint8Array): FlightReading | undefined;
  /** What it was when the connection ends before that. */
  ended(): FlightReading;
};

export function createFlightReader(offer: HelloOffer): FlightReader {
  const records = createRecordReader();
  const seen: FlightReading = { ...nothing };

  /** A server that gives up half-way has not accepted what it chose. */
  const refusedBy = (alert: string): FlightReading => ({ ...nothing, alert });
  const complete = (): FlightReading => ({
    ...seen,
    alert: '',
    outcome: isOffered(seen, offer) ? 'accepted' : 'mismatched',
  });

  const take = (piece: Piece): FlightReading | undefined => {
    if (piece.type === 'alert') {
      // Warnings are about a name that the server does not know, for instance; it goes on after them.
      if (!piece.isFatal && piece.code !== alertCodes.code('close_notify')) return undefined;
      return refusedBy(alertCodes.name(piece.code));
    }
    return takeMessage(seen, piece) ? complete() : undefined;
  };

  return {
    push(chunk) {
      for (const piece of records.push(chunk)) {
        const answer = take(piece);
        if (answer) return answer;
      }
      return undefined;
    },
    ended: () => refusedBy('closed'),
  };
}

/** @returns whether it was the last that is in the clear */
function takeMessage(seen: FlightReading, { kind, body }: Piece & { type: 'message' }): boolean {
  switch (kind) {
    case serverHello:
      Object.assign(seen, readServerHello(body));
      return seen.version === 'TLSv1.3';
    case certificate:
      seen.certificates = readCertificates(body);
      return false;
    case certificateStatus:
      seen.isStapled = true;
      return false;
    case serverKeyExchange:
      Object.assign(seen, readKeyExchange(body, seen));
      return false;
    case certificateRequest:
      seen.asksForCertificate = true;
      return false;
    case serverHelloDone:
      return seen.version !== '';
    default:
      return false;
  }
}

const isOffered = ({ version, suite, compression }: FlightReading, offer: HelloOffer): boolean =>
  (offer.versions as readonly string[]).includes(version) &&
  offer.suites.includes(suite) &&
  (offer.compressions ?? ['null']).includes(compression);
