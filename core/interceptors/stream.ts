/** Passes a stream on and reports once how it ended: with an error, or without one when it was read or left. */
export async function* onEnd<T>(messages: AsyncIterable<T>, end: (error?: unknown) => void): AsyncIterable<T> {
  let failure: { error: unknown } | undefined;
  try {
    yield* messages;
  } catch (error) {
    failure = { error };
    throw error;
  } finally {
    end(failure?.error);
  }
}

/** Passes a stream on, with another error in place of the one it ends with. */
export async function* mapError<T>(messages: AsyncIterable<T>, map: (error: unknown) => unknown): AsyncIterable<T> {
  try {
    yield* messages;
  } catch (error) {
    throw map(error);
  }
}

/** Passes a stream on after looking at each message, which may throw. */
export async function* onEach<T>(messages: AsyncIterable<T>, look: (message: T) => void): AsyncIterable<T> {
  for await (const message of messages) {
    look(message);
    yield message;
  }
}

/** Passes a stream on until `ended` rejects, which ends it with that error, however long its next message takes. */
export async function* until<T>(messages: AsyncIterable<T>, ended: Promise<never>): AsyncIterable<T> {
  const iterator = messages[Symbol.asyncIterator]();
  try {
    for (;;) {
      const { done, value } = await Promise.race([iterator.next(), ended]);
      if (done) return;
      yield value;
    }
  } finally {
    // Not waited for: what is in the middle of a message takes notice of its end only afterwards.
    iterator.return?.().catch(() => {});
  }
}
