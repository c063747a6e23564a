/** An engine did not answer when the process started. The message says where to look. */
export class EngineAway extends Error {}
