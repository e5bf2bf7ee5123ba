import type { Client } from "./client.ts";

/** What a token, a code or a request remembers of the client that it belongs to. */
export interface ClientReference {
  clientId: string;
  /** Absent if the client had none, as those of the configuration. */
  clientEpoch?: string | undefined;
}

/** Returns what is remembered of a client where something is issued to it. */
export function referenceTo({ id, epoch }: Client): ClientReference {
  return { clientId: id, ...epoch !== undefined && { clientEpoch: epoch } };
}

/**
 * Whether a reference leads to a client. It does not if the client was disabled since, or if another
 * client was given the id. Earlier versions wrote "" for no epoch.
 */
export function refersTo(
  { clientId, clientEpoch = "" }: ClientReference,
  { id, epoch = "" }: Client,
): boolean {
  return id === clientId && epoch === clientEpoch;
}

/**
 * Gives a client that was made anew, from other settings, the identity of the one that it replaces.
 * Without its epoch, everything that was ended would be active again.
 */
export function withIdentityOf<T extends Client>(
  { id, instance, epoch, disabled }: Client,
  made: T,
): T {
  return {
    ...made,
    id,
    disabled,
    ...instance !== undefined && { instance },
    ...epoch !== undefined && { epoch },
  };
}
