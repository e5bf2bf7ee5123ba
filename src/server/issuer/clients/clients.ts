import type { ClientKind } from "../../config/events.ts";
import {
  type Client,
  type ClientReference,
  describesItself,
  refersTo,
} from "../../model/client.ts";
import { clientRules, type NamedClient } from "../../protocol/client_rules.ts";
import { resourceRules } from "../../protocol/resource.ts";
import { requireValue } from "../../protocol/rule.ts";
import { isPromise } from "../../util/time/promises.ts";
import { featuresOf } from "../active_features.ts";
import type { Context, RequestContext } from "../context.ts";
import { randomId } from "../random.ts";
import { currentClient, storedClientProblems, withCurrentDefaults } from "./stored_clients.ts";

/**
 * Finds the client of a token, a session or anything else that already exists. It never fetches an
 * unknown document: what others look up must not matter here.
 */
export function findClient(
  ctx: Context,
  id: string,
): Client | undefined | Promise<Client | undefined> {
  const own = findOwnClient(ctx, id);
  if (!isPromise(own)) return enabledClient(ctx, own);
  return own.then(async (stored) => enabledClient(ctx, stored ?? await findElsewhere(ctx, id)));
}

/**
 * Finds the client that something was issued to, unless the client was disabled, removed or
 * replaced since.
 */
export function findReferredClient(
  ctx: Context,
  reference: ClientReference,
): Client | undefined | Promise<Client | undefined> {
  const found = featuresOf(ctx).workloadClients?.findReferred(ctx, reference) ??
    findClient(ctx, reference.clientId);
  const referred = (client: Client | undefined) =>
    client && refersTo(reference, client) ? client : undefined;
  return isPromise(found) ? found.then(referred) : referred(found);
}

/** Finds the client that a request names. Fetching an unknown document costs its sender's budget. */
export async function lookUpClient(ctx: RequestContext, id: string): Promise<Client | undefined> {
  const { documentClients } = featuresOf(ctx);
  const client = await findOwnClient(ctx, id) ??
    described(isNamedAudience(ctx, id) ? undefined : await documentClients?.lookUp(ctx, id));
  if (client) noteClient(ctx, client);
  return enabledClient(ctx, client);
}

/** Finds the client that a request names, which must exist. */
export async function requireClient(ctx: RequestContext, id: string): Promise<Client> {
  const client = await lookUpClient(ctx, id);
  return requireValue(ctx.apply, clientRules.known, namedClient(ctx, id, client), client);
}

/** Gathers what a rule says about the client that a request names. */
export function namedClient(
  ctx: Context,
  clientId: string,
  client: Client | undefined,
): NamedClient {
  const documentProblem = client
    ? undefined
    : featuresOf(ctx).documentClients?.problemOf(ctx, clientId);
  return { clientId, client, documentProblem, configured: ctx.settings.clients.list() };
}

/** Notes the client of the current request, for its events. */
export function noteClient(ctx: RequestContext, client: Client): void {
  ctx.note({ client: client.id, clientKind: kindOf(ctx, client) });
}

function kindOf({ settings }: Context, { id, registration, document }: Client): ClientKind {
  if (settings.clients.has(id)) return "configured";
  if (registration) return "registered";
  return document ? "document" : "stored";
}

/** Creates the values that distinguish a client from an earlier one with the same id. */
export function newIdentity(ctx: Context): { instance: string; epoch: string } {
  return { instance: randomId(ctx), epoch: randomId(ctx) };
}

/** Disables a client. What was issued to it stays ended, even if it is enabled again. */
export function disabledClient<T extends Client>(ctx: Context, client: T): T {
  return { ...client, disabled: true, epoch: randomId(ctx) };
}

/**
 * Finds a configured, registered or stored client: a configured one at once, if it was needed
 * before. A resource of the configuration is never a client, even if one was stored under that name
 * before.
 */
function findOwnClient(
  ctx: Context,
  id: string,
): Client | undefined | Promise<Client | undefined> {
  const configured = ctx.settings.clients.get(id);
  return configured || isNamedAudience(ctx, id) ? configured : findStoredClient(ctx, id);
}

async function findStoredClient(ctx: Context, id: string): Promise<Client | undefined> {
  const stored = await ctx.records.clients.find(id);
  if (!stored) return undefined;
  const client = withCurrentDefaults(ctx.settings, stored);
  // The profile may be newer than the client, for which no document of the same id may step in.
  const hasProblem = storedClientProblems(ctx.settings, client).length > 0;
  return hasProblem ? { ...client, disabled: true } : client;
}

/** Finds a client that only features know: a workload, or one with a metadata document. */
async function findElsewhere(ctx: Context, id: string): Promise<Client | undefined> {
  if (isNamedAudience(ctx, id)) return undefined;
  const { workloadClients, documentClients } = featuresOf(ctx);
  return workloadClients?.find(ctx, id) ?? described(await documentClients?.find(ctx, id));
}

/** Returns a client with its document: without it, nothing would confine the client. */
function described(client: Client | undefined): Client | undefined {
  return client?.document ? client : undefined;
}

function enabledClient(ctx: Context, client: Client | undefined): Client | undefined {
  const confined = client && describesItself(client) ? currentClient(ctx, client) : client;
  if (!confined || confined.disabled) return undefined;
  // The server may require it only since the client was made.
  return ctx.settings.requirePar ? { ...confined, requirePar: true } : confined;
}

/**
 * Whether the configuration names an audience. Such an audience can never be the id of a client.
 */
export function isNamedAudience({ settings }: Context, audience: string): boolean {
  const { issuer, defaultResource, resources } = settings;
  return audience === issuer || audience === defaultResource ||
    (resources !== "any" && resources.only.some(({ uri }) => uri === audience));
}

/**
 * Checks that no audience is the id of a client: to that client, an access token could look like an
 * ID token.
 */
export function checkNoClientId(
  ctx: Context,
  audiences: readonly string[],
): void | Promise<void> {
  const check = (isClient: boolean) => ctx.apply(resourceRules.no_client, { isClient });
  return audiences.length > 0 ? containsClientId(ctx, audiences).then(check) : check(false);
}

/** Whether an audience is the id of a client, even a disabled one. Fetches nothing. */
export async function containsClientId(
  ctx: Context,
  audiences: readonly string[],
): Promise<boolean> {
  const { settings, records } = ctx;
  for (const id of audiences.filter((each) => !isNamedAudience(ctx, each))) {
    if (settings.clients.has(id) || await records.clients.get(id)) return true;
    if (await featuresOf(ctx).documentClients?.knows(ctx, id)) return true;
  }
  return false;
}
