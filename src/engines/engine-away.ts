/** An engine did not answer when the process began; the message says where to look. */
export class EngineAway extends Error {}
