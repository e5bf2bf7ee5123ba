/** @jsxImportSource preact */
import type { VNode } from "preact";
import { authenticationOf, grantTypesOf } from "../../../server/config/make_client.ts";
import type { ClientConfig } from "../../../server/features.ts";
import { deviceCodeGrantType } from "../../../server/protocol/grant_types.ts";
import { minute } from "../../../server/util/time/duration.ts";
import { roleProblem, roleRequest } from "../../client_role/role_request.ts";
import { startableClients } from "../../client_role/start_flow.ts";
import type { CoreLab } from "../../core/core_lab.ts";
import { findEndpointUrl, supportsGrant } from "../../dialect/lab_endpoints.ts";
import {
  type ClientCommand,
  type CommandSource,
  type MakeCommand,
  shellQuote,
  toCurl,
} from "../../flows/curl.ts";
import type { LabPageCall } from "../page/lab_page.ts";
import { CodeBlock, CopyText } from "../parts/copy_text.tsx";
import { firstEntries, linkToAll } from "../parts/long_list.tsx";
import { Section } from "../parts/section.tsx";

const assertionLifetime = 5 * minute;

/**
 * The first clients, what each is for, and how to try it. Their secrets, which commands contain, too,
 * are shown only to visitors who may see them.
 */
export async function clientList(
  lab: CoreLab,
  { base, clientCommands }: LabPageCall,
  maySeeSecrets: boolean,
): Promise<VNode> {
  const all = lab.clients.list();
  const startable = startableClients(lab);
  const entries = firstEntries(all).map(async (client) => {
    const { id, name = id, secret } = client;
    const commands = maySeeSecrets
      ? await commandsOf(lab, client, [serviceCommand, ...clientCommands])
      : [];
    return (
      <li id={`client-${id}`}>
        <div>
          <p class="client-name">
            <strong>
              <bdi>{name}</bdi>
            </strong>{" "}
            <CopyText what={`id of ${name}`} text={id} />
          </p>
          <p class="help">{purposeOf(client)}</p>
          {maySeeSecrets && secret !== undefined && (
            <p class="help">
              Secret <CopyText what={`secret of ${id}`} text={secret} />
            </p>
          )}
          {commands.map((command) => commandOf(client, command))}
        </div>
        {startable.includes(client) && (
          <a
            href={`${base}/start?client_id=${encodeURIComponent(id)}`}
            aria-label={`Try it: start a flow of ${name}`}
          >
            Try it
          </a>
        )}
      </li>
    );
  });
  return (
    <Section title="Clients" id="clients" actions={linkToAll(base, "clients", all.length)}>
      <ul class="entries client-list">{await Promise.all(entries)}</ul>
    </Section>
  );
}

function commandOf({ id }: ClientConfig, { what, text, note }: ClientCommand): VNode {
  return (
    <details class="command">
      <summary>{what}</summary>
      <CodeBlock what={`command of ${id}: ${what}`} text={text} />
      {note && <p class="help">{note}</p>}
    </details>
  );
}

/** Describes what a client is for, and how it proves who it is. */
function purposeOf(client: ClientConfig): string {
  const hasUsers = (client.redirectUris ?? []).length > 0;
  if (client.native) return nativePurpose(client);
  const [method] = authenticationOf(client);
  if (method === "none") {
    return hasUsers
      ? "A single-page app: public, so it relies on PKCE alone."
      : "A device without a browser: public, its user signs in on another one.";
  }
  const proof = method === "private_key_jwt"
    ? "It signs assertions with its own key (private_key_jwt)."
    : "It has a secret.";
  return hasUsers
    ? `A web app on a server. ${proof}`
    : `A service that acts for itself, without a user. ${proof}`;
}

function nativePurpose(client: ClientConfig): string {
  const device = grantTypesOf(client).includes(deviceCodeGrantType)
    ? " Also for devices without a browser."
    : "";
  return `An app on the user's machine: public, with loopback redirect URIs on any port.${device}`;
}

/** Returns the commands of a client that needs no browser on its device. */
async function commandsOf(
  source: CommandSource,
  client: ClientConfig,
  commands: readonly MakeCommand[],
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
