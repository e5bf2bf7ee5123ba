import { findOtherIssuer } from "../../administration/store_issuer.ts";
import { type DirectoryCounts, readConfigured } from "./directory.ts";
import { findWarnings } from "./operation_warnings.ts";
import type { RunningServer } from "./start_server.ts";

/**
 * Returns what an operator should know when a server for real use starts. What needs all clients
 * and users of the store is for `check`.
 */
export async function startWarnings(
  { server: { context }, site }: Pick<RunningServer, "server" | "site">,
  counts: DirectoryCounts,
): Promise<string[]> {
  const { clients, users } = context.settings;
  const isWhole = clients.size === counts.clients && users.size === counts.users;
  const found = findWarnings({
    site,
    settings: context.settings,
    encryption: context.encryption,
    started: { onDeno: "Deno" in globalThis },
    counts,
    directory: isWhole ? await readConfigured(context) : undefined,
    otherIssuer: await findOtherIssuer(context),
  });
  return found.map(({ message }) => message);
}
