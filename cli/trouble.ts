/** What a pipeline reads: 0 lets it go on, 2 stops it for what was found, 1 stops it because there is no verdict. */
export const exitCodes = { pass: 0, trouble: 1, fail: 2 } as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** Ends a command with exit code 1. The message is one line that says what is wrong and what to do. */
export class Trouble extends Error {
  override name = 'Trouble';
}

/** The time that the user allows has passed, or would while waiting as the service asks to. */
export class OutOfTime extends Trouble {
  override name = 'OutOfTime';
}

/** The user, or the pipeline, asked this program to end. */
export class Interrupted extends Trouble {
  override name = 'Interrupted';
}
