import type { Offer } from "../../config/settings.ts";
import type { Context } from "../../issuer/context.ts";
import { isClientIdUrl } from "../../protocol/client_trust.ts";
import { registrationParts } from "../registration/registration_offers.ts";
import { documentsServer } from "./config.ts";

/**
 * Returns what the server offers to the client of a metadata document. One that a trusted issuer
 * lists may present its assertions, for which it must have a key.
 */
export function offerToDocument(
  ctx: Context,
  id: string,
  hasKey: boolean,
): Offer {
  const { offers } = registrationParts(ctx);
  const lists = [...ctx.settings.assertingIssuers.values()];
  return hasKey && lists.some((ids) => ids.includes(id)) ? offers.listed : offers.untrusted;
}

/** Whether an id may be the URL of a metadata document. */
export function mayBeDocument({ settings, hooks }: Context, id: string): boolean {
  const { clientMetadataDocuments } = documentsServer.of(settings);
  const isFetched = clientMetadataDocuments && isClientIdUrl(id, settings.insecure.privateFetches);
  return isFetched || hooks.hostedDocuments?.has(id) === true;
}
