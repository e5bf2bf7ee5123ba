import type { StoredKit } from "./stored_server.ts";

/** Something that one version stores, and that every later version must find. */
export interface StoredFact {
  title: string;
  /** Makes it, and returns what users and clients hold of it, as JSON. */
  make(kit: StoredKit): Promise<unknown>;
  /** Checks it with what they hold. */
  check(kit: StoredKit, held: unknown): Promise<void>;
}

/** Creates a fact, whose check takes what `make` returned. */
export function fact<Held>(
  title: string,
  make: (kit: StoredKit) => Promise<Held>,
  check: (kit: StoredKit, held: Held) => Promise<void>,
): StoredFact {
  return { title, make, check: (kit, held) => check(kit, held as Held) };
}
