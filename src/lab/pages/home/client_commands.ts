import { grantTypesOf } from "../../../server/config/derived_client_settings.ts";
import { browserEndpointUrl, type Context } from "../../../server/issuer/context.ts";
import type { ClientConfig } from "../../../server/model/client_config.ts";
import { deviceCodeGrantType } from "../../../server/protocol/grant_types.ts";
import { minute } from "../../../server/util/time/duration.ts";
import { roleProblem, roleRequest } from "../../client_role/role_request.ts";
import { shellQuote, toCurl } from "../../flows/curl.ts";

const assertionLifetime = 5 * minute;

/** A command that does something in the role of a client. */
export interface ClientCommand {
  what: string;
  text: string;
  /** What else there is to know. */
  note?: string;
}

/** Returns the commands of a client that needs no browser of its own. */
export async function commandsOf(ctx: Context, client: ClientConfig): Promise<ClientCommand[]> {
  const grants = grantTypesOf(client);
  return [
    ...grants.includes("client_credentials") ? await serviceCommand(ctx, client) : [],
    ...grants.includes(deviceCodeGrantType) ? deviceCommand(ctx, client) : [],
  ];
}

async function serviceCommand(ctx: Context, client: ClientConfig): Promise<ClientCommand[]> {
  if (roleProblem(client) !== undefined) return [];
  const what = "Get a token";
  if (client.secret !== undefined) return [{ what, text: secretCommand(ctx, client) }];
  const request = await roleRequest(ctx, client, {
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

function secretCommand(ctx: Context, { id, secret = "" }: ClientConfig): string {
  const user = [id, secret].map(encodeURIComponent).join(":");
  const url = shellQuote(browserEndpointUrl(ctx, "token_endpoint"));
  return `curl ${url} \\\n  -u ${shellQuote(user)} \\\n  -d grant_type=client_credentials`;
}

function deviceCommand(ctx: Context, { id, secret }: ClientConfig): ClientCommand[] {
  if (ctx.metadata().device_authorization_endpoint === undefined || secret) return [];
  const url = shellQuote(browserEndpointUrl(ctx, "device_authorization_endpoint"));
  const field = shellQuote(`client_id=${id}`);
  return [{ what: "Start as a device", text: `curl ${url} \\\n  --data-urlencode ${field}` }];
}
