import type { JWK } from "jose";
import type { SigningAlgorithm } from "../../server/model/signing.ts";
import { type DecodedJwt, readJwt } from "../recording/credentials.ts";
import { jsonOf, type WireResponse, withJson } from "../recording/exchange.ts";
import type { ChangingFault, FaultContext, FaultKind } from "./fault.ts";
import { idTokenForgeries } from "./id_token_forgeries.ts";
import { attackerPublicJwk, forgeJwt } from "./jwt_forgery.ts";
import { places } from "./places.ts";

/** The name of a fault in the key set. */
export type KeyFaultName = `jwks.${
  | "empty"
  | "rotated"
  | "single_without_kid"
  | "several_without_kid"}`;

/** The faults in the key set, by name. */
export const keyFaults: Record<KeyFaultName, FaultKind> = {
  "jwks.empty": {
    summary: "The key set is empty.",
    appliesTo: places.jwks,
    canChange: (response) => keysIn(response) !== undefined,
    change: (response) => withJson(response, (body) => ({ ...body, keys: [] })),
  },
  "jwks.rotated": {
    summary:
      "The signing key is rotated just before the tokens are issued, so the client has not fetched it yet.",
    appliesTo: places.token,
    respond: async ({ server }, proceed) => {
      const { context } = server;
      // A newer key signs from now on. The old one stays published.
      await context.keys.extend(context.settings.alg, () => context.now());
      return await proceed();
    },
  },
  "jwks.single_without_kid": withoutKids(
    "The key set has one key without a kid, and the ID token names none.",
    async (key) => [key],
  ),
  "jwks.several_without_kid": withoutKids(
    "The key set has several keys of the algorithm without a kid, and the ID token names none.",
    async (key) => [await attackerPublicJwk(String(key.alg)), key],
  ),
};

/** Creates a fault that removes the `kid` from the keys and from the ID token. */
function withoutKids(summary: string, keysFor: (key: JWK) => Promise<JWK[]>): ChangingFault {
  return {
    summary,
    appliesTo: (request) => places.jwks(request) || places.token(request),
    canChange: (response, context) =>
      (places.jwks(context.request) ? keysIn(response) : idTokenIn(response)) !== undefined,
    async change(response, context) {
      if (!places.jwks(context.request)) return await withoutNamedKey(response, context);
      const { kid: _, ...key } = await keyOfTokens(context);
      const keys = await keysFor(key);
      return withJson(response, (body) => ({ ...body, keys }));
    },
  };
}

/** Remembers which key signed the ID token: the client fetches the key set after that. */
async function withoutNamedKey(
  response: WireResponse,
  { fault, server, memory }: FaultContext,
): Promise<WireResponse> {
  const jwt = idTokenIn(response);
  if (!jwt) return response;
  memory.set(fault.id, String(jwt.header.kid));
  const id_token = await forgeJwt(server, jwt, idTokenForgeries.without_kid);
  return withJson(response, (body) => ({ ...body, id_token }));
}

/** Returns the public key that signs the ID tokens of the client, as far as it is known by now. */
async function keyOfTokens({ fault, server, memory }: FaultContext): Promise<JWK> {
  const { keys, settings } = server.context;
  const alg: SigningAlgorithm = settings.idTokenAlg;
  const key = await keys.find(memory.get(fault.id) ?? "") ?? await keys.active(alg);
  return key.publicJwk;
}

function keysIn(response: WireResponse): unknown {
  return response.status < 300 ? jsonOf(response)?.keys : undefined;
}

function idTokenIn(response: WireResponse): DecodedJwt | undefined {
  const value = jsonOf(response)?.id_token;
  return typeof value === "string" ? readJwt(value) : undefined;
}
