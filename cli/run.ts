import { CommanderError } from 'commander';
import { createPrinters, type World } from './context.ts';
import { createProgram } from './program.ts';
import { type ExitCode, exitCodes, Trouble } from './trouble.ts';

/** Runs a command line, and says what went wrong in one line. @param args without node and program */
export async function run(args: readonly string[], world: World): Promise<ExitCode> {
  let code: ExitCode = exitCodes.pass;
  try {
    await createProgram(world, (ended) => {
      code = ended;
    }).parseAsync(args, { from: 'user' });
    return code;
  } catch (error) {
    // Commander has written its message, or the help that was asked for.
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.pass : exitCodes.trouble;
    const { err } = createPrinters(world);
    if (error instanceof Trouble) err.line(`error: ${error.message}`);
    else
      err.line(
        `error: an unexpected fault of this program: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
      );
    return exitCodes.trouble;
  }
}
