import { withConfiguredStore } from "../../administration/configured_store.ts";
import { describeConnection } from "../../administration/describe_connection.ts";
import { type Invocation, valueOf } from "../../command_line/command.ts";
import { formatRefusal, openLog } from "../../monitoring/read_log.ts";
import type { Terminal } from "../../terminal/terminal.ts";

/** Prints what to enter in the application of a client, and why the last requests were refused. */
export async function describeClient(
  invocation: Invocation,
  terminal: Terminal,
  id: string,
): Promise<void> {
  let changed = "";
  await withConfiguredStore(invocation, terminal, async (admin, ctx) => {
    const { value: client, from } = await admin.clients.show(id);
    const state = client.disabled ? ", disabled" : "";
    terminal.print([
      `The client ${id} is in the ${from}${state}. Enter this in its application:`,
      "",
      ...describeConnection(ctx, client),
    ].join("\n"));
    for (const { command, target, at } of await admin.changes.list()) {
      if (command.startsWith("client ") && target === id) changed = new Date(at).toISOString();
    }
  });
  const path = valueOf(invocation, "log-file");
  if (path === undefined) return;
  const find = await openLog(path, terminal);
  const [{ time: issued = "" } = {}] = find(
    "token.issued",
    ({ client, authorization }) => client === id && authorization !== undefined,
  ).slice(-1);
  const since = issued > changed ? issued : changed;
  // Neither a change nor the sign-in of another user gives a user the group.
  const refusals = find(
    "request.refused",
    ({ client, time = "", rule }) => client === id && (time > since || rule === "user.may_use"),
  );
  terminal.print([
    "",
    ...issued ? [`Its last token for a user was issued at ${issued}.`] : [],
    ...refusals.length > 0
      ? ["The last refusals in the log:", ...refusals.map(formatRefusal)]
      : [`The log has no refusal of this client${since && ` since ${since}`}.`],
  ].join("\n"));
}
