import { isLoopbackHost } from "../util/loopback.ts";
import { type Invocation, valueOf } from "./command.ts";
import { isLoopback } from "./doctor/deployment.ts";
import type { RunningServer } from "./start_server.ts";

/** What the operator of a server should know, said once at the start. */
export function warnings(
  invocation: Invocation,
  server: RunningServer,
  inContainer: boolean,
): string[] {
  return [
    ...ofReach(invocation, server, inContainer),
    ...invocation.command === "serve" ? ofServing(invocation, server) : [],
  ];
}

/** Where the issuer is this machine, a port that differs is more likely a slip than a proxy. */
export function ofPort(issuer: string, port: number): string[] {
  const url = new URL(issuer);
  const expected = Number(url.port) || (url.protocol === "https:" ? 443 : 80);
  // A port that is still to be picked is not known.
  if (!isLoopbackHost(url.hostname) || port === expected || port === 0) return [];
  return [
    `The issuer is ${issuer}, and the server listens on port ${port}: clients find nothing at the issuer, ` +
    "unless a proxy on this machine passes their requests on. Otherwise give both the same port.",
  ];
}

/** Somebody can reach the server and not what it tells them, or cannot reach it at all: what most is asked about servers like this one. */
function ofReach(
  invocation: Invocation,
  { hostname, server }: RunningServer,
  inContainer: boolean,
): string[] {
  const { backChannelUrl } = server.context.settings;
  const remedy = "hallpass doctor prints the configuration that works.";
  if (isLoopbackHost(hostname)) {
    // A free port is for those beside it: nobody can publish what nobody knows.
    return inContainer && valueOf(invocation, "port") !== "0"
      ? [
        `It listens on ${hostname} of a container: nothing outside of this container gets through. ${remedy}`,
      ]
      : [];
  }
  if (!isLoopback(backChannelUrl)) return [];
  return [
    `It listens on ${hostname} and tells applications to ask ${backChannelUrl}, where one in another container finds itself. ${remedy}`,
  ];
}

function ofServing({ values }: Invocation, { server, address }: RunningServer): string[] {
  const { secret, alg, store, clients, issuer, trustedProxies } = server.context.settings;
  const isMemory = (values.get("store")?.at(-1) ?? store.name) === "memory";
  return [
    ...ofPort(issuer, Number(new URL(address).port)),
    ...isMemory
      ? [
        "The store is this process's memory: a restart forgets everything. Use --store sqlite:PATH.",
      ]
      : [],
    ...!isMemory && !secret
      ? [
        "The store holds the signing keys in the clear. Set HALLPASS_SECRET to seal them: openssl rand -base64 32",
      ]
      : [],
    ..."Deno" in globalThis && alg !== "EdDSA"
      ? [
        `On Deno, ${alg} signs many times slower than EdDSA; where your clients allow it, use --alg EdDSA, and idTokenAlg for ID tokens.`,
      ]
      : [],
    ...issuer.startsWith("https:") && address.startsWith("http:") && trustedProxies.length === 0
      ? [
        "The issuer is https and this process is not: if a proxy stands in front, name its IP address in 'trustedProxies', or everyone counts as one sender.",
      ]
      : [],
    ...clients.size === 0 ? ["The configuration has no clients."] : [],
  ];
}
