import type { Context } from "../../server/issuer/context.ts";
import { type DecodedJwt, readJwt } from "../recording/credentials.ts";
import type { WireResponse } from "../recording/exchange.ts";
import {
  callbackIn,
  memberOf,
  type WireCallback,
  withCallback,
} from "../recording/wire_callback.ts";
import { signingKeyOf, signPayload } from "./signed_tokens.ts";

/** What a signed response has besides the parameters of the response (JARM, section 2.1). */
const jwtMembers = ["aud", "exp", "iat"];

/** An authorization response, with the parameters that its client reads: signed ones as well. */
export interface ReadableCallback extends WireCallback {
  /** The JWT that the parameters are in, if the response is signed (JARM). */
  jwt?: DecodedJwt;
}

/**
 * Finds the authorization response in a response of the server, and reads it if it is signed.
 * `open` decrypts it if it is encrypted.
 */
export function findCallback(
  response: WireResponse,
  issuer: string,
  open: (jwt: string) => string,
): ReadableCallback | undefined {
  const callback = callbackIn(response, issuer);
  const jwt = readJwt(open(memberOf(callback, "response") ?? ""));
  if (!callback || !jwt) return callback;
  const members = Object.entries(jwt.claims).filter(([name]) => !jwtMembers.includes(name))
    .map(([name, value]): [string, string] => [name, String(value)]);
  return { ...callback, members, jwt };
}

/** Replaces the authorization response. A signed one is signed again, with the same key. */
export async function writeCallback(
  ctx: Context,
  response: WireResponse,
  { jwt, ...callback }: ReadableCallback,
): Promise<WireResponse> {
  if (!jwt) return withCallback(response, callback);
  const { header, claims } = jwt;
  const key = await signingKeyOf(ctx, header, claims.aud);
  const others = jwtMembers.map((name): [string, unknown] => [name, claims[name]]);
  // JSON by hand: a test may want a member twice.
  const pairs = [...callback.members, ...others].filter(([, value]) => value !== undefined)
    .map((pair) => pair.map((each) => JSON.stringify(each)).join(":"));
  const signed = await signPayload({ header, key, payload: `{${pairs.join(",")}}` });
  return withCallback(response, { ...callback, members: [["response", signed]] });
}
