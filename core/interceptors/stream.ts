/** Passes a stream on and tells once how it ended: with an error, or without one when it was read or left. */
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
