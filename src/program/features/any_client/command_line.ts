import { inLab, type Option } from "../../command_line/option.ts";

export const anyClientOption: Option = {
  ...inLab,
  name: "any-client",
  sets: "anyClient",
  help: "turn every unknown client_id into a client",
};
