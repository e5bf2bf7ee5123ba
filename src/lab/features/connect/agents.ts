import type { ClientConfig } from "../../../server/features.ts";
import type { CoreLab } from "../../core/core_lab.ts";
import { LabError, unknownName } from "../../util/lab_error.ts";
import type { AgentResult, AgentTool } from "../agents/agent_tool.ts";
import { callSchemas, type ConnectAppCall } from "../agents/calls.ts";
import { type ConnectedLibrary, connectLibrary } from "./connect_library.ts";
import { connections } from "./connections.ts";

const libraries = [...new Set(connections.map(({ library }) => library))];

export const connectTool: AgentTool = {
  name: "connect_app",
  description: "Returns what to put into the configuration of an application so that it signs " +
    "its users in at this lab: issuer, client_id, secret, and the lines of a library " +
    `(${libraries.join(", ")}). Use it first, or after register_client.`,
  body: { name: "ConnectAppCall", schema: callSchemas.ConnectAppCall },
  isReadOnly: true,
  keepsLongValues: true,
  recovery:
    "Without a library, the lines are environment variables; register_client adds a client.",
  run: (lab, args) => connectApp(lab, args),
};

function connectApp(lab: CoreLab, { library, client: id }: ConnectAppCall): AgentResult {
  const wanted = wordsOf(library ?? connections[0]?.library ?? "");
  const named = connections.filter((each) => wordsOf(each.library).startsWith(wanted));
  const [connection] = named;
  if (!connection) {
    throw unknownName("library", library ?? "", libraries);
  }
  if (id !== undefined) lab.clients.get(id);
  const isWanted = (client: ClientConfig) => id === undefined || client.id === id;
  // Some have other lines for a lab without metadata.
  const [connected] = named.flatMap((each) => connectLibrary(lab, each, isWanted) ?? []);
  if (!connected) {
    const needed = connection.text.includes("{secret}") ? "with a secret" : "without a secret";
    const needs = `${connection.library} needs a client ${needed} that users sign in to`;
    throw new LabError(
      id === undefined ? `${needs}; there is none.` : `${needs}; '${id}' is none.`,
    );
  }
  return describeConnected(lab, connected);
}

function describeConnected(lab: CoreLab, connected: ConnectedLibrary): AgentResult {
  const { client, library, file, text, redirectUri, note, isRegistered } = connected;
  const value = {
    issuer: lab.issuer,
    clientId: client.id,
    clientSecret: client.secret,
    redirectUris: client.redirectUris ?? [],
    lines: text,
    file,
  };
  const rows = [
    `In ${file}, for ${library}:`,
    text,
    note && `Note: ${note}`,
    redirectUri && `Redirect URI: ${redirectUri}`,
    redirectUri && !isRegistered &&
    `The client does not have it yet: call register_client with the id ` +
      `${client.id} and the redirect URI that the application uses.`,
  ];
  return { rows: rows.filter((row) => typeof row === "string"), value };
}

/** Libraries are named without regard to case and marks: authjs, spring-boot. */
function wordsOf(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
}
