import type { Command, Option } from "../command_line/command.ts";

/** What a feature examines instead of the addresses of a server. */
export interface Examination {
  options: readonly Option[];
  example: string;
  /** Returns false unless the command line asks for it. */
  run(...call: Parameters<Command["run"]>): Promise<boolean>;
}
