import { inLab, type Option } from "../../command_line/command.ts";

export const workloadsOption: Option = {
  ...inLab,
  name: "workloads",
  sets: "workloads",
  help: "play where programs get tokens: Azure, Google, GitHub Actions and Kubernetes",
};
