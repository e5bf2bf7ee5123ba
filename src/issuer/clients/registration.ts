import { readClientMetadata } from "../../config/client_metadata.ts";
import type { Client, RegisteredClient, Registration } from "../../model/client.ts";
import { registrationTrust } from "../../protocol/client_allowances.ts";
import { errorFactory, type OAuthError } from "../../protocol/oauth_error.ts";
import { matchesHash, sha256 } from "../../util/hash.ts";
import type { Context } from "../context.ts";
import type { ChargeFetch } from "../limits/fetch_budgets.ts";
import { chargeForStorage } from "../limits/stored_bytes.ts";
import { randomId, randomSecret } from "../random.ts";
import { withLock } from "../records/lock.ts";
import { after, numericDate } from "../time.ts";
import { type RegistrationAccess, registrationAccessDenied } from "./registration_access.ts";
import { makeUntrustedClient, metadataForLevel } from "./untrusted_client.ts";

const invalidClientMetadata = errorFactory("invalid_client_metadata", "RFC 7592, section 2.2");

/** What a client is told; its secret only when that is made. */
export interface RegistrationResult extends RegistrationAccess {
  secret?: string;
}

/** What a client says of itself, and whether it showed the initial access token. */
export interface RegistrationInput {
  metadata: unknown;
  initialAccess: boolean;
}

/** Makes a client known that nobody has written down (RFC 7591, section 3). */
export async function registerClient(
  ctx: Context,
  request: Request,
  { metadata, initialAccess }: RegistrationInput,
): Promise<RegistrationResult> {
  const token = randomSecret(ctx);
  const registration = {
    tokenHash: await sha256(token),
    issuedAt: numericDate(ctx),
    ...initialAccess && { initialAccess },
  };
  const { client, secret } = await makeClient(
    ctx,
    request,
    { id: randomId(ctx), registration },
    metadata,
  );
  await ctx.records.clients.put(client.id, client, unusedEnd(ctx));
  ctx.emit({ type: "client.registered", client: client.id });
  return { client, token, secret };
}

/** Replaces all that a client said of itself: what it leaves out is forgotten (RFC 7592, section 2.2). */
export async function replaceRegistration(
  ctx: Context,
  request: Request,
  { client: { id }, token }: RegistrationAccess,
  said: unknown,
): Promise<RegistrationResult> {
  return await withRegistration(ctx, id, async (before, expiresAt) => {
    await checkIdentity(before, said);
    const made = await makeClient(ctx, request, { id, registration: before.registration }, said);
    const { client, secret } = isServedBy(before, made.client)
      ? { client: keepSecret(made.client, before), secret: undefined }
      : made;
    await ctx.records.clients.put(id, client, expiresAt);
    ctx.emit({ type: "client.changed", client: id });
    return { client, token, secret };
  });
}

/** Takes a client out. Whatever was issued to it is void at once, because every use of it looks the client up (RFC 7592, section 2.3). */
export async function deleteRegistration(
  ctx: Context,
  { client: { id } }: RegistrationAccess,
): Promise<void> {
  await withRegistration(ctx, id, () => ctx.records.clients.delete(id));
  ctx.emit({ type: "client.deleted", client: id });
}

/** Lets a client that is used live on. It costs a write in half of the time that it has. */
export async function extendRegistration(
  ctx: Context,
  { id, registration }: Client,
): Promise<void> {
  if (!registration) return;
  const row = await ctx.records.clients.get(id);
  const isDue = row !== undefined &&
    row.expiresAt - ctx.now() < ctx.settings.lifetimes.unusedClient * 500;
  if (!isDue) return;
  // Where this fails it is done at the next use.
  await withRegistration(ctx, id, (client) => ctx.records.clients.put(id, client, unusedEnd(ctx)))
    .catch(() => {});
}

function unusedEnd(ctx: Context): number {
  return after(ctx, ctx.settings.lifetimes.unusedClient);
}

/** Works on the client as it is now, alone: of two changes at once neither brings back what the other one took out. */
async function withRegistration<T>(
  ctx: Context,
  id: string,
  act: (client: RegisteredClient, expiresAt: number) => Promise<T>,
): Promise<T> {
  return await withLock(ctx, `client ${id}`, async () => {
    const row = await ctx.records.clients.get(id);
    if (!row?.value.registration || row.value.disabled) throw registrationAccessDenied();
    return await act({ ...row.value, registration: row.value.registration }, row.expiresAt);
  });
}

/** Makes a client, with a secret if it is to have one. */
async function makeClient(
  ctx: Context,
  request: Request,
  { id, registration }: { id: string; registration: Omit<Registration, "metadata"> },
  said: unknown,
): Promise<{ client: RegisteredClient; secret?: string }> {
  const level = registrationTrust(registration.initialAccess ?? false, ctx.settings.allowances);
  const metadata = readClientMetadata(said, metadataForLevel(ctx, level));
  const hasSecret = String(metadata.token_endpoint_auth_method).startsWith("client_secret_");
  const secret = hasSecret ? randomSecret(ctx) : undefined;
  const pay: ChargeFetch = (url) => ctx.fetchBudgets.chargeLookup(url, ctx.addressOf(request));
  const client = await makeUntrustedClient(ctx, { id, secret, level }, metadata, pay);
  const registered = { ...client, registration: { ...registration, metadata } };
  if (level === "untrusted") chargeForStorage(ctx, request, registered);
  return { client: registered, secret };
}

/** Whether the secret that a client has will do for what it has become. */
function isServedBy(before: Client, made: Client): boolean {
  return made.secretHash !== undefined && before.secretHash !== undefined &&
    (made.encryptedSecret === undefined || before.encryptedSecret !== undefined);
}

function keepSecret(
  made: RegisteredClient,
  { secretHash, encryptedSecret }: Client,
): RegisteredClient {
  return { ...made, secretHash, encryptedSecret: made.encryptedSecret && encryptedSecret };
}

/** Who the client is stays as it is, and so does its secret (RFC 7592, section 2.2). */
async function checkIdentity({ id, secretHash }: Client, said: unknown): Promise<void> {
  const { client_id, client_secret } = Object(said) as {
    client_id?: unknown;
    client_secret?: unknown;
  };
  if (client_id !== id) {
    throw identityMismatch("The client_id must be there, and be the one that was registered.");
  }
  if (client_secret === undefined || client_secret === null) return;
  if (typeof client_secret === "string" && await matchesHash(client_secret, secretHash)) return;
  throw identityMismatch(
    "The client_secret is not the one that was given out; a client cannot choose its own.",
  );
}

function identityMismatch(message: string): OAuthError {
  return invalidClientMetadata(message);
}
