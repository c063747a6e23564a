import { userInfo } from 'node:os';

/** The name of the user who runs a command, for the audit log. In a container, a user may have a number and no name. */
export function operatorName(): string {
  try {
    return userInfo().username;
  } catch {
    // The platform throws if the list of users does not contain this one.
    return `uid-${process.getuid?.() ?? 'unknown'}`;
  }
}
