/** How much of a message is kept that is too long to hold: its beginning and its end. */
const edgeBytes = 256;

type MessageReader = {
  message(message: Buffer): void;
  /** What begins and ends a message that was longer than may be held. */
  tooLong(begin: Buffer, end: Buffer): void;
};

/**
 * Splits a stream of the DevTools protocol into its messages, which end with a zero byte. Never holds more than one
 * message, nor more of it than `maxBytes`.
 * @returns takes the next piece of the stream
 */
export function splitMessages(maxBytes: number, reader: MessageReader): (piece: Buffer) => void {
  let held: Buffer[] = [];
  let heldBytes = 0;
  let tooLong: { begin: Buffer; end: Buffer } | undefined;

  const hold = (piece: Buffer) => {
    if (tooLong) {
      tooLong.end = Buffer.concat([tooLong.end, piece.subarray(-edgeBytes)]).subarray(-edgeBytes);
      return;
    }
    held.push(piece);
    heldBytes += piece.length;
    if (heldBytes <= maxBytes) return;
    const whole = Buffer.concat(held);
    tooLong = { begin: Buffer.from(whole.subarray(0, edgeBytes)), end: Buffer.from(whole.subarray(-edgeBytes)) };
    held = [];
  };
  const finish = () => {
    if (tooLong) reader.tooLong(tooLong.begin, tooLong.end);
    else reader.message(held.length === 1 && held[0] ? held[0] : Buffer.concat(held));
    held = [];
    heldBytes = 0;
    tooLong = undefined;
  };
  return (piece) => {
    let start = 0;
    for (let end = piece.indexOf(0); end !== -1; end = piece.indexOf(0, start)) {
      hold(piece.subarray(start, end));
      finish();
      start = end + 1;
    }
    if (start < piece.length) hold(piece.subarray(start));
  };
}
