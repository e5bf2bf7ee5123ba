import type { Client } from "../../model/client.ts";
import { type ClientSource, featuresOf } from "../active_features.ts";
import type { Context } from "../context.ts";

/** Returns the feature that a client comes from which described itself. */
export function sourceOf(ctx: Context, client: Client): ClientSource | undefined {
  return featuresOf(ctx).clientSources.find((source) => source.isSourceOf(client));
}

/** Asks each source for a client, until one has it. What it returns must come from there. */
export async function findInSources(
  ctx: Context,
  ask: (source: ClientSource) => Promise<Client | undefined> | undefined,
): Promise<Client | undefined> {
  for (const source of featuresOf(ctx).clientSources) {
    const client = await ask(source);
    if (client && source.isSourceOf(client)) return client;
  }
  return undefined;
}

/** Returns why a source could not read a client. */
export function sourceProblem(ctx: Context, id: string): string | undefined {
  const problems = featuresOf(ctx).clientSources.map((source) => source.problemOf?.(ctx, id));
  return problems.find((problem) => problem !== undefined);
}

/** Lists the clients that are not among the stored ones. */
export async function listElsewhere(ctx: Context): Promise<Client[]> {
  const lists = featuresOf(ctx).clientSources.map((source) => source.list?.(ctx));
  return (await Promise.all(lists)).flatMap((clients = []) => clients);
}

/** Keeps a client for as long as anything that was issued to it may live. */
export async function keepClient(ctx: Context, client: Client, until: number): Promise<void> {
  await sourceOf(ctx, client)?.keep?.(ctx, client, until);
}

/** Notes that a client got tokens. */
export async function noteClientUse(ctx: Context, client: Client): Promise<void> {
  await sourceOf(ctx, client)?.noteUse?.(ctx, client);
}
