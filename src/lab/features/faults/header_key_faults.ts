import { importJWK, type JWK } from "jose";
import { issuerUrl } from "../../../server/protocol/issuer_url.ts";
import { readJwt } from "../../recording/credentials.ts";
import type { WireRequest } from "../../recording/exchange.ts";
import { anyIdToken, type ResponsePart } from "../../responses/part.ts";
import { places } from "../../responses/places.ts";
import { signJwt } from "../../tokens/signed_tokens.ts";
import type { FaultContext, FaultKind } from "./fault.ts";
import { changing, together } from "./fault_kinds.ts";
import { makeAttackerKey } from "./jwt_forgery.ts";

/** The name of a fault in which an ID token brings or names the key that signed it. */
export type HeaderKeyFaultName =
  | `id_token.with_${"jwk" | "jku" | "x5c"}`
  | "id_token.hs256_with_secret";

/** Asks for the key set of the attacker, at the lab itself: no other URL can be reached for sure. */
const attackerQuery = "attacker";

const attackerKeys: ResponsePart<string> = {
  appliesTo: (request) => places.jwks(request) && request.query.has(attackerQuery),
  read: () => "",
  write: (response, body) => ({
    ...response,
    status: 200,
    headers: [["Content-Type", "application/json"]],
    body,
  }),
};

const byJku =
  "The ID token is signed with an attacker's key, and its header names a URL that has it.";

export const headerKeyFaults: Record<HeaderKeyFaultName, FaultKind> = {
  "id_token.with_jwk": changing(
    anyIdToken,
    "The ID token is signed with an attacker's key, which its header contains.",
    (jwt, context) => signWithOwnKey(jwt, context, ({ jwk }) => ({ jwk })),
  ),
  "id_token.with_jku": together(byJku, [
    changing(
      anyIdToken,
      byJku,
      (jwt, context) =>
        signWithOwnKey(
          jwt,
          context,
          () => ({ jku: attackerUrl(context) }),
        ),
    ),
    changing(
      attackerKeys,
      byJku,
      (_, { fault, memory }) => `{"keys":[${memory.get(fault.id)}]}`,
      (_, { fault, memory }) => memory.has(fault.id),
    ),
  ]),
  "id_token.with_x5c": changing(
    anyIdToken,
    "The ID token is signed with an attacker's key, whose certificate its header contains.",
    (jwt, context) =>
      signWithOwnKey(jwt, context, async ({ jwk }) => ({ x5c: [await certify(jwk)] })),
  ),
  "id_token.hs256_with_secret": changing(
    anyIdToken,
    "The ID token is signed with HS256, with the secret of the client.",
    async (jwt, { request }) => {
      const { header, claims } = readJwt(jwt) ?? { header: {}, claims: {} };
      const key = new TextEncoder().encode(secretIn(request));
      return await signJwt({ header: { ...header, alg: "HS256" }, claims, key });
    },
    (jwt, { request }) => readJwt(jwt)?.header.alg !== "HS256" && secretIn(request) !== undefined,
  ),
};

function attackerUrl({ server: { context, issuer } }: FaultContext): string {
  return `${issuerUrl(issuer, context.settings.paths.jwks)}?${attackerQuery}`;
}

function secretIn({ headers, form }: WireRequest): string | undefined {
  const [scheme, credentials = ""] = headers.authorization?.split(" ") ?? [];
  if (scheme !== "Basic") return form.get("client_secret") ?? undefined;
  return decodeURIComponent(atob(credentials).split(":")[1] ?? "");
}

/** Signs a JWT with a key of the attacker, which its header makes known. */
async function signWithOwnKey(
  text: string,
  { fault, memory }: FaultContext,
  headerWith: (key: { jwk: JWK }) => object | Promise<object>,
): Promise<string> {
  const { header, claims } = readJwt(text) ?? { header: {}, claims: {} };
  const { publicJwk, privateKey: key } = await makeAttackerKey(String(header.alg));
  const jwk = { ...publicJwk, kid: "attacker" };
  memory.set(fault.id, JSON.stringify(jwk));
  return await signJwt({
    header: { ...header, kid: jwk.kid, ...await headerWith({ jwk }) },
    claims,
    key,
  });
}

/** Returns a certificate of a key, which no authority has signed. */
export async function certify(jwk: JWK): Promise<string> {
  const { makeKeyPair } = await import("../../certificates/lab_certificate.ts");
  const { signCertificate } = await import("../../certificates/sign_certificate.ts");
  const { privateKey: signer } = await makeKeyPair(false);
  const publicKey = await importJWK(jwk, jwk.alg, { extractable: true }) as CryptoKey;
  const names = { subject: "Attacker", issuer: "Attacker" };
  const der = await signCertificate({ ...names, publicKey, signer, extensions: [] });
  return btoa(String.fromCharCode(...der));
}
