import type { AcceptedResources } from "../../server/model/access_token.ts";

const lastSegment = /\/[^/]*$/;

/** Returns the audience that a request may name in order to get a token for userinfo. */
export function requestableIssuer(
  issuer: string,
  accepted: AcceptedResources,
): string | undefined {
  const isKnown = accepted === "any" || accepted.only.some(({ uri }) => uri === issuer);
  return isKnown ? issuer : undefined;
}

/** Adds userinfo to the audiences of an authorization request that names an API. */
export function withUserinfo(
  parameters: URLSearchParams,
  issuer: string | undefined,
): URLSearchParams {
  const isSignIn = parameters.get("scope")?.split(" ").includes("openid") ?? false;
  const namesApi = parameters.has("response_type") && parameters.has("audience");
  if (issuer === undefined || !isSignIn || !namesApi) return parameters;
  return new URLSearchParams([...parameters, ["audience", issuer]]);
}

/** Returns the claims of a token with another name for the issuer in its audience. */
export function withAudience(
  claims: Readonly<Record<string, unknown>>,
  issuer: string,
  name: unknown,
): Readonly<Record<string, unknown>> {
  const { aud } = claims;
  const renamed = (each: unknown) => each === issuer ? name : each;
  return { ...claims, aud: Array.isArray(aud) ? aud.map(renamed) : renamed(aud) };
}

/**
 * Returns the API that a scope names by its URI, with the rest of the scope, as in
 * `api://orders/Orders.Read`; undefined if it names none.
 */
export function apiOfScope(scope: unknown): { name: string; scope: string } | undefined {
  if (typeof scope !== "string") return undefined;
  const uris = scope.split(" ").filter((token) => URL.canParse(token) && token.includes("://"));
  const [api] = uris.map((uri) => uri.replace(lastSegment, ""));
  return api === undefined ? undefined : {
    name: api.replace(/^api:\/\//, ""),
    scope: uris.filter((uri) => uri.replace(lastSegment, "") === api)
      .map((uri) => uri.slice(api.length + 1)).join(" "),
  };
}
