import type { Client } from "../../model/client.ts";
import { findResources, scopeForResources } from "../../protocol/resource.ts";
import type { Context } from "../context.ts";
import { numericDate } from "../time.ts";
import type { Entitlement } from "./entitlement.ts";

/** What an access token will be, once the resources that it is for have had their say. */
export interface AccessTokenProperties {
  audience: string[];
  scope: string[];
  /** In seconds. */
  lifetime: number;
  format: "jwt" | "opaque";
}

/** The resources can only take away: scopes that none of them knows, time, and what could be read without asking the server. */
export function accessTokenProperties(
  ctx: Context,
  client: Client,
  entitlement: Entitlement,
): AccessTokenProperties {
  const { resources, lifetimes } = ctx.settings;
  const audience = audienceOf(ctx, entitlement);
  const known = findResources(audience, resources);
  const left = entitlement.exchanged ? entitlement.exchanged.exp - numericDate(ctx) : Infinity;
  const formats = [
    client.accessTokenFormat,
    ...known.map(({ accessTokenFormat }) => accessTokenFormat),
  ];
  return {
    audience,
    scope: scopeForResources(audience, entitlement.scope, resources),
    // One that is given in exchange for another does not outlive it.
    lifetime: Math.min(
      left,
      lifetimes.accessToken,
      ...known.flatMap(({ accessTokenLifetime }) => accessTokenLifetime ?? []),
    ),
    format: formats.includes("opaque") ? "opaque" : "jwt",
  };
}

/** The resources that were asked for; by default the default one, and with `openid` the userinfo endpoint, which is the issuer's. */
function audienceOf({ settings }: Context, { resources, scope }: Entitlement): string[] {
  const byDefault = scope.includes("openid")
    ? [settings.defaultResource, settings.issuer]
    : [settings.defaultResource];
  return [...new Set(resources.length > 0 ? resources : byDefault)];
}
