import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { assertionType } from "../support/client_key.ts";
import { openKit, read } from "../support/kit.ts";
import { register } from "../support/registration.ts";
import { hasFeature } from "../support/where_feature.ts";

/** Keys whose members are no texts. Turning some of these into one throws. */
const keys: ReadonlyArray<[what: string, key: object]> = [
  ["an object without a text", { kty: "RSA", n: [{ toString: "" }], e: "AQAB" }],
  ["a list", { kty: "RSA", n: [], e: [] }],
  ["numbers", { kty: "RSA", n: 1, e: 3 }],
  ["null", { kty: "RSA", n: null, e: null }],
  ["objects on a curve", { kty: "EC", crv: "P-256", x: { toString: null }, y: {} }],
  ["an object as its type", { kty: { toString: "" } }],
  ["a list as its curve", { kty: "OKP", crv: [["Ed25519"]], x: "AA" }],
];

function encode(part: object): string {
  return btoa(JSON.stringify(part)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

describe("A malformed type of a JWT (RFC 7515, section 4.1.9)", () => {
  for (const typ of [[{ toString: "" }], { toString: "" }, 1, null, true]) {
    it(`is no type of a client assertion: ${JSON.stringify(typ)}`, async () => {
      const claims = { iss: "demo-jwt", sub: "demo-jwt", aud: "https://hallpass.test", jti: "a" };
      const assertion = `${encode({ alg: "ES256", typ })}.${encode(claims)}.AAAA`;
      const { status, body } = await read(
        await openKit().post("/oauth2/token", {
          grant_type: "client_credentials",
          client_assertion_type: assertionType,
          client_assertion: assertion,
        }),
      );
      assertEquals([status, body.error], [401, "invalid_client"]);
    });
  }
});

describe("A malformed key", () => {
  for (const [what, jwk] of keys) {
    it(`is refused in a DPoP proof: ${what} (RFC 9449, section 4.3)`, async () => {
      const kit = openKit();
      for (const alg of ["RS256", "ES256", "EdDSA"]) {
        const proof = `${encode({ typ: "dpop+jwt", alg, jwk })}.${encode({ jti: "a" })}.AAAA`;
        const fields = { grant_type: "authorization_code", client_id: "demo-spa", code: "x" };
        const { status, body } = await read(
          await kit.post("/oauth2/token", fields, { DPoP: proof }),
        );
        assertEquals([alg, status, body.error], [alg, 400, "invalid_dpop_proof"]);
      }
    });

    if (hasFeature("registration")) {
      it(`is refused in a registration: ${what} (RFC 7591, section 2)`, async () => {
        const metadata = { token_endpoint_auth_method: "private_key_jwt", jwks: { keys: [jwk] } };
        const { status, body } = await register(openKit(), metadata);
        assertEquals([status, body.error], [400, "invalid_client_metadata"]);
      });
    }
  }
});
