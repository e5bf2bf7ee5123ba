import { grantTypesOf } from "../../../server/config/make_client.ts";
import type { ClientConfig } from "../../../server/features.ts";
import { minute } from "../../../server/util/time/duration.ts";
import { roleProblem, roleRequest } from "../../client_role/role_request.ts";
import { findEndpointUrl, supportsGrant } from "../../dialect/lab_endpoints.ts";
import { deviceCommand } from "../../features/device/pages.tsx";
import { shellQuote, toCurl } from "../../flows/curl.ts";
import type { ClientCommand, CommandSource, MakeCommand } from "./client_command.ts";

const assertionLifetime = 5 * minute;

/** The commands that there are; each is for some clients. */
const commands: readonly MakeCommand[] = [
  serviceCommand,
  deviceCommand,
];

/** Returns the commands of a client that needs no browser on its device. */
export async function commandsOf(
  source: CommandSource,
  client: ClientConfig,
): Promise<ClientCommand[]> {
  return (await Promise.all(commands.map((make) => make(source, client)))).flat();
}

async function serviceCommand(
  source: CommandSource,
  client: ClientConfig,
): Promise<ClientCommand[]> {
  const grant = "client_credentials";
  if (!grantTypesOf(client).includes(grant) || !supportsGrant(source, grant)) return [];
  const url = findEndpointUrl(source, "token_endpoint");
  if (url === undefined || roleProblem(client) !== undefined) return [];
  const what = "Get a token";
  if (client.secret !== undefined) return [{ what, text: secretCommand(url, client) }];
  const request = await roleRequest(source, client, {
    endpoint: "token_endpoint",
    members: { grant_type: grant },
    usesDpop: client.dpop === "required",
    assertionLifetime,
  });
  const text = toCurl({ ...request, body: request.form.toString() });
  return [{
    what,
    text,
    note: "The assertion works once, for five minutes: then load this page again.",
  }];
}

function secretCommand(url: string, { id, secret = "" }: ClientConfig): string {
  const user = [id, secret].map(encodeURIComponent).join(":");
  return `curl ${shellQuote(url)} \\\n  -u ${
    shellQuote(user)
  } \\\n  -d grant_type=client_credentials`;
}
