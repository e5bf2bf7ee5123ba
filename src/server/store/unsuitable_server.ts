/** Why a database cannot hold the store, in words for the operator. */
export class UnsuitableServerError extends Error {}
