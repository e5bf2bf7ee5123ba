import type { Option } from "../../command_line/command.ts";
import { json } from "../../command_line/options.ts";
import { runningLabOptions } from "../../lab_client/running_lab.ts";

/** What is an option of the command itself. No operation has a member with such a name. */
export const callOptions: readonly Option[] = [
  ...runningLabOptions,
  json,
  {
    name: "completion",
    help: "prints what completes this command in bash and zsh: " +
      "source <(hallpass call --completion); in fish: hallpass call --completion fish | source",
  },
  { name: "complete", valueName: "LINE", help: "prints what can follow a command line" },
];
