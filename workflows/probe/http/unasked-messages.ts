import { calledByMessage, rootOfMessage } from '../gate/message-words.ts';

/** What one address sends again and again without being asked: ticks, counters, prices. It is no answer to anything. */
export type UnaskedMessages = {
  /** @returns whether nobody has listened yet */
  begin(): boolean;
  /** @param messages that came while nothing was sent */
  learn(messages: readonly string[]): void;
  /** Whether a message is of a form that comes again and again. */
  has(message: string): boolean;
  /** @param sent a message that was answered, or that was not in the time for that */
  note(sent: string, isAnswered: boolean): void;
  /** Whether messages of this kind are not answered: one was not, and none ever was. */
  isMute(sent: string): boolean;
};

const maxShape = 200;
const maxAddresses = 200;
const maxKinds = 100;

const kindOf = (sent: string): string => (sent.length < 20_000 ? (calledByMessage(sent) ?? '') : '');

export function createUnaskedMessages(): UnaskedMessages {
  let isBegun = false;
  const repeated = new Set<string>();
  const answered = new Map<string, boolean>();
  return {
    begin() {
      const isFirst = !isBegun;
      isBegun = true;
      return isFirst;
    },
    learn(messages) {
      for (const [shape, alike] of Map.groupBy(messages.slice(0, 100), shapeOf))
        if (alike.length > 1) repeated.add(shape);
    },
    note(sent, isAnswered) {
      const kind = kindOf(sent);
      if (answered.size < maxKinds || answered.has(kind)) answered.set(kind, isAnswered || answered.get(kind) === true);
    },
    isMute: (sent) => answered.get(kindOf(sent)) === false,
    has: (message) => repeated.size > 0 && repeated.has(shapeOf(message)),
  };
}

/** Those of each address. */
export function unaskedByAddress(): (url: string) => UnaskedMessages {
  const known = new Map<string, UnaskedMessages>();
  return (url) => {
    const address = url.replace(/[?#].*$/s, '');
    const unasked = known.get(address) ?? createUnaskedMessages();
    if (known.size < maxAddresses) known.set(address, unasked);
    return unasked;
  };
}

/** The names of its members, and what is named by the first of them; of a text what is no number. */
function shapeOf(message: string): string {
  const root: unknown = message.length < 20_000 && /^\s*\{/.test(message) ? rootOfMessage(message) : undefined;
  if (typeof root !== 'object' || root === null) return message.slice(0, maxShape).replace(/[\d.:]+/g, '0');
  const [first] = Object.entries(root).filter(([, value]) => typeof value === 'string');
  const kind = first && /^(?:type|event|action|kind|op)$/i.test(first[0]) ? `=${first[1]}` : '';
  return `${Object.keys(root).join(' ')}${kind}`.slice(0, maxShape);
}
