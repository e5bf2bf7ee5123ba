import { decodeProtectedHeader } from "jose";
import { choiceOf, olderAlgorithms } from "../../../server/features/jwe/config.ts";
import { clientEnvelope } from "../../../server/features/jwe/feature.ts";
import { lazyModule } from "../../../server/util/lazy_module.ts";
import { createBoundedMap, megabyte } from "../../../server/util/values/bounded_map.ts";
import type { LabFeature } from "../../feature.ts";
import type { RememberingEnvelope, SealedText } from "../../tokens/sealed.ts";

const maxBytes = 4 * megabyte;

const { findKey } = lazyModule(() => import("../../../server/features/jwe/envelope.ts"));

const { testDecryptionKey } = lazyModule(() => import("./test_decryption_key.ts"));

/** Faults inside of what the server encrypts, and in how it does that. */
export const encryption: LabFeature = {
  name: "encryption",
  // Any library can be under test, so a lab that encrypts offers what older ones have, too.
  serverSettings: (config) => config.jwe ? { jweAlgs: [...olderAlgorithms], ...config } : config,
  open: () => ({ serverHooks: () => ({ envelope: createRememberingEnvelope() }) }),
};

/** Creates the envelope of a lab, which remembers for a while what it encrypted. */
function createRememberingEnvelope(): RememberingEnvelope {
  const sealedTexts = createBoundedMap<SealedText>(maxBytes);

  return {
    ...clientEnvelope,
    sealedTexts,
    // Only the first key is known before: one that replaces it must be another.
    async makeKey(alg, kid, generation) {
      const known = generation === 0 ? await testDecryptionKey(alg, kid) : undefined;
      return known ?? await clientEnvelope.makeKey(alg, kid, generation);
    },
    seal(ctx, client, kind, text) {
      const { alg } = choiceOf(client, kind);
      if (alg === undefined) return undefined;
      const seal = async (plain: string) => {
        const jwe = await clientEnvelope.seal(ctx, client, kind, () => plain) ?? plain;
        const key = await findKey(ctx, client, alg);
        const header = decodeProtectedHeader(jwe);
        if (key) sealedTexts.set(jwe, { text: plain, key, header, seal });
        return jwe;
      };
      return seal(text());
    },
  };
}
