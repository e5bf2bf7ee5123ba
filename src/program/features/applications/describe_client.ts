import { withConfiguredStore } from "../../administration/configured_store.ts";
import { type Invocation, valueOf } from "../../command_line/command.ts";
import { describeRefusal, findRefusals } from "../../monitoring/read_log.ts";
import type { Terminal } from "../../terminal/terminal.ts";
import { describeConnection } from "./describe_connection.ts";

/** Prints what to enter in the application of a client, and why the last requests were refused. */
export async function describeClient(
  invocation: Invocation,
  terminal: Terminal,
  id: string,
): Promise<void> {
  await withConfiguredStore(invocation, terminal, async (admin, ctx) => {
    const { value: client, from } = await admin.clients.show(id);
    const state = client.disabled ? ", disabled" : "";
    terminal.print([
      `The client ${id} is in the ${from}${state}. Enter this in its application:`,
      "",
      ...describeConnection(ctx, client),
    ].join("\n"));
  });
  const path = valueOf(invocation, "log-file");
  if (path === undefined) return;
  const refusals = await findRefusals(path, terminal, ({ client }) => client === id);
  terminal.print(
    refusals.length > 0
      ? ["", "The last refusals in the log:", ...refusals.map(describeRefusal)].join("\n")
      : "\nThe log has no refusal of this client.",
  );
}
