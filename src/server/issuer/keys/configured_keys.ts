import type { Settings } from "../../config/settings.ts";
import { once } from "../../util/time/promises.ts";
import type { SigningKey } from "./signing_key.ts";

/**
 * Creates a reader of the keys in the configuration. The first one of an algorithm signs; all of
 * them verify, and are published. They are never stored, and the server never replaces them.
 */
export function createConfiguredKeys(
  { signingKeys, profile }: Settings,
): () => Promise<SigningKey[]> {
  const rsa = profile.algs.includes("RS256") ? "RS256" : "PS256";
  return once(async () => {
    if (signingKeys.length === 0) return [];
    // Most servers create their keys.
    const { loadConfiguredKey } = await import("./load_configured_key.ts");
    return await Promise.all(signingKeys.map((key, at) => loadConfiguredKey(key, at, rsa)));
  });
}
