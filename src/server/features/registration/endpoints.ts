import { pathBelow } from "../../config/endpoint_paths.ts";
import { readJson } from "../../http/incoming_request.ts";
import { emptyResponse, jsonResponse } from "../../http/response.ts";
import type { ResponseData } from "../../http/response_data.ts";
import { newIdentity } from "../../issuer/clients/clients.ts";
import { type Context, endpointUrl, type RequestContext } from "../../issuer/context.ts";
import { chargeForStorage } from "../../issuer/limits/budget.ts";
import { aboutLimits, limit, limitExceeded } from "../../issuer/limits/limit_rules.ts";
import { newCredential, randomId } from "../../issuer/random.ts";
import { LockedError, withLock } from "../../issuer/records/lock.ts";
import { fromNow, numericDate } from "../../issuer/time.ts";
import {
  type Client,
  keptSecrets,
  type RegisteredClient,
  type Registration,
  withIdentityOf,
} from "../../model/client.ts";
import { readPresentedToken } from "../../protocol/presented_token.ts";
import { requireValue, ruleSet } from "../../protocol/rule.ts";
import type { Row } from "../../store/store.ts";
import { matchesHash, sha256 } from "../../util/crypto/hash.ts";
import { readClientMetadata } from "./client_metadata.ts";
import { registrationRules } from "./client_metadata_rules.ts";
import { metadataFor, offerToRegistered, registrationParts } from "./registration_offers.ts";
import { policyOf } from "./registration_policy.ts";
import { makeUntrustedClient } from "./untrusted_client.ts";

/** A client with the token that manages its registration, and its secret if that is new. */
interface ManagedClient {
  client: RegisteredClient;
  token: string;
  secret?: string | undefined;
}

const limits = ruleSet("limit", aboutLimits, {
  registrations: {
    ...limit,
    title: "A network must not register too many clients in a minute",
    message: "Too many registrations; try again in a minute.",
  },
});

const about = { parameter: "Authorization", error: "invalid_token" } as const;

/** The challenge names no error if the request had no token (RFC 6750, section 3.1). */
const present = {
  details: { challenges: [{ scheme: "Bearer", namesError: false }] },
  holds: (token: string | undefined) => token !== undefined,
} as const;

const right = {
  details: { challenges: [{ scheme: "Bearer", namesError: true }] },
  holds: (isRight: boolean) => isRight,
} as const;

const initialAccess = ruleSet("initial_access", { ...about, see: "RFC 7591, section 3" }, {
  present: {
    ...present,
    title: "The request must have the initial access token, as a Bearer token",
    fix: "Send the initial access token of this server's configuration.",
  },
  right: {
    ...right,
    title: "The initial access token must be the one of this server's configuration",
  },
});

const access = ruleSet("registration_access", { ...about, see: "RFC 7592, section 3" }, {
  present: {
    ...present,
    title: "The request must have the registration_access_token of the client, as a Bearer token",
  },
  // One rule for a client that does not exist and for a wrong token.
  right: {
    ...right,
    title: "The registration must exist, and the registration_access_token must belong to it",
  },
});

/** Registers a client (RFC 7591, section 3). */
export async function register(ctx: RequestContext): Promise<ResponseData> {
  const { initialAccessToken } = policyOf(ctx.settings);
  const hasAccess = initialAccessToken !== undefined;
  if (hasAccess) {
    const given = readToken(ctx, initialAccess);
    ctx.apply(initialAccess.right, await matchesHash(given, await sha256(initialAccessToken)));
  }
  charge(ctx);
  const metadata = await readJson(ctx);
  const id = await ctx.hooks.chooseCredential?.("client_id", undefined) ?? randomId(ctx);
  const token = await newCredential(ctx, "registration_access_token", id);
  const registration = { tokenHash: await sha256(token), issuedAt: numericDate(ctx) };
  const made = await makeClient(ctx, id, metadata, {
    ...registration,
    ...hasAccess && { initialAccess: true },
  });
  const client = { ...made.client, ...newIdentity(ctx) };
  await ctx.records.clients.put(id, client, expiration(ctx));
  ctx.emit({ type: "client.registered", client: id });
  return jsonResponse(describe(ctx, { ...made, client, token }), 201);
}

/** Shows a client its registration (RFC 7592, section 2.1). */
export async function showRegistration(ctx: RequestContext, id: string): Promise<ResponseData> {
  return jsonResponse(describe(ctx, await findByToken(ctx, id)));
}

/** Replaces the metadata of a client. Members that it omits are deleted (RFC 7592, section 2.2). */
export async function changeRegistration(ctx: RequestContext, id: string): Promise<ResponseData> {
  const { token } = await findByToken(ctx, id);
  charge(ctx);
  const metadata = await readJson(ctx);
  return await withRegistration(ctx, id, async (before, row) => {
    await checkIdentity(ctx, before, metadata);
    const made = await makeClient(ctx, id, metadata, before.registration);
    const kept = keptSecrets(before, made.client);
    const client = withIdentityOf(before, { ...made.client, ...kept && { secrets: kept } });
    if (!await ctx.records.clients.replace(id, row, client)) throw new LockedError();
    ctx.emit({ type: "client.changed", client: id });
    return jsonResponse(describe(ctx, { client, token, secret: kept ? undefined : made.secret }));
  });
}

/**
 * Deletes a client. Everything issued to it stops working at once, because every use looks the
 * client up (RFC 7592, section 2.3).
 */
export async function endRegistration(ctx: RequestContext, id: string): Promise<ResponseData> {
  await findByToken(ctx, id);
  await withRegistration(ctx, id, () => ctx.records.clients.delete(id));
  ctx.emit({ type: "client.deleted", client: id });
  return emptyResponse(204);
}

/** Extends the life of a client that is in use. It writes only once half of the time has passed. */
export async function extendRegistration(ctx: Context, client: Client): Promise<void> {
  if (!client.registration) return;
  const row = await ctx.records.clients.get(client.id);
  const halfLife = registrationParts(ctx).unusedClient * 1000 / 2;
  if (!row || row.expiresAt - ctx.now() >= halfLife) return;
  // If this fails, the next use tries again.
  await withRegistration(
    ctx,
    client.id,
    (found, row) => ctx.records.clients.replace(found.id, row, found, expiration(ctx)),
  ).catch(() => {});
}

/** Each registration may fetch a document: no sender may keep us busy with it. */
function charge(ctx: RequestContext): void {
  if (registrationParts(ctx).budget.take(ctx.sender ?? "unknown")) return;
  throw limitExceeded(limits.registrations);
}

/** Makes a client, with a secret if its authentication method needs one. */
async function makeClient(
  ctx: RequestContext,
  id: string,
  requested: unknown,
  registration: Omit<Registration, "metadata">,
): Promise<Omit<ManagedClient, "token">> {
  const offer = offerToRegistered(ctx, registration.initialAccess);
  const metadata = readClientMetadata(ctx.apply, requested, offer, metadataFor(ctx, offer));
  const hasSecret = String(metadata.token_endpoint_auth_method).startsWith("client_secret_");
  const secret = hasSecret ? await newCredential(ctx, "client_secret", id) : undefined;
  const payer = ctx.limits.fetches.lookup(ctx.sender);
  const made = await makeUntrustedClient(ctx, { id, secret, offer }, metadata, payer);
  const client = { ...made, registration: { ...registration, metadata } };
  if (offer.level === "untrusted") chargeForStorage(ctx, client);
  return { client, secret };
}

/** A client cannot change its id or choose its secret (RFC 7592, section 2.2). */
async function checkIdentity(ctx: Context, { id, secrets: [issued] }: Client, metadata: unknown) {
  const sent: Record<string, unknown> = Object(metadata);
  ctx.apply(registrationRules.same_id, { received: sent.client_id, expected: id });
  const secret = sent.client_secret ?? undefined;
  if (secret === undefined) return;
  const isKept = typeof secret === "string" && await matchesHash(secret, issued?.hash);
  ctx.apply(registrationRules.same_secret, { isKept });
}

/** All that a client has to know (RFC 7591, section 3.2.1; RFC 7592, section 3). */
function describe(ctx: Context, { client, token, secret }: ManagedClient): object {
  const { id, registration: { issuedAt, metadata } } = client;
  return {
    client_id: id,
    client_id_issued_at: issuedAt,
    client_secret: secret,
    client_secret_expires_at: client.secrets.length === 0 ? undefined : 0,
    registration_access_token: token,
    registration_client_uri: pathBelow(endpointUrl(ctx, "registration_endpoint"), id),
    ...metadata,
    // What the profile adds is registered as well.
    ...client.dpop === "required" && { dpop_bound_access_tokens: true },
    ...client.requirePar && { require_pushed_authorization_requests: true },
  };
}

/**
 * Finds a client by its token, which is valid for that client only (RFC 7592, section 2). It does
 * the same work whether the client is unknown or the token is wrong. Attempts are not counted: 256
 * bits cannot be guessed, and a limit would only help to lock clients out.
 */
async function findByToken(ctx: RequestContext, id: string): Promise<ManagedClient> {
  const client = registered(await ctx.records.clients.find(id));
  const token = readToken(ctx, access);
  const isRight = await matchesHash(token, client?.registration.tokenHash);
  return { client: requireValue(ctx.apply, access.right, isRight, client), token };
}

/** Works on the client as it is now, under a lock: two changes at once must not undo each other. */
async function withRegistration<T>(
  ctx: Context,
  id: string,
  act: (client: RegisteredClient, row: Row<Client>) => Promise<T>,
): Promise<T> {
  return await withLock(ctx, `client ${id}`, async () => {
    const row = await ctx.records.clients.get(id);
    const client = registered(row?.value);
    const found = row && client && { row, client };
    const known = requireValue(ctx.apply, access.right, found !== undefined, found);
    return await act(known.client, known.row);
  });
}

/** Returns a client that manages its registration, unless it is disabled. */
function registered(client: Client | undefined): RegisteredClient | undefined {
  if (!client?.registration || client.disabled) return undefined;
  return { ...client, registration: client.registration };
}

function expiration(ctx: Context): number {
  return fromNow(ctx, registrationParts(ctx).unusedClient);
}

/** Reads the token of a request, which must be a Bearer token. */
function readToken(ctx: RequestContext, rules: typeof access | typeof initialAccess): string {
  const authorization = ctx.request.headers.get("Authorization");
  const isBearer = /^Bearer /i.test(authorization ?? "");
  ctx.apply(rules.present, isBearer ? "sent" : undefined);
  const policy = { schemes: ["Bearer"] as const, algs: [] };
  return readPresentedToken(ctx.apply, authorization, undefined, policy).token;
}
