/**
 * `npm run stack` starts the whole service and the demo target, writes stack.json into the data folder, prints one
 * line and serves until it is stopped.
 */
import { join } from 'node:path';
import { ended, runSession } from './session.ts';

process.exitCode = await runSession(
  process.env,
  (line) => console.error(line),
  async ({ stack, config, signal }) => {
    const { gatewayUrl, coreUrl, demoUrl } = stack.facts;
    console.log(
      JSON.stringify({ ready: 'stack', gatewayUrl, coreUrl, demoUrl, file: join(config.home, 'stack.json') }),
    );
    await ended(signal);
    return 0;
  },
);
