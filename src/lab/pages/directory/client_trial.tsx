/** @jsxImportSource preact */
import type { VNode } from "preact";
import { grantTypesOf } from "../../../server/config/make_client.ts";
import type { ClientConfig } from "../../../server/features.ts";
import { shellQuote } from "../../../server/util/text/shell_quote.ts";
import { minute } from "../../../server/util/time/duration.ts";
import { roleProblem, roleRequest } from "../../client_role/role_request.ts";
import { startableClients } from "../../client_role/start_flow.ts";
import type { CoreLab } from "../../core/core_lab.ts";
import { findEndpointUrl, supportsGrant } from "../../dialect/lab_endpoints.ts";
import { type ClientCommand, type CommandSource, toCurl } from "../../flows/curl.ts";
import type { LabPageCall } from "../page/lab_page.ts";
import { CodeBlock } from "../parts/copy_text.tsx";
import { Section } from "../parts/section.tsx";

const assertionLifetime = 5 * minute;

/** How a client is tried: by a flow in a browser, or by commands that need none. */
export async function clientTrial(
  lab: CoreLab,
  { base, clientCommands }: LabPageCall,
  id: string,
): Promise<VNode> {
  const client = lab.clients.get(id);
  const canStart = startableClients(lab).includes(client);
  const makers = [serviceCommand, ...clientCommands];
  const commands = (await Promise.all(makers.map((make) => make(lab, client)))).flat();
  const flows = `${base}/lab/flows?${new URLSearchParams({ client: id })}`;
  return (
    <Section title="Try it" id="try" actions={<a href={flows}>Its flows</a>}>
      {canStart && (
        <a class="button" href={`${base}/start?client_id=${encodeURIComponent(id)}`}>
          Start a flow
        </a>
      )}
      {commands.map(({ what, text, note }) => (
        <>
          <h3>{what}</h3>
          <CodeBlock what={`command of ${id}: ${what}`} text={text} />
          {note && <p class="help">{note}</p>}
        </>
      ))}
    </Section>
  );
}

/** Returns the command by which a service gets a token for itself. */
async function serviceCommand(
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
