import { checkClient } from "../../config/check_client.ts";
import { collect, metadataFor, toClientConfig } from "../../config/client_metadata.ts";
import { toClient } from "../../config/make_client.ts";
import { reportBeyond } from "../../config/problems.ts";
import { capabilitiesOfSettings } from "../../config/server_capabilities.ts";
import type { ReportProblem } from "../../config/shape.ts";
import { isTemporary } from "../../http/outbound_fetch.ts";
import type { Client, ClientMetadata } from "../../model/client.ts";
import type { ClientConfig } from "../../model/client_config.ts";
import type { ServerMetadata } from "../../model/server_metadata.ts";
import {
  allowedGrants,
  confineClient,
  registrationTrust,
} from "../../protocol/client_allowances.ts";
import type { TrustLevel } from "../../protocol/client_trust.ts";
import { deviceCodeGrant } from "../../protocol/device_request.ts";
import { errorFactory, type OAuthError } from "../../protocol/oauth_error.ts";
import { isNativeUri } from "../../protocol/redirect_uri.ts";
import type { Context } from "../context.ts";
import { encryptClientSecret } from "../keys/seal_secret.ts";
import type { ChargeFetch } from "../limits/fetch_budgets.ts";
import { fetchJson } from "../outbound_requests.ts";

const invalidClientMetadata = errorFactory("invalid_client_metadata");

/** What a client that describes itself does not choose. */
export interface UntrustedIdentity {
  id: string;
  secret?: string;
  level: TrustLevel;
}

/** What a client of a trust level can choose from. */
export function metadataForLevel(
  { metadata, settings }: Context,
  level: TrustLevel,
): ServerMetadata {
  return metadataFor(
    metadata,
    settings.allowances.access[level],
    allowedGrants(level, settings.grantTypes),
  );
}

/** Makes a client of what it says of itself, by the same rules as one that the operator wrote down. */
export async function makeUntrustedClient(
  ctx: Context,
  { id, secret, level }: UntrustedIdentity,
  metadata: ClientMetadata,
  pay: ChargeFetch,
): Promise<Client> {
  const capabilities = capabilitiesOfSettings(ctx.settings);
  const said = toClientConfig(id, metadata, secret);
  const config = {
    ...capabilities.profile.untrustedClient,
    ...said,
    ...leniencies(ctx, level, said),
  };
  collect((report) => {
    checkClient(config, capabilities, report);
    checkAllowed(ctx, level, config, report);
    checkSectorIsClear(config, report);
    if (!ctx.settings.privateFetches) checkNoHttp(config, report);
  });
  const { sectorIdentifierUri } = config;
  if (sectorIdentifierUri !== undefined) {
    pay(sectorIdentifierUri);
    await checkSectorDocument(ctx, sectorIdentifierUri, config.redirectUris ?? []);
  }
  return confineClient(
    await encryptClientSecret(ctx, await toClient(config, capabilities)),
    level,
    ctx.settings.allowances,
  );
}

/**
 * A client that described itself, as the settings allow it now: they may have become stricter since
 * then.
 */
export function confineToAllowances({ settings: { allowances } }: Context, client: Client): Client {
  const { registration, document } = client;
  if (!registration && !document) return client;
  return confineClient(
    client,
    registrationTrust(registration?.initialAccess ?? false, allowances),
    allowances,
  );
}

/**
 * What the operator grants beyond the strict defaults. Consent to a client that is not trusted is
 * never remembered.
 */
function leniencies(
  { settings: { allowances } }: Context,
  level: TrustLevel,
  said: ClientConfig,
): Partial<ClientConfig> {
  const isConfidential = !said.authentication?.includes("none");
  return {
    ...level !== "trusted" && { rememberConsent: false },
    ...level !== "untrusted" && { assertionAudience: allowances.assertionAudience },
    ...level !== "untrusted" && isConfidential && { pkce: allowances.pkce },
  };
}

/** Refuses what the server has and a client of this trust level may not ask for. */
function checkAllowed(
  { settings }: Context,
  level: TrustLevel,
  config: ClientConfig,
  report: ReportProblem,
): void {
  const { scopes } = settings.allowances.access[level];
  const grants = allowedGrants(level, settings.grantTypes);
  const beyond = (
    path: string,
    chosen: readonly string[] = [],
    offered: readonly string[],
    allowed: readonly string[],
  ) => {
    const known = chosen.filter((each) => offered.includes(each));
    reportBeyond(report, path, known, {
      among: allowed,
      why: `; allowed here: ${allowed.join(" ") || "none"}`,
    });
  };
  beyond("scopes", config.scopes, [...settings.scopes.keys()], scopes);
  beyond("grantTypes", config.grantTypes, settings.grantTypes, grants);
}

const urls = [
  "jwksUri",
  "sectorIdentifierUri",
  "initiateLoginUri",
  "backchannelLogoutUri",
  "frontchannelLogoutUri",
] as const;

/** What a stranger calls loopback is this server, unless both run on one machine. */
function checkNoHttp(config: ClientConfig, report: ReportProblem): void {
  for (const name of urls) {
    if (config[name]?.startsWith("http:")) report(name, "must be an https URL");
  }
}

/** Pairwise subjects need one host to be computed for (OpenID Connect Core, section 8.1). */
function checkSectorIsClear(
  { subjectType, sectorIdentifierUri, redirectUris = [], grantTypes }: ClientConfig,
  report: ReportProblem,
): void {
  if (subjectType !== "pairwise") return;
  // A device gets its tokens at none of the redirect URIs, so that anybody's could be named.
  if (grantTypes?.includes(deviceCodeGrant)) {
    report("subjectType", "cannot be pairwise for a client that may use the device grant");
  }
  if (sectorIdentifierUri !== undefined) return;
  const places = new Set(redirectUris.filter((uri) => URL.canParse(uri)).map(originAndPathOf));
  if (places.size > 1) {
    report(
      "sectorIdentifierUri",
      "is missing, and the redirect URIs are not all https, or all native, on one host",
    );
  }
}

/**
 * Anyone may write another's host into a URI of a private scheme; only https shows whose host it
 * is.
 */
function originAndPathOf(uri: string): string {
  const { protocol, host } = new URL(uri);
  return `${isNativeUri(uri) ? "native" : protocol} ${host}`;
}

/** The document shows that whoever owns the sector wants the client in it (OpenID Connect Registration, section 5). */
async function checkSectorDocument(
  ctx: Context,
  url: string,
  redirectUris: readonly string[],
): Promise<void> {
  const listed = await fetchJson(ctx, { what: "sector identifier", url, trusted: false }).then(
    ({ document }) => document,
    (cause) => {
      if (isTemporary(cause)) throw unreachable(cause);
    },
  );
  collect((report) => {
    if (!Array.isArray(listed)) {
      return report("sectorIdentifierUri", "leads to no list of redirect URIs");
    }
    for (const uri of redirectUris) {
      if (!listed.includes(uri)) report("sectorIdentifierUri", `does not list '${uri}'`);
    }
  });
}

function unreachable(cause: unknown): OAuthError {
  return invalidClientMetadata(
    "The member 'sector_identifier_uri' leads to a site that cannot be reached.",
    { cause },
  );
}
