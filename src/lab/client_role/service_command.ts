import { grantTypesOf } from "../../server/config/make_client.ts";
import type { ClientConfig } from "../../server/features.ts";
import { shellQuote } from "../../server/util/text/shell_quote.ts";
import { minute } from "../../server/util/time/duration.ts";
import { findEndpointUrl, supportsGrant } from "../dialect/lab_endpoints.ts";
import { type ClientCommand, type CommandSource, toCurl } from "../flows/curl.ts";
import { roleProblem, roleRequest } from "./role_request.ts";

const assertionLifetime = 5 * minute;

/** Returns the command by which a service gets a token for itself. */
export async function serviceCommand(
  source: CommandSource,
  client: ClientConfig,
): Promise<ClientCommand[]> {
  const grant = "client_credentials";
  if (!grantTypesOf(client).includes(grant) || !supportsGrant(source, grant)) return [];
  const url = findEndpointUrl(source, "token_endpoint");
  if (url === undefined || roleProblem(client) !== undefined) return [];
  const what = "Get a token";
  if (client.secret !== undefined) {
    const user = shellQuote([client.id, client.secret].map(encodeURIComponent).join(":"));
    const text = `curl ${shellQuote(url)} \\\n  -u ${user} \\\n  -d grant_type=${grant}`;
    return [{ what, text }];
  }
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
