import type { AccessTokenType, Resource } from "../../model/access_token.ts";
import type { Client } from "../../model/client.ts";
import { scopeForResources } from "../../protocol/access_request.ts";
import { findResources } from "../../protocol/resource.ts";
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
  const { subjectToken, resources: granted, scope } = entitlement;
  const { resources: accepted, lifetimes } = ctx.settings;
  const audience = audienceOf(ctx, entitlement);
  // A token does not outlive the token that it was exchanged for.
  const timeLeft = subjectToken ? subjectToken.exp - numericDate(ctx) : Infinity;
  const properties: AccessTokenProperties = {
    audience,
    unnamedAudience: granted.filter((uri) => !isNamedAudience(ctx, uri)),
    scope: scopeForResources(ctx.apply, audience, scope, accepted),
    lifetime: Math.min(timeLeft, lifetimes.accessToken),
    format: formatFor(client, entitlement),
    type: client.accessTokenType ?? ctx.settings.accessTokenType,
  };
  restrict(properties, findResources(audience, accepted));
  if (properties.unnamedAudience.length > 0) properties.type = "at+jwt";
  return properties;
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
 * Applies the settings of resources. If they want different types, it is the one that cannot be
 * mistaken for that of another token.
 */
function restrict(properties: AccessTokenProperties, resources: readonly Resource[]): void {
  let wanted: AccessTokenType | undefined;
  for (const { accessTokenFormat, accessTokenLifetime, accessTokenType } of resources) {
    if (accessTokenFormat === "opaque") properties.format = "opaque";
    properties.lifetime = Math.min(properties.lifetime, accessTokenLifetime ?? Infinity);
    if (wanted !== "at+jwt") wanted = accessTokenType ?? wanted;
  }
  properties.type = wanted ?? properties.type;
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
