import type { Client, ClientMetadata } from "../../protocol/client.ts";
import { isTemporary } from "../../http/outside.ts";
import { deviceCodeGrant } from "../../protocol/device_request.ts";
import { OAuthError } from "../../protocol/oauth_error.ts";
import { checkClient } from "../../config/check_client.ts";
import { offeredBy } from "../../config/offered.ts";
import { toClient } from "../../config/make_client.ts";
import { collect, toClientConfig } from "../../config/client_metadata.ts";
import type { ClientConfig } from "../../config/client_config.ts";
import type { Report } from "../../config/shape.ts";
import type { Context } from "../context.ts";
import type { Pay } from "../limits/fetch_budgets.ts";
import { fetchJson } from "../outside.ts";
import { sealSecret } from "../keys/seal_secret.ts";

/** What tells an untrusted client from every other. */
export interface Identity {
  id: string;
  secret?: string;
  /** Whether somebody whom the operator trusts let it register. */
  vouchedFor: boolean;
}

/** In these a person is asked. In every other a stranger could get tokens without anybody's consent. */
export const grantsWithPerson = ["authorization_code", "refresh_token", deviceCodeGrant];

/** Makes a client of what it says of itself, by the same rules as one that the operator wrote down. */
export async function makeUntrustedClient(
  ctx: Context,
  { id, secret, vouchedFor }: Identity,
  metadata: ClientMetadata,
  pay: Pay,
): Promise<Client> {
  const offered = offeredBy(ctx.settings);
  const grantTypes = offered.grantTypes.filter((type) => vouchedFor || grantsWithPerson.includes(type));
  const config = { ...offered.profile.stranger, ...toClientConfig(id, metadata, secret) };
  collect((report) => {
    checkClient(config, { ...offered, grantTypes }, report);
    checkSectorIsClear(config, report);
    if (!ctx.settings.privateFetches) refuseHttp(config, report);
  });
  const { sectorIdentifierUri } = config;
  if (sectorIdentifierUri !== undefined) {
    pay(sectorIdentifierUri);
    await checkSectorDocument(ctx, sectorIdentifierUri, config.redirectUris ?? []);
  }
  return { ...await sealSecret(ctx, await toClient(config, offered)), trusted: false };
}

const urls = ["jwksUri", "sectorIdentifierUri", "initiateLoginUri", "backchannelLogoutUri", "frontchannelLogoutUri"] as const;

/** What a stranger calls loopback is this server, unless both run on one machine. */
function refuseHttp(config: ClientConfig, report: Report): void {
  for (const name of urls) if (config[name]?.startsWith("http:")) report(name, "must be an https URL");
}

/** Pairwise subjects need one host to be computed for (OpenID Connect Core, section 8.1). */
function checkSectorIsClear({ subjectType, sectorIdentifierUri, redirectUris = [], grantTypes }: ClientConfig, report: Report): void {
  if (subjectType !== "pairwise") return;
  // A device gets its tokens at none of the redirect URIs, so that anybody's could be named.
  if (grantTypes?.includes(deviceCodeGrant)) report("subjectType", "cannot be pairwise for a client that may use the device grant");
  if (sectorIdentifierUri !== undefined) return;
  const hosts = new Set(redirectUris.filter((uri) => URL.canParse(uri)).map((uri) => new URL(uri).host));
  if (hosts.size > 1) report("sectorIdentifierUri", "is missing, and the redirect URIs have more than one host");
}

/** The document shows that whoever owns the sector wants the client in it (OpenID Connect Registration, section 5). */
async function checkSectorDocument(ctx: Context, url: string, redirectUris: readonly string[]): Promise<void> {
  const listed = await fetchJson(ctx, { what: "sector identifier", url, trusted: false }).then(({ document }) => document, (cause) => {
    if (isTemporary(cause)) throw unreachable(cause);
  });
  collect((report) => {
    if (!Array.isArray(listed)) return report("sectorIdentifierUri", "leads to no list of redirect URIs");
    for (const uri of redirectUris) if (!listed.includes(uri)) report("sectorIdentifierUri", `does not list '${uri}'`);
  });
}

function unreachable(cause: unknown): OAuthError {
  return new OAuthError("invalid_client_metadata", "The member 'sector_identifier_uri' leads to a site that cannot be reached.", { cause });
}
