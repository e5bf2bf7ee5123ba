import { metadataFor } from "../../config/client_metadata.ts";
import type { ServerMetadata } from "../../model/server_metadata.ts";
import { allowedGrants } from "../../protocol/client_allowances.ts";
import type { TrustLevel } from "../../protocol/client_trust.ts";
import type { Context } from "../context.ts";
import { allowancesFor } from "./untrusted_access.ts";

/** Returns the server's metadata as a client of a trust level can use it. */
export function metadataForLevel(
  ctx: Context,
  level: TrustLevel,
  isListed = false,
): ServerMetadata {
  const { metadata, settings } = ctx;
  const access = allowancesFor(ctx, { level, isListed }).access[level];
  return metadataFor(
    metadata(),
    access,
    allowedGrants(level, settings.grantTypes, access.grantTypes),
  );
}
