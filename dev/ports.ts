import { createServer } from 'node:net';

/** A port that another program listens on. */
export class PortTaken extends Error {
  override name = 'PortTaken';
}

/** A loopback TCP port that nothing listens on right now. */
export function freePort(): Promise<number> {
  return listen(0);
}

/**
 * The wanted port, or any free one for 0.
 * @param setting names the variable that chooses another port
 * @throws PortTaken with what to do about it
 */
export async function claimPort(wanted: number, setting: string): Promise<number> {
  if (wanted === 0) return freePort();
  return listen(wanted).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EACCES') throw new PortTaken(`Port ${wanted} needs more rights. Choose another: ${setting}=0`);
    throw new PortTaken(
      `Port ${wanted} is already taken. Stop the program that uses it, or choose another port: ${setting}=0 takes any free one.`,
    );
  });
}

function listen(port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      const address = server.address();
      const taken = typeof address === 'object' && address ? address.port : port;
      server.close(() => resolve(taken));
    });
  });
}
