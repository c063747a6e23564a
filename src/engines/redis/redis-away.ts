import type { Engine } from '../outage.ts';

/**
 * The server refuses writes because it is not a primary, or no longer one. Errors of a script have other words before
 * this text.
 */
const REPLICA = /\bREADONLY\b|\bMASTERDOWN\b/;
/** The server cannot write, has no memory left, is reading its file, or lacks a part of the cluster. */
const UNABLE = /\b(MISCONF|OOM|LOADING|NOREPLICAS|CLUSTERDOWN|TRYAGAIN)\b/;
/** The client names most errors of connections by their text alone. */
const LOST =
  /^(Connection is closed|Stream isn't writeable|Command timed out|Socket timeout|Cluster is|None of startup|Node is disc|Too many Cluster)/;
/** The calls of the operating system that a connection makes. */
const CALLS: readonly unknown[] = ['connect', 'getaddrinfo', 'read', 'write'];
const LOST_NAMES = ['MaxRetriesPerRequestError', 'ClusterAllFailedError', 'AbortError'];

/** Says whether this error means that the connection leads to a replica, as after a failover. */
export function isFromReplica(error: Error): boolean {
  return REPLICA.test(error.message);
}

export const REDIS: Engine = { name: 'Redis', isAway };

/** Says whether this error means that Redis cannot be reached, does not answer, or cannot do what is asked of it. */
function isAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { name, message } = error;
  if ('syscall' in error && CALLS.includes(error.syscall)) return true;
  return LOST_NAMES.includes(name) || LOST.test(message) || isFromReplica(error) || UNABLE.test(message);
}
