import type { Context } from "../../server/issuer/context.ts";
import { bracketed } from "../configuration/configuration.ts";
import type { ProgramConfig } from "../configuration/program_config.ts";
import type { Notice } from "../monitoring/notices.ts";
import { type Colors, noColors } from "../terminal/color.ts";
import { version } from "../terminal/own_name.ts";
import { printable } from "../terminal/printable.ts";
import { labeled, linked } from "./greeting_lines.ts";
import { loadAdministration } from "./load_administration.ts";
import type { RunningServer } from "./start_server.ts";

/** What each address to listen on means. */
const reach: Readonly<Record<string, string>> = {
  "localhost": " (this machine only)",
  "127.0.0.1": " (this machine only)",
  "::1": " (this machine only)",
  "0.0.0.0": " (every IPv4 address of this machine)",
  "::": " (every address of this machine)",
};

const defaultPorts: Readonly<Record<string, string>> = { "http:": "80", "https:": "443" };

/** Returns what a server for real use says when it is ready. */
export async function greetServer(
  { server, address, hostname }: Pick<RunningServer, "server" | "address" | "hostname">,
  { log = "text", logLevel = "info" }: ProgramConfig,
  colors: Colors = noColors,
): Promise<Notice> {
  const { issuer, store } = server.context.settings;
  const { protocol, port } = new URL(address);
  const listens = `${protocol}//${bracketed(hostname)}:${port || defaultPorts[protocol]}`;
  const counts = await countDirectory(server.context);
  const facts = { version, issuer, listens, store: store.name, log, logLevel, ...counts };
  const text = [
    colors.strong(`Hallpass ${version}`),
    "",
    linked("Issuer", issuer, colors),
    labeled("Listens", `${colors.link(listens)}${reach[hostname] ?? ""}`, colors),
    labeled("Store", printable(store.name ?? "of the configuration"), colors),
    labeled("Log", log === "off" ? "off" : `${log}, from level ${logLevel}`, colors),
    labeled("Clients", `${counts.clients}`, colors),
    labeled("Users", `${counts.users}`, colors),
    "",
  ].join("\n");
  return { type: "program.started", facts, text };
}

/** Counts what the configuration and the store have, as `hallpass check` does. */
async function countDirectory(ctx: Context): Promise<{ clients: number; users: number }> {
  const admin = await loadAdministration(ctx);
  const clients = await admin.clients.list();
  const users = await admin.users.list();
  return {
    clients: new Set(clients.map(({ value }) => value.id)).size,
    users: new Set(users.map(({ value }) => value.name)).size,
  };
}
