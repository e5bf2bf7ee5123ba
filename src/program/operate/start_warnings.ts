import { findOtherIssuer } from "../../server/issuer/admin/store_issuer.ts";
import type { ServerDirectory } from "./directory.ts";
import { findWarnings } from "./operation_warnings.ts";
import type { RunningServer } from "./start_server.ts";

/** Returns what an operator should know when a server for real use starts. */
export async function startWarnings(
  { server: { context }, site }: Pick<RunningServer, "server" | "site">,
  directory: ServerDirectory,
): Promise<string[]> {
  const found = findWarnings({
    site,
    settings: context.settings,
    started: { onDeno: "Deno" in globalThis },
    directory,
    otherIssuer: await findOtherIssuer(context),
  });
  return found.map(({ message }) => message);
}
