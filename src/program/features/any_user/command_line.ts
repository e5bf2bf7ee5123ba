import { inLab, type Option } from "../../command_line/command.ts";

export const anyUserOption: Option = {
  ...inLab,
  name: "any-user",
  sets: "anyUser",
  help: "sign in any user name that is typed at the sign-in page, with any claims",
};
