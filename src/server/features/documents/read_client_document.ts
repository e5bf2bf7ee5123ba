import { cacheLifetime } from "../../http/outbound_fetch.ts";
import type { Context } from "../../issuer/context.ts";
import type { FetchPayer } from "../../issuer/limits/fetch_budgets.ts";
import { type FetchedDocument, fetchJson } from "../../issuer/outbound_requests.ts";
import { fromNow } from "../../issuer/time.ts";
import type { Client, ClientMetadata } from "../../model/client.ts";
import type { ServerMetadata } from "../../model/server_metadata.ts";
import { OAuthError } from "../../protocol/oauth_error.ts";
import { compared, ruleSet } from "../../protocol/rule.ts";
import { day, minute } from "../../util/time/duration.ts";
import { readClientMetadata } from "../registration/client_metadata.ts";
import { members } from "../registration/client_metadata_members.ts";
import { metadataFor } from "../registration/registration_offers.ts";
import { makeUntrustedClient } from "../registration/untrusted_client.ts";
import { offerToDocument } from "./offer.ts";
import { replaceClientDocument } from "./stored_documents.ts";

const about = {
  see: "OAuth Client ID Metadata Document, section 4.1",
  parameter: "client_id",
  error: "invalid_client_metadata",
} as const;

export const documentRules = ruleSet("document", about, {
  client_id: {
    ...compared,
    title: "The client_id of the metadata document must be the URL of the document",
  },
  no_secret: {
    title: "A client that is described in public must not have a secret",
    fix: "Use private_key_jwt, or no client authentication.",
    holds: (metadata: ClientMetadata) => !hasSharedSecret(metadata),
  },
});

/** How long a document is fresh, in seconds. Its site chooses within these limits. */
const freshness = { min: 1 * minute, max: 1 * day, byDefault: 5 * minute };
/** The draft recommends 5 kB (section 8.7); a document that holds keys needs more. */
const maxDocumentBytes = 10 * 1024;

/** Fetches the document at a URL and makes a client of it. A stored version is replaced. */
export async function readClientDocument(
  ctx: Context,
  id: string,
  payer: FetchPayer,
): Promise<Client> {
  const { document, headers } = await findDocument(ctx, id, payer);
  const freshUntil = fromNow(ctx, cacheLifetime(headers, freshness));
  try {
    const described = await makeClient(ctx, id, document, payer);
    const client = { ...described, document: { readAt: ctx.now(), freshUntil } };
    await replaceClientDocument(ctx, client);
    return client;
  } catch (cause) {
    if (cause instanceof OAuthError) {
      ctx.emit({
        type: "outbound.failed",
        what: "client metadata",
        url: id,
        reason: cause.message,
      });
    }
    throw cause;
  }
}

/** A document that is hosted here is not fetched: its URL may lead to this very server. */
async function findDocument(
  ctx: Context,
  url: string,
  payer: FetchPayer,
): Promise<FetchedDocument> {
  const hosted = ctx.hooks.hostedDocuments?.get(url);
  if (hosted) return { document: hosted, headers: new Headers() };
  return await fetchJson(ctx, {
    purpose: "client metadata",
    url,
    trusted: false,
    sender: payer.sender,
    maxBytes: maxDocumentBytes,
  });
}

/** A document describes its own URL only, and cannot hold a shared secret (section 4). */
async function makeClient(
  ctx: Context,
  id: string,
  document: unknown,
  payer: FetchPayer,
): Promise<Client> {
  const described: ClientMetadata = Object(document);
  ctx.apply(documentRules.client_id, { received: described.client_id, expected: id });
  ctx.apply(documentRules.no_secret, described);
  const hasKey = described.token_endpoint_auth_method === "private_key_jwt";
  const offer = offerToDocument(ctx, id, hasKey);
  const server = metadataFor(ctx, offer);
  const narrowed = narrowMetadata(described, server);
  const metadata = readClientMetadata(ctx.apply, narrowed, offer, server, "none");
  return await makeUntrustedClient(ctx, { id, offer }, metadata, payer);
}

function hasSharedSecret(metadata: ClientMetadata): boolean {
  const { token_endpoint_auth_method: method } = metadata;
  return "client_secret" in metadata || "client_secret_expires_at" in metadata ||
    (typeof method === "string" && method.startsWith("client_secret"));
}

/**
 * Leaves out what this server does not support. A metadata document is written for every server,
 * and the client learns here what it gets. What the document requires of a server stays.
 */
function narrowMetadata(metadata: ClientMetadata, server: ServerMetadata): ClientMetadata {
  const narrowed: Record<string, unknown> = { ...metadata };
  for (const { name, among } of members) {
    if (among !== undefined) narrowed[name] = narrowList(metadata[name], server[among]);
  }
  const { scope } = metadata;
  return {
    ...narrowed,
    token_endpoint_auth_method: metadata.token_endpoint_auth_method ??
      findMethod(metadata, server),
    grant_types: narrowList(metadata.grant_types, server.grant_types_supported),
    scope: typeof scope === "string"
      ? narrowList(scope.split(" "), server.scopes_supported).join(" ")
      : scope,
  };
}

/**
 * Finds how the client of a document can authenticate here. The document may list methods, the best
 * one first (OpenID Connect RP Metadata Choices, section 2).
 */
function findMethod(metadata: ClientMetadata, server: ServerMetadata): unknown {
  const { token_endpoint_auth_methods_supported: methods } = metadata;
  const { token_endpoint_auth_methods_supported: supported } = server;
  if (!Array.isArray(methods) || !Array.isArray(supported)) return undefined;
  return methods.find((method) =>
    supported.includes(method) && !String(method).startsWith("client_secret")
  );
}

/**
 * Keeps the entries that are supported. If none is, it keeps all, so that they are refused later.
 */
function narrowList<T>(value: T, supported: unknown): T {
  if (!Array.isArray(value) || !Array.isArray(supported)) return value;
  const common = value.filter((entry) => supported.includes(entry));
  return common.length > 0 ? common as T : value;
}
