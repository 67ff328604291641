import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** A port that another program listens on. */
export class PortTaken extends Error {
  override name = 'PortTaken';
}

/** Below the range from which systems take the local ports of outgoing connections: those come and go. */
const lowest = 20_000;
const highest = 32_000;

/** A loopback TCP port that nothing listens on right now, taken at random so that two stacks hardly choose the same. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(lowest, highest);
    if (await canListen(port)) return port;
  }
}

const canListen = (port: number): Promise<boolean> =>
  listen(port).then(
    () => true,
    () => false,
  );

/**
 * The wanted port, or any free one for 0.
 * @param setting names the variable that chooses another port
 * @throws PortTaken with what to do about it
 */
export async function claimPort(wanted: number, setting: string): Promise<number> {
  if (wanted === 0) return freePort();
  await listen(wanted).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EACCES') throw new PortTaken(`Port ${wanted} needs more rights. Choose another: ${setting}=0`);
    throw new PortTaken(
      `Port ${wanted} is already taken. Stop the program that uses it, or choose another port: ${setting}=0 takes any free one.`,
    );
  });
  return wanted;
}

function listen(port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => server.close(() => resolve()));
  });
}
