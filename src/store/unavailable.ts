/**
 * Why a store cannot be opened now, in words for the operator. It is away, still starting or full, and
 * the same address may work in a moment.
 */
export class StoreUnavailableError extends Error {}

/** What the messages of an error mean, and whether that may pass without another configuration. */
export type FailureReason = [pattern: RegExp, reason: string, passes?: "passes"];
