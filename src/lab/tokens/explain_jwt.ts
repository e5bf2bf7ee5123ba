import { isObject } from "../../server/util/text/json.ts";
import { type DecodedJwt, readJwt } from "../recording/credentials.ts";
import { showValue } from "../util/json_values.ts";
import { describeDistance, formatInstant, isInstant } from "./describe_instant.ts";
import { findNote } from "./notes.ts";
import type { Note } from "./request_notes.ts";

/** The claims that are times, in seconds since the epoch. */
const timeClaims = ["exp", "nbf", "iat", "auth_time", "updated_at"];

/** The claims that clients and APIs check, in the order in which they do. */
const protocolClaims = [
  "iss",
  "sub",
  "aud",
  "azp",
  "client_id",
  "scope",
  "exp",
  "nbf",
  "iat",
  "auth_time",
  "jti",
  "nonce",
  "acr",
  "amr",
  "sid",
  "at_hash",
  "c_hash",
  "s_hash",
  "cnf",
  "act",
  "may_act",
  "authorization_details",
  "events",
];

/** The kinds of JWT that name themselves by their `typ`, without "application/". */
const namesByType: Readonly<Record<string, string>> = {
  "at+jwt": "Access token (RFC 9068)",
  "dpop+jwt": "DPoP proof (RFC 9449)",
  "logout+jwt": "Logout token (OpenID Connect Back-Channel Logout)",
  "token-introspection+jwt": "Introspection response (RFC 9701)",
  "oauth-authz-req+jwt": "Request object (RFC 9101)",
  "client-authentication+jwt": "Client assertion (RFC 7523)",
};

const maxLine = 60;

/** What a check found out. */
export interface JwtVerdict {
  tone: "good" | "bad" | "neutral";
  text: string;
}

/** A member of a header or of claims, with its meaning. */
export interface ExplainedMember {
  name: string;
  /** The value as JSON; text without quotes. */
  value: string;
  /** The time in words, if the value is one. */
  inWords?: string | undefined;
  note?: Note | undefined;
}

/** A decoded JWT, with the meaning of each member. Its signature is not verified. */
export interface ExplainedJwt extends DecodedJwt {
  /** What it is: "Access token (RFC 9068)". */
  name: string;
  /** The parts as they were sent: header, claims and signature. */
  parts: string[];
  explainedHeader: ExplainedMember[];
  explainedClaims: ExplainedMember[];
  /** Whether it is valid by its times. */
  validity: JwtVerdict;
}

/**
 * Explains a JWT; returns undefined for any other text. `now` is the time of the lab, in
 * milliseconds.
 */
export function explainJwt(jwt: string, now: number): ExplainedJwt | undefined {
  const parts = jwt.split(".");
  const decoded = readJwt(jwt);
  if (parts.length !== 3 || !isObject(decoded?.header) || !isObject(decoded?.claims)) {
    return undefined;
  }
  const { header, claims } = decoded;
  // The claims of the protocol come first; those about the user keep their order.
  const known = protocolClaims.filter((name) => Object.hasOwn(claims, name));
  const others = Object.keys(claims).filter((name) => !protocolClaims.includes(name));
  return {
    header,
    claims,
    name: nameOfJwt(decoded),
    parts,
    explainedHeader: Object.entries(header).map(([name, value]) => ({
      name,
      value: formatValue(value),
      note: findNote("jwtHeader", name),
    })),
    explainedClaims: [...known, ...others].map((name) => ({
      name,
      value: formatValue(claims[name]),
      inWords: timeInWords(name, claims[name], now),
      note: findNote("claim", name),
    })),
    validity: validityOf(claims, now),
  };
}

/** Returns what a JWT is, as far as its header and claims show. */
function nameOfJwt({ header, claims }: DecodedJwt): string {
  const type = showValue(header.typ ?? "").toLowerCase().replace(/^application\//, "");
  if (Object.hasOwn(namesByType, type)) return namesByType[type] ?? "JWT";
  if (claims.events !== undefined) return "Logout token (OpenID Connect Back-Channel Logout)";
  if (claims.response_type !== undefined) return "Request object (RFC 9101)";
  if (claims.code !== undefined || claims.error !== undefined) {
    return "Authorization response (JARM)";
  }
  if (claims.client_id !== undefined && claims.scope !== undefined) return "Access token";
  if (claims.iss !== undefined && claims.iss === claims.sub) return "Client assertion (RFC 7523)";
  const isIdToken = claims.sub !== undefined && claims.aud !== undefined;
  return isIdToken ? "ID token (OpenID Connect)" : "JWT";
}

function formatValue(value: unknown): string {
  if (typeof value === "string") return value;
  const line = JSON.stringify(value);
  return line.length <= maxLine ? line : JSON.stringify(value, null, 2);
}

function timeInWords(name: string, value: unknown, now: number): string | undefined {
  if (!timeClaims.includes(name)) return undefined;
  const instant = instantOf(value);
  if (instant === undefined) return "not a number of seconds";
  return `${formatInstant(instant)}, ${describeDistance(instant, now)}`;
}

/** Reads a NumericDate into milliseconds (RFC 7519, section 2). */
function instantOf(value: unknown): number | undefined {
  if (typeof value !== "number") return undefined;
  return isInstant(value * 1000) ? value * 1000 : undefined;
}

function validityOf({ exp, nbf }: Record<string, unknown>, now: number): JwtVerdict {
  const [expiresAt, validFrom] = [instantOf(exp), instantOf(nbf)];
  if (exp !== undefined && expiresAt === undefined) {
    return { tone: "bad", text: "Its 'exp' is not a number of seconds." };
  }
  if (expiresAt !== undefined && expiresAt <= now) {
    return { tone: "bad", text: `It expired ${describeDistance(expiresAt, now)}.` };
  }
  if (validFrom !== undefined && validFrom > now) {
    return { tone: "bad", text: `It becomes valid ${describeDistance(validFrom, now)}.` };
  }
  if (expiresAt === undefined) return { tone: "neutral", text: "It names no time of expiry." };
  return { tone: "good", text: `It expires ${describeDistance(expiresAt, now)}.` };
}
