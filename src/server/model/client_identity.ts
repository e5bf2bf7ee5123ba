import type { Client } from "./client.ts";

/** How a token, a code or a request refers to its client. */
export interface ClientReference {
  clientId: string;
  /** Absent if the client had none: clients of the configuration have none. */
  clientEpoch?: string | undefined;
}

/** Returns a reference to a client, for something that is issued to it. */
export function referenceTo({ id, epoch }: Client): ClientReference {
  return { clientId: id, ...epoch !== undefined && { clientEpoch: epoch } };
}

/**
 * Whether a reference still refers to a client. It does not if the client was disabled since, or if
 * its id was reassigned.
 */
export function refersTo(
  { clientId, clientEpoch }: ClientReference,
  { id, epoch }: Client,
): boolean {
  return id === clientId && epoch === clientEpoch;
}

/**
 * Gives a client that was rebuilt from other settings the identity of the one that it replaces.
 * Without the epoch, everything that has ended would become active again.
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
