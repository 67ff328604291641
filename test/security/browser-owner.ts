import { createLogger } from '../../kit/logger.ts';
import { createBrowserPool } from '../../workflows/probe/browser/launch.ts';

/** A process that starts a browser, prints its process id, and waits to be killed. */
const pool = createBrowserPool({ logger: createLogger('test', 'silent') });
const session = await (await pool.browser()).newBrowserCDPSession();
const { processInfo } = await session.send('SystemInfo.getProcessInfo');
process.stdout.write(`${processInfo.find(({ type }) => type === 'browser')?.id}\n`);
setInterval(() => {}, 60_000);
