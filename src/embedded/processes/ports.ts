import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { codeOf } from './engine-error.ts';

/** Finds a port of the loopback interface that is free now. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(address !== null && typeof address === 'object' ? address.port : 0));
    });
  });
}

/** In `/proc`, the addresses and states of sockets are hexadecimal. This is 127.0.0.1, and a socket that listens. */
const [LOOPBACK, LISTENS] = ['0100007F', '0A'];

/**
 * Says whether this process listens on the port of the loopback interface. Another process may have taken the port since it
 * was free. Always true on systems without `/proc`, which do not say.
 */
export function listensOn(pid: number, port: number): boolean {
  if (!existsSync('/proc/self/net/tcp')) return true;
  try {
    const address = `${LOOPBACK}:${port.toString(16).toUpperCase().padStart(4, '0')}`;
    const rows = readFileSync(`/proc/${pid}/net/tcp`, 'utf8').split('\n');
    const sockets = rows
      .map((row) => row.trim().split(/\s+/))
      .filter(([, local, , state]) => local === address && state === LISTENS)
      .map((fields) => `socket:[${fields[9] ?? ''}]`);
    return readdirSync(`/proc/${pid}/fd`).some((fd) => sockets.includes(readlinkSync(`/proc/${pid}/fd/${fd}`)));
  } catch (error) {
    // The process ended, or closed a file, while it was looked at.
    if (['ENOENT', 'ESRCH'].includes(codeOf(error))) return false;
    throw error;
  }
}
