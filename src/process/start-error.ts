/** A failed start that the operator can correct. The message says how. */
export class StartError extends Error {}
