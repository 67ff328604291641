import { readFileSync } from 'node:fs';
import { testBrowsers } from '../support/browsers.ts';

/** A process that starts a browser, and prints as JSON who both are and what they may do. */
const statusOf = (pid: number | 'self') => {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return {
    uid: Number(/^Uid:\s*(\d+)/m.exec(status)?.[1]),
    capabilities: /^CapPrm:\s*(\w+)/m.exec(status)?.[1],
    noNewPrivileges: /^NoNewPrivs:\s*1/m.test(status),
  };
};
const pool = testBrowsers({ cacheDir: process.argv[2] });
const browser = await pool.browser();
const session = await browser.newBrowserCDPSession();
const { processInfo } = await session.send('SystemInfo.getProcessInfo');
const pid = processInfo.find(({ type }) => type === 'browser')?.id ?? 0;
process.stdout.write(JSON.stringify({ worker: statusOf('self'), browser: statusOf(pid) }));
await pool.close();
