import { bracketed } from "../configuration/configuration.ts";
import type { ProgramConfig } from "../configuration/program_config.ts";
import type { Notice } from "../monitoring/notices.ts";
import { type Colors, noColors } from "../terminal/color.ts";
import { version } from "../terminal/own_name.ts";
import { printable } from "../terminal/printable.ts";
import type { DirectoryCounts } from "./directory.ts";
import { labeled, linked } from "./greeting_lines.ts";
import type { RunningServer } from "./start_server.ts";

/** What each address to listen on means. */
const reach: Readonly<Record<string, string>> = {
  "localhost": " (this machine only)",
  "127.0.0.1": " (this machine only)",
  "::1": " (this machine only)",
  "0.0.0.0": " (every IPv4 address of this machine)",
  "::": " (every address of this machine)",
};

/** Returns what a server for real use says when it is ready. */
export function greetServer(
  { server, site }: Pick<RunningServer, "server" | "site">,
  counts: DirectoryCounts,
  { log = "text", logLevel = "info", mtlsPort, mtlsHost = site.host }: ProgramConfig,
  colors: Colors = noColors,
): Notice {
  const { issuer, store } = server.context.settings;
  const { host, port, hasTls } = site;
  const listens = `${hasTls ? "https" : "http"}://${bracketed(host)}:${port}`;
  const facts = { version, issuer, listens, store: store.name, log, logLevel, ...counts };
  const text = [
    colors.strong(`Hallpass ${version}`),
    "",
    linked("Issuer", issuer, colors),
    labeled("Listens", `${colors.link(listens)}${reach[host] ?? ""}`, colors),
    ...mtlsPort === undefined
      ? []
      : [labeled("mTLS", colors.link(`https://${bracketed(mtlsHost)}:${mtlsPort}`), colors)],
    labeled("Store", printable(store.name ?? "of the configuration"), colors),
    labeled("Log", log === "off" ? "off" : `${log}, from level ${logLevel}`, colors),
    labeled("Clients", `${counts.clients}`, colors),
    labeled("Users", `${counts.users}`, colors),
    "",
  ].join("\n");
  return { type: "program.started", facts, text };
}
