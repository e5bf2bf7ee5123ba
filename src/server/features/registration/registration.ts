import { newIdentity } from "../../issuer/clients/clients.ts";
import type { Context, RequestContext } from "../../issuer/context.ts";
import { chargeForStorage } from "../../issuer/limits/budget.ts";
import { newCredential, randomId } from "../../issuer/random.ts";
import { LockedError } from "../../issuer/records/change_errors.ts";
import { numericDate } from "../../issuer/time.ts";
import {
  type Client,
  keptSecrets,
  type RegisteredClient,
  type Registration,
  withIdentityOf,
} from "../../model/client.ts";
import { matchesHash, sha256 } from "../../util/crypto/hash.ts";
import { readClientMetadata } from "./client_metadata.ts";
import { registrationRules } from "./client_metadata_rules.ts";
import {
  type RegistrationAccess,
  unusedClientExpiration,
  withRegistration,
} from "./registration_access.ts";
import { metadataFor, offerToRegistered } from "./registration_offers.ts";
import { makeUntrustedClient } from "./untrusted_client.ts";

/** What a registration returns to the client. */
export interface RegistrationResult extends RegistrationAccess {
  /** Only if a new secret was created. */
  secret?: string | undefined;
}

/** The metadata of a new client, and whether it showed the initial access token. */
export interface RegistrationInput {
  metadata: unknown;
  initialAccess: boolean;
}

/** What a client cannot choose when it registers. */
interface RegistrationIdentity {
  id: string;
  registration: Omit<Registration, "metadata">;
}

/** A registered client, and its secret if one was created. */
interface CreatedClient {
  client: RegisteredClient;
  secret?: string | undefined;
}

/** Registers a client (RFC 7591, section 3). */
export async function registerClient(
  ctx: RequestContext,
  { metadata, initialAccess }: RegistrationInput,
): Promise<RegistrationResult> {
  const id = await ctx.chooseCredential?.("client_id", undefined) ?? randomId(ctx);
  const token = await newCredential(ctx, "registration_access_token", id);
  const identity: RegistrationIdentity = {
    id,
    registration: {
      tokenHash: await sha256(token),
      issuedAt: numericDate(ctx),
      ...initialAccess && { initialAccess },
    },
  };
  const created = await createClient(ctx, identity, metadata);
  const { secret } = created;
  const client = { ...created.client, ...newIdentity(ctx) };
  await ctx.records.clients.put(client.id, client, unusedClientExpiration(ctx));
  ctx.emit({ type: "client.registered", client: client.id });
  return { client, token, secret };
}

/** Replaces the metadata of a client. Members that it omits are deleted (RFC 7592, section 2.2). */
export async function replaceRegistration(
  ctx: RequestContext,
  { client: { id }, token }: RegistrationAccess,
  metadata: unknown,
): Promise<RegistrationResult> {
  return await withRegistration(ctx, id, async (before, row) => {
    await checkIdentity(ctx, before, metadata);
    const identity = { id, registration: before.registration };
    const created = await createClient(ctx, identity, metadata);
    const kept = keptSecrets(before, created.client);
    const client = withIdentityOf(before, { ...created.client, ...kept && { secrets: kept } });
    if (!await ctx.records.clients.replace(id, row, client)) throw new LockedError();
    ctx.emit({ type: "client.changed", client: id });
    return { client, token, secret: kept ? undefined : created.secret };
  });
}

/**
 * Deletes a client. Everything issued to it stops working at once, because every use looks the
 * client up (RFC 7592, section 2.3).
 */
export async function deleteRegistration(
  ctx: Context,
  { client: { id } }: RegistrationAccess,
): Promise<void> {
  await withRegistration(ctx, id, () => ctx.records.clients.delete(id));
  ctx.emit({ type: "client.deleted", client: id });
}

/** Creates a client, with a secret if its authentication method needs one. */
async function createClient(
  ctx: RequestContext,
  { id, registration }: RegistrationIdentity,
  requestedMetadata: unknown,
): Promise<CreatedClient> {
  const offer = offerToRegistered(ctx, registration);
  const metadata = readClientMetadata(ctx.apply, requestedMetadata, metadataFor(ctx, offer));
  const hasSecret = String(metadata.token_endpoint_auth_method).startsWith("client_secret_");
  const secret = hasSecret ? await newCredential(ctx, "client_secret", id) : undefined;
  const payer = ctx.fetchBudgets.lookup(ctx.sender);
  const client = await makeUntrustedClient(ctx, { id, secret, offer }, metadata, payer);
  const registered = { ...client, registration: { ...registration, metadata } };
  if (offer.level === "untrusted") chargeForStorage(ctx, registered);
  return { client: registered, secret };
}

/** A client cannot change its id or choose its secret (RFC 7592, section 2.2). */
async function checkIdentity(
  ctx: Context,
  { id, secrets: [issued] }: Client,
  metadata: unknown,
): Promise<void> {
  const sent: Record<string, unknown> = Object(metadata);
  ctx.apply(registrationRules.same_id, { came: sent.client_id, expected: id });
  const secret = sent.client_secret ?? undefined;
  if (secret === undefined) return;
  const isKept = typeof secret === "string" && await matchesHash(secret, issued?.hash);
  ctx.apply(registrationRules.same_secret, { isKept });
}
