// Waits that all topologies with replicas share.
import { LOOPBACK } from './ports.ts';
import { waitFor } from '../../src/embedded/processes/wait.ts';
import type { RedisNode } from './redis-nodes.ts';

const PATIENCE_MS = 60_000;

/** Waits until the check holds. @throws Error that names `what` if it does not hold within a minute */
export async function eventually(what: string, check: () => Promise<boolean>): Promise<void> {
  // A node that is starting or failing over refuses some commands.
  const isSo = await waitFor(() => check().catch(() => false), PATIENCE_MS, 50);
  if (!isSo) throw new Error(`not within ${PATIENCE_MS / 1000} s: ${what}`);
}

/** Makes one node the replica of another and waits until it has caught up. */
export async function follow(replica: RedisNode, primary: RedisNode): Promise<void> {
  await replica.command('REPLICAOF', LOOPBACK, primary.port);
  await eventually(`${replica.name} follows ${primary.name}`, () => isCaughtUp(replica));
}

/** Whether a replica has copied its primary and is connected to it. */
export async function isCaughtUp(replica: RedisNode): Promise<boolean> {
  return String(await replica.command('INFO', 'replication')).includes('master_link_status:up');
}
