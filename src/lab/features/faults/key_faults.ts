import { exportJWK, generateKeyPair, importJWK, type JWK } from "jose";
import { readJwt } from "../../recording/credentials.ts";
import {
  anyIdToken,
  jsonAt,
  type ResponsePart,
  signedCallback,
  signedUserinfo,
} from "../../responses/part.ts";
import { places } from "../../responses/places.ts";
import { signJwt } from "../../tokens/signed_tokens.ts";
import type { ChangingFault, FaultContext, FaultKind } from "./fault.ts";
import { changing, hasMember, together } from "./fault_kinds.ts";
import { idTokenForgeries } from "./jwt_faults.ts";
import { forgeJwt, type JwtChange, makeAttackerKey } from "./jwt_forgery.ts";

/** The name of a fault in the key set. */
export type KeyFaultName = `jwks.${
  | "empty"
  | "rotated"
  | "new_key"
  | "single_without_kid"
  | "several_without_kid"}`;

const keySet = jsonAt(places.jwks);

const newKeySummary = "The ID token is signed with a new key, which the key set has from then on.";

/** The JWTs that a client verifies with the key set. */
const verified: ReadonlyArray<ResponsePart<string>> = [signedCallback, anyIdToken, signedUserinfo];

export const keyFaults: Record<KeyFaultName, FaultKind> = {
  "jwks.empty": changing(
    keySet,
    "The key set is empty.",
    (body) => ({ ...body, keys: [] }),
    hasMember("keys"),
  ),
  "jwks.rotated": {
    summary: "The signing key is rotated just before the tokens are issued.",
    appliesTo: places.token,
    respond: async ({ server }, proceed) => {
      const { context } = server;
      // A newer key signs from now on. The old one stays published.
      await context.keys.extend(context.settings.alg, () => context.now());
      return await proceed();
    },
  },
  "jwks.new_key": together(newKeySummary, [
    changing(keySet, newKeySummary, (body, { fault, memory }) => ({
      ...body,
      keys: [...body.keys as JWK[], publicPart(JSON.parse(memory.get(fault.id) ?? "{}"))],
    }), (_, { fault, memory }) => memory.has(fault.id)),
    changing(anyIdToken, newKeySummary, signWithNewKey, isSignedWithKey),
  ]),
  "jwks.single_without_kid": withoutKids(
    "The key set has only the key that signs, without a kid, and no JWT names its key.",
    async (keys) => keys,
  ),
  "jwks.several_without_kid": withoutKids(
    "The key set has several keys of the algorithm without a kid, and no JWT names its key.",
    async (keys) => [...await Promise.all(keys.map(decoyOf)), ...keys],
  ),
};

/** Creates a fault that removes the `kid` from the keys and from the JWTs that they signed. */
function withoutKids(summary: string, keysFor: (keys: JWK[]) => Promise<JWK[]>): ChangingFault {
  return together(summary, [
    changing(keySet, summary, async (body, context) => ({
      ...body,
      keys: await keysFor(await keysOfJwts(context)),
    }), hasMember("keys")),
    ...verified.map((part) => changing(part, summary, withoutNamedKey, isJwt)),
  ]);
}

/** Whether the key set has the key that signed a JWT: HS256 needs the secret of the client. */
function isSignedWithKey(text: string): boolean {
  const { alg = "none" } = readJwt(text)?.header ?? {};
  return alg !== "none" && !String(alg).startsWith("HS");
}

/** Signs with a key of this fault alone. An attacker's key would stay among those of a client. */
async function signWithNewKey(
  text: string,
  { fault, server, memory }: FaultContext,
): Promise<string> {
  const jwt = readJwt(text);
  if (!jwt) return text;
  const alg = String(jwt.header.alg);
  const made = memory.get(fault.id) ?? JSON.stringify(await makeKey(alg));
  memory.set(fault.id, made);
  const jwk: JWK = JSON.parse(made);
  const change: JwtChange = {
    what: "is signed with a new key",
    change: ({ header, claims }) => ({ header: { ...header, kid: jwk.kid }, claims }),
    sign: async (draft) => await signJwt({ ...draft, key: await importJWK(jwk, alg) }),
  };
  return await forgeJwt(server, jwt, change);
}

async function makeKey(alg: string): Promise<JWK> {
  const { privateKey } = await generateKeyPair(alg, { extractable: true });
  return { ...await exportJWK(privateKey), alg, use: "sig", kid: crypto.randomUUID() };
}

function publicPart({ kty, crv, n, e, x, y, alg, use, kid }: JWK): JWK {
  return JSON.parse(JSON.stringify({ kty, crv, n, e, x, y, alg, use, kid }));
}

function isJwt(text: string): boolean {
  return readJwt(text) !== undefined;
}

/** Remembers which key signed the JWT: the client fetches the key set after that. */
async function withoutNamedKey(
  text: string,
  { fault, server, memory }: FaultContext,
): Promise<string> {
  const jwt = readJwt(text);
  if (!jwt) return text;
  const known = new Set((memory.get(fault.id) ?? "").split(" "));
  memory.set(fault.id, [...known.add(String(jwt.header.kid))].join(" "));
  return await forgeJwt(server, jwt, idTokenForgeries.without_kid);
}

/** Returns the public keys that sign for the client, as far as they are known by now. */
async function keysOfJwts({ fault, server, memory }: FaultContext): Promise<JWK[]> {
  const { keys, settings } = server.context;
  const kids = (memory.get(fault.id) ?? "").split(" ");
  const found = await Promise.all(kids.map((kid) => keys.find(kid)));
  const known = found.filter((key) => key !== undefined);
  const signing = known.length > 0 ? known : [await keys.active(settings.idTokenAlg)];
  return signing.map(({ publicJwk: { kid: _, ...key } }) => key);
}

/** Returns a key that looks as if it could have signed the same. */
async function decoyOf({ alg }: JWK): Promise<JWK> {
  return (await makeAttackerKey(String(alg))).publicJwk;
}
