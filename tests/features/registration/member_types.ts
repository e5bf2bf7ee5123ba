import { members } from "../../../src/server/features/registration/client_metadata_members.ts";
import { hasFeature } from "../../support/where_feature.ts";

type JsonType = "text" | "flag" | "number" | "list" | "object";

/** Values of each type that JSON has, some of which break code that converts them to a string. */
export const jsonValues: Readonly<Record<JsonType, readonly unknown[]>> = {
  text: ["", "x", "__proto__", "\u0000", "https://a.example/%", "x".repeat(5000)],
  flag: [true, false],
  number: [0, -1, 1.5, 1e308],
  list: [[], [1], [null], [[]], ["x", {}], [{ toString: "x" }], [false]],
  object: [{}, { a: 1 }, { toString: "x" }, { length: 1 }, { keys: 1 }, { keys: [1, null, {}] }, {
    keys: [{ kty: { toString: "x" }, alg: [], kid: {}, x5c: {} }],
  }],
};

const lists = [
  ...["redirect_uris", "post_logout_redirect_uris", "request_uris", "contacts"],
  ...["grant_types", "response_types", "response_modes", "default_acr_values"],
  ...["authorization_details_types", "authorization_grant_profiles_supported"],
];

/** A server without the feature ignores its members, as all that it does not understand. */
const ofFeatures: Readonly<Record<string, string>> = {
  request_uris: "request objects by reference",
  post_logout_redirect_uris: "logout",
  frontchannel_logout_uri: "front-channel logout",
  frontchannel_logout_session_required: "front-channel logout",
  backchannel_logout_uri: "back-channel logout",
  backchannel_logout_session_required: "back-channel logout",
};

/** Returns the type of a member, as its specification has it. */
function typeOf(name: string): JsonType {
  if (name === "jwks") return "object";
  if (name === "default_max_age") return "number";
  if (lists.includes(name)) return "list";
  return /^require_|_required$|_bound_access_tokens$|_user_code_parameter$/.test(name)
    ? "flag"
    : "text";
}

/** A value of a member, and whether it has another type than the member. */
export interface MemberValue {
  value: unknown;
  isWrong: boolean;
}

/** Every member that a client can describe itself with, with values of each type. */
export const memberValues: ReadonlyArray<[name: string, values: readonly MemberValue[]]> = members
  .filter(({ name }) => hasFeature(...ofFeatures[name] ? [ofFeatures[name]] : []))
  .map(({ name }) => [
    name,
    Object.entries(jsonValues).flatMap(([type, values]) =>
      // An empty text is none, in some members.
      values.map((value) => ({ value, isWrong: type !== typeOf(name) && value !== "" }))
    ),
  ]);
