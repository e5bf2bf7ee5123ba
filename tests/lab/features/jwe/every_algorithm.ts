import { assertEquals } from "@std/assert";
import { exportJWK, generateKeyPair, type JWK } from "jose";
import type { TestLab } from "../../../../src/lab/testing/mod.ts";
import { memoize } from "../../../../src/server/util/values/memoize.ts";
import { present } from "../../../support/present.ts";
import { registerAt } from "../../../support/registration.ts";
import { hasFeature } from "../../../support/where_feature.ts";

const rsaAlgs = ["RSA-OAEP", "RSA-OAEP-256", "RSA-OAEP-384", "RSA-OAEP-512"];
const ecdhAlgs = ["ECDH-ES", "ECDH-ES+A128KW", "ECDH-ES+A192KW", "ECDH-ES+A256KW"];
const curves = ["P-256", "P-384", "P-521", "X25519"];
const encs = [
  ...["A128CBC-HS256", "A192CBC-HS384", "A256CBC-HS512"],
  ...["A128GCM", "A192GCM", "A256GCM"],
];

/** One way to encrypt for a client: with RSA, or a key on a curve. */
export interface Encryption {
  kind: string;
  alg: string;
  enc: string;
}

/** Every way that a lab has. */
export const encryptions: readonly Encryption[] = [
  ...rsaAlgs.map((alg) => ({ kind: "RSA", alg })),
  ...curves.flatMap((kind) => ecdhAlgs.map((alg) => ({ kind, alg }))),
].flatMap((key) => encs.map((enc) => ({ ...key, enc })));

/** Returns the keys of a kind, which are the same for all of its algorithms. */
const keysOf = memoize(async (kind: string) => {
  const isRsa = kind === "RSA";
  const options = { extractable: true, ...!isRsa && { crv: kind } };
  const pair = await generateKeyPair(isRsa ? "RSA-OAEP" : "ECDH-ES", options);
  return [await exportJWK(pair.publicKey), await exportJWK(pair.privateKey)];
}, 10);

export const redirectUri = "https://app.example/cb";

/** A client that registered, and its key. */
interface Registered {
  client_id: string;
  client_secret: string;
  privateJwk: JWK;
  /** What the server says that it registered. */
  metadata: Record<string, unknown>;
}

/** Registers a client that gets everything encrypted. Without `enc`, it names none. */
export async function registerFor(
  lab: TestLab,
  { kind, alg, enc }: Omit<Encryption, "enc"> & { enc?: string },
): Promise<Registered> {
  const [publicJwk, privateJwk] = await keysOf(kind);
  const prefixes = ["id_token", "userinfo", "authorization"];
  const chosen = prefixes.flatMap((prefix) => [
    [`${prefix}_encrypted_response_alg`, alg],
    [`${prefix}_encrypted_response_enc`, enc],
  ]);
  const { status, body } = await registerAt(lab, {
    redirect_uris: [redirectUri],
    ...hasFeature("response_types") && {
      response_types: ["code", "code id_token"],
      grant_types: ["authorization_code", "implicit"],
    },
    token_endpoint_auth_method: "client_secret_post",
    jwks: { keys: [{ ...publicJwk, kid: "enc", use: "enc", alg }] },
    userinfo_signed_response_alg: "RS256",
    ...Object.fromEntries(chosen),
  });
  assertEquals([status, body.error_description], [201, undefined]);
  const { client_id, client_secret } = body;
  return { client_id, client_secret, privateJwk: present(privateJwk), metadata: body };
}
