import type { Option } from "../../command_line/command.ts";
import { inData } from "../../command_line/options.ts";

/** Follows the configuration while the server runs. */
export const watchOption: Option = {
  ...inData,
  name: "watch",
  help: "follow changes of the configuration: a valid one replaces the settings, an invalid one " +
    "is printed and changes nothing",
};
