import type { Feature } from "../../feature.ts";
import type { Envelope } from "../../issuer/active_features.ts";
import { lazyModule } from "../../util/lazy_module.ts";
import {
  choiceOf,
  contentAlgorithms,
  type JweClientConfig,
  jweClients,
  jweSettings,
  keyAlgorithms,
  offered,
} from "./config.ts";

const envelope = lazyModule(() => import("./envelope.ts"));

/** What the metadata lists algorithms for. */
const things = ["id_token", "userinfo", "introspection", "authorization", "request_object"];

/** Encrypts what clients ask for by their settings. */
export const clientEnvelope: Envelope = {
  idTokenSetting: "idTokenEncryptionAlg" satisfies keyof JweClientConfig,
  keyAlgs: (settings) => offered(settings, keyAlgorithms),
  makeKey: envelope.makeDecryptionKey,
  seal(ctx, client, kind, text) {
    // A row without 'enc' must not open what the client wants closed.
    const { alg, enc = "A256GCM" } = choiceOf(client, kind);
    if (alg === undefined) return undefined;
    return envelope.seal(ctx, client, { alg, enc }, text());
  },
  open: envelope.open,
};

/**
 * Responses are encrypted for clients that ask for it, and request objects for the server (RFC
 * 7516). What was inside is checked as if it had come without.
 */
export const jwe: Feature = {
  name: "encryption",
  config: { server: jweSettings, clients: jweClients },
  envelope: clientEnvelope,
  metadata(settings) {
    const algs = offered(settings, keyAlgorithms);
    if (algs.length === 0) return {};
    const encs = offered(settings, contentAlgorithms);
    return Object.fromEntries(things.flatMap((thing) => [
      [`${thing}_encryption_alg_values_supported`, algs],
      [`${thing}_encryption_enc_values_supported`, encs],
    ]));
  },
};
