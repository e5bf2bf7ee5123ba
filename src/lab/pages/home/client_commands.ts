import { grantTypesOf } from "../../../server/config/derived_client_settings.ts";
import type { ClientConfig } from "../../../server/features.ts";
import { deviceCodeGrantType } from "../../../server/protocol/grant_types.ts";
import { minute } from "../../../server/util/time/duration.ts";
import { roleProblem, roleRequest } from "../../client_role/role_request.ts";
import {
  type EndpointSource,
  findEndpointUrl,
  supportsGrant,
} from "../../dialect/lab_endpoints.ts";
import { shellQuote, toCurl } from "../../flows/curl.ts";

const assertionLifetime = 5 * minute;

/** A command that does something in the role of a client. */
export interface ClientCommand {
  what: string;
  text: string;
  /** What else there is to know. */
  note?: string;
}

/** Returns the commands of a client that needs no browser on its device. */
export async function commandsOf(
  source: EndpointSource,
  client: ClientConfig,
): Promise<ClientCommand[]> {
  const grants = grantTypesOf(client);
  return [
    ...grants.includes("client_credentials") && supportsGrant(source, "client_credentials")
      ? await serviceCommand(source, client)
      : [],
    ...grants.includes(deviceCodeGrantType) ? deviceCommand(source, client) : [],
  ];
}

async function serviceCommand(
  source: EndpointSource,
  client: ClientConfig,
): Promise<ClientCommand[]> {
  const url = findEndpointUrl(source, "token_endpoint");
  if (url === undefined || roleProblem(client) !== undefined) return [];
  const what = "Get a token";
  if (client.secret !== undefined) return [{ what, text: secretCommand(url, client) }];
  const request = await roleRequest(source, client, {
    endpoint: "token_endpoint",
    members: { grant_type: "client_credentials" },
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

function deviceCommand(
  source: EndpointSource,
  { id, secret }: ClientConfig,
): ClientCommand[] {
  const url = findEndpointUrl(source, "device_authorization_endpoint");
  if (url === undefined || secret) return [];
  const field = shellQuote(`client_id=${id}`);
  return [{
    what: "Start as a device",
    text: `curl ${shellQuote(url)} \\\n  --data-urlencode ${field}`,
  }];
}
