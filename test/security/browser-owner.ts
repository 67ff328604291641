import { testBrowsers } from '../support/browsers.ts';

/** A process that starts a browser, prints its process id, and waits to be killed. */
const pool = testBrowsers();
const session = await (await pool.browser()).newBrowserCDPSession();
const { processInfo } = await session.send('SystemInfo.getProcessInfo');
process.stdout.write(`${processInfo.find(({ type }) => type === 'browser')?.id}\n`);
setInterval(() => {}, 60_000);
