import { hour } from "../../../server/util/time/duration.ts";
import type { RequestMapping, RequestMappingCallback } from "./json_config.ts";
import { matchesWhole } from "./match_pattern.ts";
import type { MockParameters } from "./mock_parameters.ts";

/** What the tokens of a request get. */
export interface TokenCallback {
  issuerId: string;
  typeHeader: string;
  expiry: number;
  /** The subject; undefined leaves it out. */
  subject: string | undefined;
  audience: string[];
  claims: Record<string, unknown>;
}

/** What a test wants of the next tokens of an issuer. */
export interface EnqueuedCallback {
  /** The issuer; `default` by default. */
  issuerId?: string | undefined;
  /** The subject; random by default. */
  subject?: string | undefined;
  /** The audience of access tokens. */
  audience?: string | string[] | undefined;
  /** More claims. */
  claims?: Record<string, unknown> | undefined;
  /** The lifetime in seconds; 3600 by default. */
  expiry?: number | undefined;
  /** The `typ` of the header; `JWT` by default. */
  typeHeader?: string | undefined;
}

/** Computes what the tokens of a request get; `subject` is the name from the sign-in page. */
export type CallbackSource = (request: MockParameters, subject?: string) => TokenCallback;

/** The scopes of OpenID Connect, which name no audience. */
const oidcScopes = ["openid", "profile", "email", "address", "phone", "offline_access"];

/** Returns the callback of a test, or the default one. The subject stays the same. */
export function fixedCallback(
  { issuerId = "default", subject, audience, claims, expiry = hour, typeHeader = "JWT" }:
    EnqueuedCallback,
): CallbackSource {
  const user = subject ?? crypto.randomUUID();
  return (request, signedIn) => {
    const isService = request.grantType === "client_credentials";
    const withParty = request.grantType === "authorization_code" && request.client !== undefined;
    return {
      issuerId,
      typeHeader,
      expiry,
      subject: signedIn ?? (isService ? request.client : user),
      audience: audience === undefined ? audienceOf(request) : [audience].flat(),
      claims: { tid: issuerId, ...claims, ...withParty && { azp: request.client } },
    };
  };
}

/** Returns the callback of the configuration. */
export function mappingCallback(
  { issuerId, requestMappings, tokenExpiry = hour }: RequestMappingCallback,
): CallbackSource {
  return (request, signedIn) => {
    const found = requestMappings.find((mapping) => isMatch(mapping, request, signedIn));
    const claims = fillClaims(found?.claims ?? {}, templateValues(request, signedIn));
    const { sub, aud } = claims;
    return {
      issuerId,
      typeHeader: found?.typeHeader ?? "JWT",
      expiry: tokenExpiry,
      subject: typeof sub === "string" ? sub : signedIn,
      audience: [aud].flat().filter((each): each is string => typeof each === "string"),
      claims,
    };
  };
}

/** Only a token exchange names its audience; other requests name it as a scope. */
function audienceOf({ grantType, form }: MockParameters): string[] {
  const audience = grantType.endsWith(":token-exchange") ? form.getAll("audience") : [];
  if (audience.length > 0) return audience;
  const scope = form.get("scope");
  if (scope === null) return ["default"];
  return scope.split(" ").filter((each) => each !== "" && !oidcScopes.includes(each));
}

function isMatch(
  { requestParam, match }: RequestMapping,
  { form, client }: MockParameters,
  signedIn: string | undefined,
): boolean {
  const sent = form.getAll(requestParam);
  const implied = new Map([["client_id", client], ["subject", signedIn]]).get(requestParam) ?? [];
  const values = sent.length > 0 ? sent : [implied].flat();
  return values.some((value) => match === "*" || match === value || matchesWhole(match, value));
}

function templateValues(
  { form, client }: MockParameters,
  signedIn: string | undefined,
): Map<string, string> {
  const values = new Map<string, string>();
  if (signedIn !== undefined) values.set("subject", signedIn);
  for (const name of new Set(form.keys())) values.set(name, form.getAll(name).join(" "));
  for (const name of ["clientId", "client_id"]) if (client !== undefined) values.set(name, client);
  return values;
}

function fillClaims(
  claims: Record<string, unknown>,
  values: ReadonlyMap<string, string>,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(claims).map(([name, value]) => [name, fill(value, values)]),
  );
}

function fill(value: unknown, values: ReadonlyMap<string, string>): unknown {
  if (typeof value === "string") {
    return value.replace(/\$\{(\w+)\}/g, (whole, name: string) => values.get(name) ?? whole);
  }
  if (Array.isArray(value)) return value.map((each) => fill(each, values));
  if (typeof value === "object" && value !== null) return fillClaims({ ...value }, values);
  return value;
}
