import { valueOf } from "../../command_line/command.ts";
import { logFile } from "../../command_line/options.ts";
import type { Examination } from "../../doctor/examination.ts";

/** Shows what to enter in the application of a client, and why its requests were refused. */
export const examineClient: Examination = {
  options: [
    {
      name: "client",
      valueName: "ID",
      help: "instead, show what to enter in the application of this client",
    },
    { ...logFile, help: `show its last refusals in ${logFile.help}` },
  ],
  example: "hallpass doctor --client wiki --log-file hallpass.log",
  async run(invocation, terminal) {
    const id = valueOf(invocation, "client");
    if (id === undefined) return false;
    const { describeClient } = await import("./describe_client.ts");
    await describeClient(invocation, terminal, id);
    return true;
  },
};
