import { unopenedClaimWarnings } from "../config/unopened_claims.ts";
import { listUsers } from "../issuer/admin/directory_entries.ts";
import type { Context } from "../issuer/context.ts";
import { isDemoUser } from "../lab/demo/demo_users.ts";
import { isLoopbackHost } from "../util/uri.ts";
import { type Invocation, valueOf } from "./command.ts";
import { isLoopback } from "./doctor/deployment.ts";
import { ownName } from "./own_name.ts";
import type { RunningServer } from "./start_server.ts";

const advice = `Run ${ownName()} doctor for a configuration that works.`;

/** Returns what an operator should know when a server starts. */
export async function warnings(
  invocation: Invocation,
  running: RunningServer,
  inContainer: boolean,
): Promise<string[]> {
  const generalWarnings = [
    ...reachWarnings(invocation, running, inContainer),
    ...await claimWarnings(running.server.context),
  ];
  return invocation.command === "serve"
    ? [...generalWarnings, ...operationWarnings(invocation, running)]
    : generalWarnings;
}

/** Warns of claims of users that no client can receive. */
export async function claimWarnings(ctx: Context): Promise<string[]> {
  const users = (await listUsers(ctx)).map(({ value }) => value);
  const clients = (await ctx.records.clients.list()).map(([, client]) => client);
  return unopenedClaimWarnings(ctx.settings, clients, users.filter((user) => !isDemoUser(user)));
}

/** Warns of a loopback issuer with another port, which is more often a mistake than a proxy. */
export function portWarnings(issuer: string, port: number): string[] {
  const url = new URL(issuer);
  const expected = Number(url.port) || (url.protocol === "https:" ? 443 : 80);
  const isFree = port === 0;
  if (!isLoopbackHost(url.hostname) || port === expected || isFree) return [];
  return [
    `The issuer is ${issuer}, but the server listens on port ${port}. Clients can't find it there ` +
    "unless a proxy on this machine forwards their requests. Otherwise, use the same port for " +
    "both.",
  ];
}

/**
 * Warns of addresses that others cannot reach, the most frequent question about servers like this
 * one.
 */
function reachWarnings(
  invocation: Invocation,
  { hostname, server }: RunningServer,
  inContainer: boolean,
): string[] {
  const { backChannelUrl } = server.context.settings;
  if (!isLoopbackHost(hostname)) {
    return isLoopback(backChannelUrl) ? [selfReferenceWarning(hostname, backChannelUrl)] : [];
  }
  // A port that was picked at random cannot be published: only neighbours in the container use it.
  const isFree = valueOf(invocation, "port") === "0";
  if (!inContainer || isFree) return [];
  return [
    `On ${hostname} inside a container, only that container reaches the server. ${advice}`,
  ];
}

function selfReferenceWarning(hostname: string, backChannelUrl: string): string {
  return `The server listens on ${hostname}, but sends applications to ${backChannelUrl}. In ` +
    `another container, that is the container itself. ${advice}`;
}

function operationWarnings({ values }: Invocation, { server, address }: RunningServer): string[] {
  const { secret, alg, store, clients, issuer, trustedProxies } = server.context.settings;
  const isMemory = (values.get("store")?.at(-1) ?? store.name) === "memory";
  const isBehindProxy = issuer.startsWith("https:") && address.startsWith("http:");
  const messages = portWarnings(issuer, Number(new URL(address).port));
  if (isMemory) {
    messages.push(
      "The store is in memory: a restart loses everything. Use --store sqlite:PATH, or " +
        "postgres://HOST/DATABASE or redis://HOST:PORT for several servers.",
    );
  }
  messages.push(...store.warnings ?? []);
  if (!isMemory && !secret) {
    messages.push(
      "The signing keys in the store are not encrypted. Set HALLPASS_SECRET to encrypt them: " +
        "openssl rand -base64 32",
    );
  }
  if ("Deno" in globalThis && alg !== "EdDSA") {
    messages.push(
      `On Deno, ${alg} signs many times slower than EdDSA. If your clients support it, use ` +
        "--alg EdDSA, and idTokenAlg for ID tokens.",
    );
  }
  if (isBehindProxy && trustedProxies.length === 0) {
    messages.push(
      "The issuer uses https, but this process does not. If a proxy is in front of it, add the " +
        "proxy's IP address to 'trustedProxies'; otherwise everyone counts as one sender.",
    );
  }
  if (clients.size === 0) messages.push("The configuration has no clients.");
  return messages;
}
