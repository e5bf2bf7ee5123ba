import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { trustedOffer } from "../../../../src/server/config/settings.ts";
import { readClientMetadata } from "../../../../src/server/features/registration/client_metadata.ts";
import { applyRule } from "../../../../src/server/protocol/rule.ts";
import { openKit } from "../../../support/kit.ts";
import { acceptedBy, type FuzzTarget, fuzzTarget } from "../../fuzz/fuzz_target.ts";
import { hostilePiece } from "../../fuzz/generators/texts.ts";
import { anyJson } from "../../fuzz/generators/values.ts";

const { metadata, settings } = openKit().server.context;
const read = (document: unknown) =>
  readClientMetadata(applyRule, document, trustedOffer(settings), metadata(), "none");

const members = fc.dictionary(
  fc.oneof(
    fc.constantFrom("redirect_uris", "grant_types", "response_types", "client_name", "jwks"),
    fc.constantFrom("jwks_uri", "scope", "token_endpoint_auth_method", "default_max_age"),
    fc.constantFrom("client_uri", "contacts", "subject_type", "sector_identifier_uri"),
    hostilePiece,
  ),
  fc.oneof(fc.constantFrom<unknown>(["https://app.example/cb"], "none", ["code"]), anyJson),
  { noNullPrototype: true },
);

/** Documents in which clients describe themselves. */
export const registrationTargets: readonly FuzzTarget[] = [
  fuzzTarget("readClientMetadata refuses or reads any document", members, async (document) => {
    const accepted = await acceptedBy(() => read(document));
    if (!accepted) return;
    const uris = accepted.redirect_uris;
    assert(
      uris === undefined || (Array.isArray(uris) && uris.every((uri) => typeof uri === "string")),
    );
    assertEquals(Object.getPrototypeOf(accepted), Object.prototype);
  }),
];
