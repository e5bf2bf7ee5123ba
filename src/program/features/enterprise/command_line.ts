import { inLab, type Option } from "../../command_line/command.ts";

export const enterpriseOption: Option = {
  ...inLab,
  name: "enterprise",
  sets: "enterprise",
  help: "play a company as well: its identity provider at /t/company, trusted by the MCP server",
};

export const enterpriseExample = "hallpass lab --enterprise";
