import { inLab, type Invocation, type Option } from "../../command_line/command.ts";

export const providerOption: Option = {
  ...inLab,
  name: "provider",
  valueName: "NAME",
  repeatable: true,
  help: "play this provider, such as github, or a FILE.json with a preset; repeat it for " +
    "several, each below /t/NAME: the start prints their issuers",
};

export const hostsOption: Option = {
  ...inLab,
  name: "hosts",
  help:
    "have the real hosts of the providers, on https and port 443: prints what leads clients here",
};

/** Whether the providers that a lab plays have their real hosts. */
export function hasRealHosts(
  { values }: Invocation,
  { hosts = false }: { hosts?: boolean | object | undefined },
): boolean {
  return values.has("hosts") || Boolean(hosts);
}
