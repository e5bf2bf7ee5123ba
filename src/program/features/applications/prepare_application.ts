import { issuerUrl } from "../../../server/protocol/issuer_url.ts";
import { isLoopbackHost } from "../../../server/util/addresses/uri.ts";
import { nearestName } from "../../../server/util/text/nearest_name.ts";
import { shellQuote } from "../../../server/util/text/shell_quote.ts";
import { clientMembers } from "../../administration/client_options.ts";
import type { PreparedClient } from "../../administration/client_template.ts";
import type { StoreCall } from "../../administration/store_command.ts";
import { type Invocation, operandOf, valueOf } from "../../command_line/command.ts";
import { printRows } from "../../command_line/listing.ts";
import { UsageError } from "../../terminal/exit_code.ts";
import type { Terminal } from "../../terminal/terminal.ts";
import {
  applicationsByName,
  type FilledNames,
  fillIn,
  type ListedApplication,
  needsUrl,
} from "./application.ts";

/** What goes into configuration files and shells as it is. */
const plainId = /^[\w.~-]+$/;
const plainAddress = /^[\w.~:/%[\]-]+$/;

export async function listApplications(invocation: Invocation, terminal: Terminal): Promise<void> {
  const rows = [...applicationsByName].map(([app, { name, version, evidence }]) => ({
    app,
    application: name,
    version,
    evidence,
  }));
  await printRows(invocation, terminal, rows, "");
}

/** Returns the client of the application that the command line names. */
export function prepareApplication(call: StoreCall): PreparedClient {
  const { ctx, admin, invocation, terminal } = call;
  const app = valueOf(invocation, "app");
  if (app === undefined) throw new UsageError("--url is the address of the application of --app.");
  const application = applicationNamed(app);
  const id = operandOf(invocation, "ID");
  if (!plainId.test(id)) {
    throw new UsageError("With --app, an ID has letters, digits and ._~- alone: it is pasted.");
  }
  const metadata = ctx.metadata();
  const supported = [metadata.scopes_supported].flat();
  const requested = application.scope.split(" ");
  const known = requested.filter((scope) => supported.includes(scope));
  const missing = requested.filter((scope) => !supported.includes(scope));
  const { issuer } = ctx.settings;
  const names: FilledNames = {
    ...metadata as unknown as FilledNames,
    id,
    url: addressOf(call, app, application),
    issuer,
    metadata: issuerUrl(issuer, "/.well-known/openid-configuration"),
    scope: known.join(" "),
    random: admin.clients.createSecret(),
  };
  if (missing.length > 0) {
    terminal.printError(
      `warning: ${application.name} gets less: this server has no scope ${missing.join(", ")}.`,
    );
  }
  const name = application.isLibrary ? id : application.name;
  return {
    settings: { name, scopes: known, ...settingsOf(application, names) },
    isConfidential: !application.isPublic,
    describe: (secret) => {
      const described = describe(application, { ...names, secret });
      if (invocation.values.has("name")) return described;
      const named = `\n\nUsers see the name "${name}". To change it: ` +
        `hallpass client set ${shellQuote(id)} --name NAME`;
      return { ...described, text: described.text + named };
    },
  };
}

function applicationNamed(app: string): ListedApplication {
  const application = applicationsByName.get(app);
  if (application) return application;
  const nearest = nearestName(app, [...applicationsByName.keys()]);
  const advice = nearest ? `Did you mean '${nearest}'?` : "hallpass client add --app lists all.";
  throw new UsageError(`There is no application '${app}'. ${advice}`);
}

/** Returns the address as applications extend it: without a slash at the end. */
function addressOf(
  { ctx, invocation }: StoreCall,
  app: string,
  application: ListedApplication,
): string {
  const text = valueOf(invocation, "url");
  if (text === undefined) {
    if (!needsUrl(application)) return "";
    throw new UsageError(`--app ${app} needs --url URL, the address of ${application.name}.`);
  }
  const { href, protocol, hostname } = new URL(text);
  const isHttpAllowed = isLoopbackHost(hostname) || ctx.settings.insecure.httpRedirectUris;
  if (protocol === "http:" && !isHttpAllowed) {
    throw new UsageError(
      `--url must use https: ${hostname} is not this machine. RUNNING.md has "On a LAN".`,
    );
  }
  if (!plainAddress.test(href)) {
    throw new UsageError("--url must be the address alone, such as https://app.example.org/path");
  }
  return href.replace(/\/+$/, "");
}

/** Returns the settings that this server has: a feature may be missing. */
function settingsOf({ client }: ListedApplication, names: FilledNames): Record<string, unknown> {
  const filled = (value: unknown): unknown =>
    Array.isArray(value)
      ? value.map(filled)
      : typeof value === "string"
      ? fillIn(value, names)
      : value;
  return Object.fromEntries(
    Object.entries(client)
      .filter(([name]) => name in clientMembers)
      .map(([name, value]) => [name, filled(value)]),
  );
}

function describe(
  { name, version, evidence, source, into, lines, notes }: ListedApplication,
  names: FilledNames,
): ReturnType<PreparedClient["describe"]> {
  const filled = (texts: readonly string[]) => texts.map((text) => fillIn(text, names));
  const text = [
    "",
    "",
    `Enter this ${into}, for ${name} ${version} (${evidence}, ${source}):`,
    "",
    ...filled(lines),
    "",
    ...filled(notes),
  ].join("\n");
  const application = { name, into, text: filled(lines).join("\n"), notes: filled(notes) };
  return { text, result: { application } };
}
