import type { Profile } from "../../config/profiles/profile.ts";
import {
  type Offer,
  type OfferedAccess,
  type Settings,
  trustedOffer,
} from "../../config/settings.ts";
import { type Context, serverPart } from "../../issuer/context.ts";
import { describeOffer } from "../../issuer/describe_server.ts";
import { createBudget } from "../../issuer/limits/budget.ts";
import { openIdScopes } from "../../model/claims.ts";
import type { ServerMetadata } from "../../model/server_metadata.ts";
import { registrationTrust, type TrustLevel } from "../../protocol/client_trust.ts";
import { isInteractiveGrant, jwtBearerGrantType } from "../../protocol/grant_types.ts";
import { fillDefaults } from "../../util/values/members.ts";
import { type AllowConfig, registrationLifetimes, registrationServer } from "./config.ts";
import { policyOf } from "./registration_policy.ts";

interface Offers extends Readonly<Record<TrustLevel, Offer>> {
  /**
   * For an untrusted client that a trusted issuer lists. It may present the issuer's assertions,
   * although no user is asked: the issuer vouches for the user.
   */
  readonly listed: Offer;
}

export const registrationParts = serverPart(({ settings, now }) => ({
  /** How long a client lasts that is not used, in seconds. */
  unusedClient: registrationLifetimes.of(settings.lifetimes).unusedClient,
  offers: offersOf(settings),
  /** How many clients may register in a minute, by the network of the sender. */
  budget: createBudget(now, registrationServer.of(settings).registrationsPerMinute),
}));

/** Returns what the server offers to a client that registered itself. */
export function offerToRegistered(ctx: Context, initialAccess = false): Offer {
  return registrationParts(ctx).offers[registrationTrust(initialAccess, policyOf(ctx.settings))];
}

export function metadataFor({ metadata }: Context, offer: Offer): ServerMetadata {
  return { ...metadata(), ...describeOffer(offer) };
}

/** Computes what a server offers to clients that describe themselves. */
function offersOf(settings: Settings): Offers {
  const { pkce, assertionAudience, allow = {} } = policyOf(settings);
  const { profile, grantTypes, openGrants } = settings;
  const offer = trustedOffer(settings);
  const trusted = { ...offer, pkce, assertionAudience };
  const isOpen = (type: string) => isInteractiveGrant(type) || openGrants.includes(type);
  const untrusted: Offer = {
    ...offer,
    ...accessOf(settings, offer, fillAllow(allow, profile.untrustedClients)),
    level: "untrusted",
    pkce: "required",
    // Otherwise anyone would get tokens without any user's consent.
    grantTypes: grantTypes.filter(allow.grantTypes ? isOpen : isInteractiveGrant).filter(
      isAllowed(allow),
    ),
  };
  return {
    trusted,
    admitted: {
      ...trusted,
      ...accessOf(settings, offer, fillAllow(allow, "everything")),
      level: "admitted",
      grantTypes: grantTypes.filter(isAllowed(allow)),
    },
    untrusted,
    listed: {
      ...untrusted,
      grantTypes: grantTypes.filter((type) =>
        type === jwtBearerGrantType || untrusted.grantTypes.includes(type)
      ),
    },
  };
}

function isAllowed({ grantTypes }: AllowConfig): (type: string) => boolean {
  return (type) => grantTypes?.includes(type) ?? true;
}

function fillAllow(allow: AllowConfig, byDefault: Profile["untrustedClients"]): AllowConfig {
  if (byDefault === "standard scopes") return allow;
  const everything = { scopes: "any", resources: "any", authorizationDetailsTypes: "any" } as const;
  return fillDefaults<AllowConfig, typeof everything>(everything, allow);
}

function accessOf(
  { issuer, defaultResource }: Settings,
  whole: OfferedAccess,
  allow: AllowConfig,
): OfferedAccess {
  const standardScopes = whole.scopes.filter((scope) => Object.hasOwn(openIdScopes, scope));
  const { scopes = standardScopes, resources = [], authorizationDetailsTypes = [] } = allow;
  return {
    scopes: scopes === "any" ? whole.scopes : scopes,
    // A token that names no resource is for the default one, and with `openid` for the issuer.
    resources: resources === "any" ? "any" : [...new Set([defaultResource, issuer, ...resources])],
    authorizationDetailsTypes: authorizationDetailsTypes === "any"
      ? whole.authorizationDetailsTypes
      : authorizationDetailsTypes,
  };
}
