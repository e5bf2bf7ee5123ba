import type { JWK } from "jose";
import type { ObjectSchema } from "../../../server/config/schema.ts";
import { isObject } from "../../../server/util/text/json.ts";
import { checkBody } from "../../util/check_body.ts";
import { LabError, unknownName } from "../../util/lab_error.ts";

/** Every method that a request can be sent again with. */
export const replayMethods: readonly ReplayMethod[] = ["GET", "POST"];

const signedNames: ReadonlyArray<keyof ChangedClaims> = ["client_assertion", "assertion", "dpop"];

const schema: ObjectSchema = {
  type: "object",
  required: [],
  members: {
    method: { type: "enum", values: replayMethods },
    // An empty value is one, so the values are checked below.
    parameters: { type: "map", values: { type: "unknown" } },
    headers: { type: "map", values: { type: "unknown" } },
    body: { type: "unknown" },
    client: { type: "string" },
    spent: { type: "boolean" },
    secrets: { type: "boolean" },
    claims: { type: "map", values: { type: "unknown" } },
    privateKeys: { type: "array", items: { type: "unknown" } },
  },
};

/** A method that a request can be sent again with. */
export type ReplayMethod = "GET" | "POST";

/** What to change in a recorded request before it is sent again. All else stays as it was. */
export interface ReplayChanges extends SignedChanges {
  /**
   * The method. The parameters move with it: those of a `GET` are sent in the query, those of a
   * `POST` in a form.
   */
  method?: ReplayMethod | undefined;
  /**
   * Parameters of the query or the form, by their names: a value, a list for a repeated one, or
   * `null` for one to leave out.
   */
  parameters?: Record<string, string | readonly string[] | null> | undefined;
  /** Headers by their names; `null` leaves one out. */
  headers?: Record<string, string | null> | undefined;
  /** The body of a request that sends no form, such as JSON. */
  body?: string | undefined;
  /**
   * The id of the client that authenticates, with the credentials that the lab knows. With `null`,
   * the request only names its client, and does not authenticate it.
   */
  client?: string | null | undefined;
  /**
   * Whether codes, refresh tokens, assertions and proofs that are spent are sent as they were
   * recorded, to see how a second use is refused.
   *
   * @default false: the lab sends fresh ones
   */
  spent?: boolean | undefined;
  /**
   * Whether the result shows codes, tokens, passwords and other secrets.
   *
   * @default false
   */
  secrets?: boolean | undefined;
}

/** What to sign again, and with which keys. */
export interface SignedChanges {
  /**
   * Claims to change in the signed JWTs of the request:
   * `{ client_assertion: { aud: "https://other.example" } }`. `null` leaves a claim out. The lab
   * signs the JWT again, with a new `jti` and later times.
   */
  claims?: ChangedClaims | undefined;
  /**
   * Private keys (JWK) with which the lab signs again what they signed, such as an assertion of
   * `private_key_jwt`. The lab has the secrets of its clients, and the keys of its tenants.
   */
  privateKeys?: readonly JWK[] | undefined;
}

/** Claims that replace those of a signed JWT in a request; `null` leaves one out. */
export interface ChangedClaims {
  /** Those of the assertion that authenticates the client. */
  client_assertion?: Record<string, unknown> | undefined;
  /** Those of the assertion that is the grant, such as an ID-JAG. */
  assertion?: Record<string, unknown> | undefined;
  /** Those of the DPoP proof, in the header. */
  dpop?: Record<string, unknown> | undefined;
}

/**
 * Checks the changes of a test.
 *
 * @throws {LabError} There is no such change, or a value is invalid.
 */
export function checkReplayChanges(changes: ReplayChanges): void {
  const { client, ...others } = changes;
  checkBody(schema, withoutUndefined({ ...others, client: client ?? undefined }));
  checkSignedChanges(changes);
  const { parameters = {}, headers = {}, body = "" } = changes;
  if (typeof body !== "string") throw new LabError("'body' must be text.");
  for (const [name, value] of Object.entries(parameters)) {
    if (isText(value) || isListOfTexts(value)) continue;
    throw new LabError(`'parameters.${name}' must be text, a list of texts, or null.`);
  }
  for (const [name, value] of Object.entries(headers)) {
    if (!isText(value)) throw new LabError(`'headers.${name}' must be text, or null.`);
  }
}

/**
 * Checks what to sign again.
 *
 * @throws {LabError} A name or a value is invalid.
 */
function checkSignedChanges({ claims = {}, privateKeys = [] }: SignedChanges): void {
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

function isListOfTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((each) => typeof each === "string");
}

function isText(value: unknown): boolean {
  return typeof value === "string" || value === null;
}

function withoutUndefined(members: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}
