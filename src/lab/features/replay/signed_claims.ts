import type { JWK } from "jose";
import { isObject } from "../../../server/util/text/json.ts";
import { LabError, unknownName } from "../../util/lab_error.ts";

/** Claims that replace those of a signed JWT in a request; `null` leaves one out. */
export interface ChangedClaims {
  /** Those of the assertion that authenticates the client. */
  client_assertion?: Record<string, unknown> | undefined;
  /** Those of the assertion that is the grant, such as an ID-JAG. */
  assertion?: Record<string, unknown> | undefined;
  /** Those of the DPoP proof, in the header. */
  dpop?: Record<string, unknown> | undefined;
}

const signedNames: ReadonlyArray<keyof ChangedClaims> = ["client_assertion", "assertion", "dpop"];

/** What to sign again, and with which keys. */
export interface SignedChanges {
  /**
   * Claims to change in the signed JWTs of the request:
   * `{ client_assertion: { aud: "https://other.example" } }`. `null` leaves a claim out. The lab
   * signs the JWT again; with `now`, it has a new `jti` and later times as well.
   */
  claims?: ChangedClaims | undefined;
  /**
   * Private keys (JWK) with which the lab signs again what they signed, such as an assertion of
   * `private_key_jwt`. The lab has the secrets of its clients, and the keys of its tenants.
   */
  privateKeys?: readonly JWK[] | undefined;
}

/**
 * Checks what to sign again.
 *
 * @throws {LabError} A name or a value is invalid.
 */
export function checkSignedChanges({ claims = {}, privateKeys = [] }: SignedChanges): void {
  const known: readonly string[] = signedNames;
  for (const [name, changes] of Object.entries(claims)) {
    if (!known.includes(name)) throw unknownName("signed JWT", name, known);
    if (!isObject(changes)) throw new LabError(`'claims.${name}' must be an object of claims.`);
  }
  for (const [at, key] of privateKeys.entries()) {
    if (isObject(key) && typeof key.d === "string") continue;
    throw new LabError(`'privateKeys[${at}]' must be a private key, as a JWK with the member 'd'.`);
  }
}
