import { isLoopbackHost } from "../../server/util/addresses/uri.ts";
import { type Invocation, valueOf } from "../command_line/command.ts";
import { ownName } from "../terminal/own_name.ts";
import { isLoopback } from "./exposure.ts";
import { type OperatedServer, operationWarnings } from "./operation_warnings.ts";
import type { RunningServer } from "./start_server.ts";

const advice = `Run ${ownName()} doctor for a configuration that works.`;

/** Returns what an operator should know when a server for real use starts. */
export async function startWarnings(
  invocation: Invocation,
  running: RunningServer,
  inContainer: boolean,
): Promise<string[]> {
  const { settings } = running.server.context;
  const reach = reachWarnings(invocation, running, inContainer);
  const found = await operationWarnings(operationOf(invocation, running, inContainer));
  return [...reach, ...found.map(({ message }) => message), ...speedWarnings(settings.alg)];
}

function operationOf(
  { values }: Invocation,
  { server, address, hostname, metricsHost }: RunningServer,
  inContainer: boolean,
): OperatedServer {
  const { context } = server;
  const { port, protocol } = new URL(address);
  return {
    ctx: context,
    isStoreInMemory: (values.get("store")?.at(-1) ?? context.settings.store.name) === "memory",
    port: Number(port),
    hasTls: protocol === "https:",
    host: hostname,
    metricsHost,
    inContainer,
  };
}

function speedWarnings(alg: string): string[] {
  if (!("Deno" in globalThis) || alg === "EdDSA") return [];
  return [
    `On Deno, ${alg} signs many times slower than EdDSA. If your clients support it, use ` +
    "--alg EdDSA, and idTokenAlg for ID tokens.",
  ];
}

/**
 * Returns a warning of addresses that others cannot reach, the most frequent question about servers
 * like this one.
 */
export function reachWarnings(
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
