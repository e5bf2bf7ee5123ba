import { checkClient } from "../../config/check_client.ts";
import { toClient } from "../../config/make_client.ts";
import type { ReportProblem } from "../../config/problems.ts";
import type { Offer, Settings } from "../../config/settings.ts";
import { isTemporary } from "../../http/outbound_fetch.ts";
import type { Context } from "../../issuer/context.ts";
import { encryptClientSecrets } from "../../issuer/keys/secrets_at_rest.ts";
import type { FetchPayer } from "../../issuer/limits/fetch_budgets.ts";
import { fetchJson } from "../../issuer/outbound_requests.ts";
import type { Client, ClientMetadata } from "../../model/client.ts";
import type { CoreClientConfig } from "../../model/client_config.ts";
import { untrustedKeyProblem } from "../../protocol/client_key.ts";
import { cibaGrantType, deviceCodeGrantType } from "../../protocol/grant_types.ts";
import { isNativeUri, isUnownedUri } from "../../protocol/redirect_uri.ts";
import { collect, toClientConfig } from "./client_metadata.ts";
import { registrationRules } from "./client_metadata_rules.ts";

/** The URLs of a client that the server or a browser fetches. */
const fetchedUrls = [
  "jwksUri",
  "sectorIdentifierUri",
  "initiateLoginUri",
];

/** Creates a client from its own metadata, under the same rules as a configured one. */
export async function makeUntrustedClient(
  ctx: Context,
  { id, secret, offer }: { id: string; secret?: string | undefined; offer: Offer },
  metadata: ClientMetadata,
  payer: FetchPayer,
): Promise<Client> {
  const { settings } = offer;
  const isTrusted = offer.level === "trusted";
  const config: CoreClientConfig = {
    ...settings.profile.untrustedClient,
    ...toClientConfig(id, metadata, secret),
    // Consent to an untrusted client is never remembered.
    ...!isTrusted && { rememberConsent: false },
    assertionAudience: offer.assertionAudience,
    pkce: metadata.token_endpoint_auth_method === "none" ? "required" : offer.pkce,
  };
  collect(ctx.apply, (report) => {
    checkClient(config, offer, report);
    checkSector(config, report);
    if (!isTrusted) checkKeyCost(config, report);
    if (!isTrusted && !settings.httpClients) checkOwned(config, report);
    if (!settings.insecure.privateFetches) checkHttps(config, settings, report);
  });
  const { sectorIdentifierUri } = config;
  if (sectorIdentifierUri !== undefined) {
    payer.charge(sectorIdentifierUri);
    await checkSectorDocument(ctx, sectorIdentifierUri, config.redirectUris ?? [], payer.sender);
  }
  // Its users are always asked. A server of the version before, which has no such setting, refuses a
  // client that has it, and may run next to this one.
  const { consent: _, ...client } = await toClient(config, offer);
  return await encryptClientSecrets(ctx, client);
}

/** Reports keys that only a trusted client may have. */
function checkKeyCost({ jwks }: CoreClientConfig, report: ReportProblem): void {
  for (const [at, key] of (jwks?.keys ?? []).entries()) {
    const problem = untrustedKeyProblem(key);
    if (problem) report(`jwks.keys[${at}]`, problem);
  }
}

/** To this server, a loopback URL of an untrusted client leads to the server's own machine. */
function checkHttps(
  config: CoreClientConfig,
  { clientParts }: Settings,
  report: ReportProblem,
): void {
  const values = new Map<string, unknown>(Object.entries(config));
  const names = [...fetchedUrls, ...clientParts.flatMap(({ fetched = [] }) => fetched)];
  for (const name of names) {
    if (`${values.get(name)}`.startsWith("http:")) report(name, "must be an https URL");
  }
}

/** A resolver that ignores RFC 6761 may lead a name below `localhost` to another machine. */
function checkOwned({ redirectUris = [] }: CoreClientConfig, report: ReportProblem): void {
  for (const [at, uri] of redirectUris.entries()) {
    if (!URL.canParse(uri) || !isUnownedUri(uri)) continue;
    report(
      `redirectUris[${at}]`,
      "uses http with a name below localhost; use an address, or https",
    );
  }
}

/** Pairwise subjects are computed for a single host (OpenID Connect Core, section 8.1). */
function checkSector(
  { subjectType, sectorIdentifierUri, redirectUris = [], grantTypes }: CoreClientConfig,
  report: ReportProblem,
): void {
  if (subjectType !== "pairwise") return;
  // A device gets its tokens at none of its redirect URIs, so it could name another client's.
  if (grantTypes?.some((type) => type === deviceCodeGrantType || type === cibaGrantType)) {
    report("subjectType", "cannot be pairwise for a client that may use the device or CIBA grant");
  }
  if (sectorIdentifierUri !== undefined) return;
  const hosts = redirectUris.filter((uri) => URL.canParse(uri)).map(schemeAndHost);
  if (new Set(hosts).size > 1) {
    report(
      "sectorIdentifierUri",
      "is missing, and the redirect URIs are not all https, or all native, on one host",
    );
  }
}

/** A URI of a private scheme may contain any host; only https proves who owns it. */
function schemeAndHost(uri: string): string {
  const { protocol, host } = new URL(uri);
  return `${isNativeUri(uri) ? "native" : protocol} ${host}`;
}

/**
 * The document proves that the owner of the sector accepts the client (OpenID Connect Registration,
 * section 5).
 */
async function checkSectorDocument(
  ctx: Context,
  url: string,
  redirectUris: readonly string[],
  sender: string | undefined,
): Promise<void> {
  const listed = await fetchSectorDocument(ctx, url, sender);
  collect(ctx.apply, (report) => {
    if (!Array.isArray(listed)) {
      return report("sectorIdentifierUri", "does not lead to a list of redirect URIs");
    }
    for (const uri of redirectUris) {
      if (!listed.includes(uri)) report("sectorIdentifierUri", `does not list '${uri}'`);
    }
  });
}

/** Returns undefined if the site responds with anything but JSON. */
async function fetchSectorDocument(
  ctx: Context,
  url: string,
  sender: string | undefined,
): Promise<unknown> {
  try {
    const target = { purpose: "sector identifier", url, trusted: false, sender };
    return (await fetchJson(ctx, target)).document;
  } catch (cause) {
    if (isTemporary(cause)) ctx.apply(registrationRules.sector_reachable, { cause });
    return undefined;
  }
}
