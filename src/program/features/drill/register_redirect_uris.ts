import { LabError } from "../../../lab/util/lab_error.ts";
import type { ClientConfig } from "../../../server/features.ts";
import { isObject } from "../../../server/util/text/json.ts";
import type { Invocation } from "../../command_line/command.ts";
import { askLab, refusalIn, runningLabOf } from "../../lab_client/running_lab.ts";
import { UsageError } from "../../terminal/exit_code.ts";

/**
 * Adds the redirect URIs of the command line to the demo clients of a running lab, as a lab does
 * that starts with them. Other clients have an owner, who lists their redirect URIs.
 */
export async function registerRedirectUris(running: Invocation): Promise<void> {
  const added = running.values.get("redirect-uri") ?? [];
  if (added.length === 0) return;
  const clients = await askLab(running, "/clients");
  if (!Array.isArray(clients)) throw new LabError(refusalIn(clients));
  const demo = (clients as ClientConfig[])
    .filter(({ id, redirectUris }) => id.startsWith("demo-") && redirectUris !== undefined);
  if (demo.length === 0) {
    throw new UsageError(
      `--redirect-uri is for the demo clients, and the lab at ${runningLabOf(running)} has none. ` +
        "Add the URI to the redirectUris of your client, on the page /lab/setup.",
    );
  }
  for (const client of demo) {
    const redirectUris = [...new Set([...client.redirectUris ?? [], ...added])];
    const path = `/clients/${encodeURIComponent(client.id)}`;
    const put = await askLab(running, path, { ...client, redirectUris }, { method: "PUT" });
    if (isObject(put) && put.error !== undefined) throw new LabError(refusalIn(put));
  }
}
