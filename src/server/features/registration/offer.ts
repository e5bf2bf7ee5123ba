import type { Offer } from "../../config/offer.ts";
import type { Context } from "../../issuer/context.ts";
import { describeOffer } from "../../issuer/describe_server.ts";
import type { Registration } from "../../model/client.ts";
import type { ServerMetadata } from "../../model/server_metadata.ts";
import { registrationTrust } from "../../protocol/client_trust.ts";
import { registrationParts } from "./parts.ts";
import { policyOf } from "./registration_policy.ts";

/** Returns what the server offers to a client that registered itself. */
export function offerToRegistered(
  ctx: Context,
  { initialAccess = false }: Pick<Registration, "initialAccess">,
): Offer {
  return registrationParts(ctx).offers[registrationTrust(initialAccess, policyOf(ctx.settings))];
}

/** Returns the metadata of the server as it is for the clients of one offer. */
export function metadataFor({ metadata }: Context, offer: Offer): ServerMetadata {
  return { ...metadata(), ...describeOffer(offer) };
}
