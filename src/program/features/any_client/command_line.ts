import { inLab, type Option } from "../../command_line/command.ts";

export const anyClientOption: Option = {
  ...inLab,
  name: "any-client",
  sets: "anyClient",
  help: "turn every unknown client_id into a client",
};

export const anyClientExample =
  "hallpass lab --any-client --redirect-uri http://localhost:3000/callback";
