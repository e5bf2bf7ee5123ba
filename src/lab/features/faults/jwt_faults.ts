import { numericDate } from "../../../server/issuer/time.ts";
import { day, hour } from "../../../server/util/time/duration.ts";
import { accessToken, anyIdToken, signedCallback } from "../../responses/part.ts";
import type { FaultKind } from "./fault.ts";
import { forging } from "./fault_kinds.ts";
import {
  aggregatedClaims,
  commonForgeries,
  type CommonForgery,
  type JwtChange,
  setClaims,
  withoutClaim,
  wrongUserIn,
} from "./jwt_forgery.ts";
import { type NearKind, nearValue } from "./near_misses.ts";

const { wrong_iss, wrong_aud, expired, alg_none, foreign_signature } = commonForgeries;

/** The name of a fault in a token that is a JWT: `"id_token.wrong_aud"`. */
export type JwtFaultName = `id_token.${JwtForgery | IdTokenForgery}` | `access_token.${JwtForgery}`;

/** What can be wrong with a token of the token endpoint. */
export type JwtForgery = CommonForgery | "wrong_azp" | "issued_in_future" | "unknown_kid";

/** What can be wrong with an ID token but not with other tokens, or unusual and valid. */
export type IdTokenForgery =
  | "wrong_nonce"
  | "without_nonce"
  | "wrong_at_hash"
  | "without_at_hash"
  | "wrong_sub"
  | "foreign_azp"
  | "old_auth_time"
  | "containing_iss"
  | "part_of_iss"
  | "listed_iss"
  | "containing_aud"
  | "part_of_aud"
  | "without_iss"
  | "without_sub"
  | "without_aud"
  | "without_exp"
  | "without_iat"
  | "without_kid"
  | "aud_in_array"
  | "second_aud"
  | "second_aud_with_azp"
  | "aggregated_claims";

/** The name of a fault in a signed authorization response (JARM): `"jarm.wrong_aud"`. */
export type JarmFaultName = `jarm.${JarmForgery}`;

/** What can be wrong with a signed authorization response. */
export type JarmForgery =
  | "wrong_iss"
  | "wrong_aud"
  | "expired"
  | "without_iss"
  | "without_aud"
  | "without_exp"
  | "alg_none"
  | "foreign_signature";

/** What can be wrong with any token. */
const forgeries: Record<JwtForgery, JwtChange> = {
  ...commonForgeries,
  wrong_azp: {
    what: "was issued to a different client, according to its azp",
    change: setClaims(({ claims }) => ({
      azp: "someone-else",
      aud: [claims.aud, "someone-else"].flat(),
    })),
  },
  issued_in_future: {
    what: "was issued an hour in the future",
    change: setClaims(({ server }) => ({
      iat: numericDate(server.context) + hour,
      exp: numericDate(server.context) + 2 * hour,
    })),
  },
  unknown_kid: {
    what: "names a key that does not exist",
    change: ({ header, claims }) => ({ header: { ...header, kid: "unknown-key" }, claims }),
  },
};

/** The changes that make an ID token wrong, or unusual and valid. */
export const idTokenForgeries: Record<IdTokenForgery, JwtChange> = {
  wrong_nonce: {
    what: "has a different nonce than the request",
    needs: "nonce",
    change: setClaims(() => ({ nonce: "another-nonce" })),
  },
  without_nonce: withoutClaim("nonce"),
  wrong_at_hash: {
    what: "belongs to a different access token, according to its at_hash",
    change: setClaims(() => ({ at_hash: "AAAAAAAAAAAAAAAAAAAAAA" })),
  },
  without_at_hash: withoutClaim("at_hash"),
  wrong_sub: {
    what: "is about a different user than userinfo",
    // Another one each time: an application may keep an account of each.
    change: setClaims(({ claims }) => ({
      ...wrongUserIn(claims),
      sub: `someone-else-${crypto.randomUUID()}`,
    })),
  },
  foreign_azp: {
    what: "names another client as its azp, besides the client as its one audience",
    change: setClaims(() => ({ azp: "someone-else" })),
  },
  old_auth_time: {
    what: "says that its user signed in a year ago",
    needs: "auth_time",
    change: setClaims(({ server }) => ({ auth_time: numericDate(server.context) - 365 * day })),
  },
  containing_iss: nearly("iss", "ends with the right one"),
  part_of_iss: nearly("iss", "is a part of the right one"),
  listed_iss: nearly("iss", "is a list with the right one at its end"),
  containing_aud: nearly("aud", "ends with the right one"),
  part_of_aud: nearly("aud", "is a part of the right one"),
  without_iss: withoutClaim("iss"),
  without_sub: withoutClaim("sub"),
  without_aud: withoutClaim("aud"),
  without_exp: withoutClaim("exp"),
  without_iat: withoutClaim("iat"),
  without_kid: {
    what: "does not name its key: its header has no kid",
    change: ({ header: { kid: _, ...header }, claims }) => ({ header, claims }),
  },
  aud_in_array: {
    what: "has its one audience in an array",
    change: setClaims(({ claims }) => ({ aud: [claims.aud].flat() })),
  },
  second_aud: {
    what: "is for a second audience as well, and has no azp",
    change: ({ header, claims: { azp: _, ...claims } }) => ({
      header,
      claims: { ...claims, aud: withSecondAudience(claims.aud) },
    }),
  },
  second_aud_with_azp: {
    what: "is for a second audience as well, and its azp names the client",
    change: setClaims(({ claims }) => ({
      aud: withSecondAudience(claims.aud),
      azp: [claims.aud].flat()[0],
    })),
  },
  aggregated_claims: {
    what: "has a claim that another issuer signed, in _claim_names and _claim_sources",
    change: async ({ header, claims }) => ({
      header,
      claims: { ...claims, ...await aggregatedClaims(claims.sub) },
    }),
  },
};

export const jwtFaults: Record<JwtFaultName, FaultKind> = {
  ...forging("id_token", anyIdToken, "ID token", { ...forgeries, ...idTokenForgeries }),
  ...forging("access_token", accessToken, "access token", forgeries),
};

/** The faults in signed authorization responses (JARM, section 2.4), by name. */
export const jarmFaults: Record<JarmFaultName, FaultKind> = forging(
  "jarm",
  signedCallback,
  "signed authorization response (JARM)",
  {
    wrong_iss,
    wrong_aud,
    expired,
    without_iss: withoutClaim("iss"),
    without_aud: withoutClaim("aud"),
    without_exp: withoutClaim("exp"),
    alg_none,
    foreign_signature,
  },
);

function nearly(claim: "iss" | "aud", kind: NearKind): JwtChange {
  return {
    what: `has an ${claim} that ${kind}`,
    change: setClaims(({ claims }) => ({ [claim]: nearValue(claims[claim], kind) })),
  };
}

function withSecondAudience(aud: unknown): unknown[] {
  return [aud, "someone-else"].flat();
}
