import type { Resource } from "../../model/access_rights.ts";
import type { AccessTokenType } from "../../model/access_token.ts";
import type { Client } from "../../model/client.ts";
import { findResources } from "../../protocol/resource.ts";
import { scopeForResources } from "../../protocol/resource_request.ts";
import { isNamedAudience } from "../clients/client_audiences.ts";
import type { Context } from "../context.ts";
import { numericDate } from "../time.ts";
import type { Entitlement } from "./entitlement.ts";

/** What an access token will be, after the settings of its resources were applied. */
export interface AccessTokenProperties {
  audience: string[];
  /** The part of the audience that the configuration does not name. */
  unnamedAudience: string[];
  scope: string[];
  /** In seconds. */
  lifetime: number;
  format: "jwt" | "opaque";
  /**
   * The `typ` of a JWT. An audience that the configuration does not name could become the id of a
   * client, to which an access token of the type `JWT` would look like an ID token.
   */
  type: AccessTokenType;
}

/**
 * Computes the properties of an access token. A resource can only restrict it: drop scopes that
 * none of them knows, shorten its life, or make it opaque.
 */
export function accessTokenProperties(
  ctx: Context,
  client: Client,
  entitlement: Entitlement,
): AccessTokenProperties {
  const { subjectToken, scope } = entitlement;
  const { resources: accepted, lifetimes } = ctx.settings;
  const audience = audienceOf(ctx, entitlement);
  const unnamedAudience = entitlement.resources.filter((uri) => !isNamedAudience(ctx, uri));
  const resources = findResources(audience, accepted);
  const formats = [
    formatFor(client, entitlement),
    ...resources.map(({ accessTokenFormat }) => accessTokenFormat),
  ];
  const resourceLifetimes = resources.flatMap(({ accessTokenLifetime }) =>
    accessTokenLifetime ?? []
  );
  // A token does not outlive the token that it was exchanged for.
  const timeLeft = subjectToken ? subjectToken.exp - numericDate(ctx) : Infinity;
  return {
    audience,
    unnamedAudience,
    scope: scopeForResources(ctx.apply, audience, scope, accepted),
    lifetime: Math.min(timeLeft, lifetimes.accessToken, ...resourceLifetimes),
    format: formats.includes("opaque") ? "opaque" : "jwt",
    type: unnamedAudience.length === 0 ? typeFor(ctx, client, resources) : "at+jwt",
  };
}

/** Returns the format that the client wants. */
function formatFor(
  { accessTokenFormat }: Client,
  { resources }: Entitlement,
): AccessTokenProperties["format"] {
  if (accessTokenFormat !== "jwt-for-resource") return accessTokenFormat;
  return resources.length > 0 ? "jwt" : "opaque";
}

/**
 * Returns the type that the resources want. If they disagree, it is the one that cannot be mistaken
 * for that of another token.
 */
function typeFor(
  { settings }: Context,
  client: Client,
  resources: readonly Resource[],
): AccessTokenType {
  const wanted = resources.flatMap(({ accessTokenType }) => accessTokenType ?? []);
  const [first = client.accessTokenType ?? settings.accessTokenType] = wanted;
  return wanted.includes("at+jwt") ? "at+jwt" : first;
}

/**
 * By default a token is for the default resource and, with `openid`, for userinfo at the issuer.
 */
function audienceOf({ settings }: Context, { resources, scope }: Entitlement): string[] {
  const defaultAudience = scope.includes("openid")
    ? [settings.defaultResource, settings.issuer]
    : [settings.defaultResource];
  return [...new Set(resources.length > 0 ? resources : defaultAudience)];
}
