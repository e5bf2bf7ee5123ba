import type { ClientTemplate } from "../../administration/client_template.ts";
import { urlProblem, valueOf } from "../../command_line/command.ts";
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

/** What `--app` is without a name. */
const listing = "list";

/** The settings of a client for an application that is known, and the application's own. */
export const applicationTemplate: ClientTemplate = {
  options: [
    {
      name: "app",
      valueName: "[NAME]",
      ifAlone: listing,
      help: "make the client of this application, and print what to paste into its " +
        "configuration; without NAME, list the applications",
    },
    {
      name: "url",
      valueName: "URL",
      help: "the address of that application",
      problem: urlProblem,
    },
  ],
  example: "hallpass client add grafana --app grafana --url https://grafana.example.org",
  async list(invocation, terminal) {
    if (valueOf(invocation, "app") !== listing) return false;
    const { listApplications } = await import("./prepare_application.ts");
    await listApplications(invocation, terminal);
    return true;
  },
  async prepare(call) {
    if (!call.invocation.values.has("app") && !call.invocation.values.has("url")) return undefined;
    const { prepareApplication } = await import("./prepare_application.ts");
    return prepareApplication(call);
  },
};
