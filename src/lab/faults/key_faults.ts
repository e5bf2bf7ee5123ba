import type { JWK } from "jose";
import { jsonOf, type WireRequest, type WireResponse, withJson } from "../recording/exchange.ts";
import type { ChangingFault, FaultContext, FaultKind } from "./fault.ts";
import { idTokenForgeries } from "./id_token_forgeries.ts";
import { attackerPublicJwk, forgeJwt } from "./jwt_forgery.ts";
import { type JwtPlace, jwtPlaces } from "./jwt_places.ts";
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
    summary: "The signing key is rotated just before the tokens are issued, " +
      "so the client has not fetched it yet.",
    appliesTo: places.token,
    respond: async ({ server }, proceed) => {
      const { context } = server;
      // A newer key signs from now on. The old one stays published.
      await context.keys.extend(context.settings.alg, () => context.now());
      return await proceed();
    },
  },
  "jwks.single_without_kid": withoutKids(
    "The key set has only the key that signs, without a kid, and no JWT names its key.",
    async (keys) => keys,
  ),
  "jwks.several_without_kid": withoutKids(
    "The key set has several keys of the algorithm without a kid, and no JWT names its key.",
    async (keys) => [...await Promise.all(keys.map(decoyOf)), ...keys],
  ),
};

/** The JWTs that a client verifies with the key set. */
const verifiedPlaces: readonly JwtPlace[] = [
  jwtPlaces.response,
  jwtPlaces.id_token,
  jwtPlaces.userinfo,
];

/** Creates a fault that removes the `kid` from the keys and from the JWTs that they signed. */
function withoutKids(summary: string, keysFor: (keys: JWK[]) => Promise<JWK[]>): ChangingFault {
  return {
    summary,
    appliesTo: (request) => places.jwks(request) || placesFor(request).length > 0,
    canChange: (response, context) =>
      (places.jwks(context.request) ? keysIn(response) : placeIn(response, context)) !== undefined,
    async change(response, context) {
      if (!places.jwks(context.request)) return await withoutNamedKey(response, context);
      const keys = await keysFor(await keysOfJwts(context));
      return withJson(response, (body) => ({ ...body, keys }));
    },
  };
}

/** Remembers which key signed the JWT: the client fetches the key set after that. */
async function withoutNamedKey(
  response: WireResponse,
  context: FaultContext,
): Promise<WireResponse> {
  const { fault, server, memory } = context;
  const place = placeIn(response, context);
  const jwt = place?.find(response, server.issuer);
  if (!place || !jwt) return response;
  const known = new Set((memory.get(fault.id) ?? "").split(" "));
  memory.set(fault.id, [...known.add(String(jwt.header.kid))].join(" "));
  const nameless = await forgeJwt(server, jwt, idTokenForgeries.without_kid);
  return place.replace(response, server.issuer, nameless);
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
  return await attackerPublicJwk(String(alg));
}

function placesFor(request: WireRequest): JwtPlace[] {
  return verifiedPlaces.filter(({ appliesTo }) => appliesTo(request));
}

function placeIn(
  response: WireResponse,
  { request, server }: FaultContext,
): JwtPlace | undefined {
  return placesFor(request).find(({ find }) => find(response, server.issuer) !== undefined);
}

function keysIn(response: WireResponse): unknown {
  return response.status < 300 ? jsonOf(response)?.keys : undefined;
}
