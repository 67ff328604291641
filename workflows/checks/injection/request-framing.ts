import { claim, type Experiment, type HttpAction, type Step } from '../../model/experiment.ts';
import { unshared } from '../pages/shared-cache.ts';

/**
 * A body whose end two servers may see at different places, the one by Transfer-Encoding, the other by Content-Length. The bytes
 * are always the same, and all of them are sent. With the length `whole` both see one end, or one of them refuses the request. With
 * `cut` the server in front passes on less than the one behind it waits for; a server alone, or two that agree, wait for nothing.
 * Nothing is left on a connection that others share: what one server passes on and the other does not read is an empty line,
 * which servers skip (RFC 9112 §2.2).
 */
type Framing = { name: 'CL.TE' | 'TE.CL'; body: string; whole: number; cut: number };

/** The order matters: the second one is only harmless where the first one shows nothing. */
const framings: readonly Framing[] = [
  // Four bytes are passed on, a chunk without its end. A server in front that reads chunks refuses the next one, which has no size.
  { name: 'CL.TE', body: '1\r\nZ\r\nQ\r\n\r\n', whole: 11, cut: 4 },
  // The chunks end before two more bytes that the length counts.
  { name: 'TE.CL', body: '0\r\n\r\n\r\n', whole: 5, cut: 7 },
];

/** Spellings that some servers take for "chunked" and others do not. Source: RFC 9112 §6.1. */
const codings: readonly string[] = ['chunked', 'identity, chunked', 'xchunked'];

export type Desync = { url: string; framing: Framing; coding: string };

/** All that can be tried at an address, the plain spelling of each first. */
export const desyncsAt = (url: string): Desync[] =>
  codings.flatMap((coding) => framings.map((framing) => ({ url, framing, coding })));

/** @param field the name of the header that says how the body is coded; another name means nothing to anybody */
const framed = ({ url, framing, coding }: Desync, length: number, field = 'Transfer-Encoding'): HttpAction => ({
  url: unshared(url, '‹nonce›'),
  headers: [
    [field, coding],
    ['Content-Length', String(length)],
    // HTTP/1.1 alone has this field, so that the control goes the same way.
    ['Connection', 'close'],
  ],
  body: framing.body,
});

/** What nobody answers where the two disagree. */
export const cutRequest = (desync: Desync): HttpAction => framed(desync, desync.framing.cut);

export function desyncExperiment(desync: Desync): Experiment {
  const { cut, whole } = desync.framing;
  const silent = claim('timing:unanswered', 'present', '', 'No answer came in five seconds.');
  const isCut: Step = {
    http: framed(desync, cut),
    note: `With the length ${cut} the server behind waits for bytes that the one in front has not passed on.`,
    expect: [silent],
    isShown: true,
  };
  const isWhole: Step = {
    http: framed(desync, whole),
    note: `The same bytes with the length ${whole} are answered.`,
    expect: [claim('timing:unanswered', 'absent'), claim('status', 'matches', '^[1-4]')],
  };
  return {
    steps: [isWhole, isCut, isWhole, isCut],
    control: [
      {
        http: framed(desync, cut, 'X-‹nonce2›'),
        note: 'Where nothing says that the body has chunks, the same bytes with the same length are answered.',
        expect: [silent],
      },
    ],
  };
}
