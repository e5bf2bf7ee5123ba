import type { EventRequest, Remedy } from "../../server/config/events.ts";
import { shellQuote } from "../../server/util/text/shell_quote.ts";

/** The options that add to a setting, with what stands for a value. */
const listOptions: Readonly<Record<string, readonly [option: string, valueName: string]>> = {
  redirectUris: ["redirect-uri", "URI"],
  scopes: ["scope", "NAME"],
  grantTypes: ["grant-type", "NAME"],
  authentication: ["authentication", "METHOD"],
};

/** What is more often wrong in the application than here. */
const corrections: Readonly<Record<string, string>> = {
  redirectUris: "Enter the expected one in the application. Only if the other is right: ",
  secrets: "Enter the client's secret in the application. If it is lost: ",
};

/** Returns the command or the change of the configuration with which a client may do what it did. */
export function describeRemedy(
  remedy: Remedy,
  { client, clientKind }: Pick<EventRequest, "client" | "clientKind"> = {},
): string | undefined {
  if (client === undefined) return undefined;
  const { setting, value, foreignHost, user } = remedy;
  if (user) return describeMembership(user, value);
  // Other clients change their settings themselves.
  const change = clientKind === "configured"
    ? describeSetting(client, remedy)
    : clientKind === "stored"
    ? commandFor(client, remedy)
    : undefined;
  if (setting === "pkce") {
    const otherwise = value && change && ` If it has no setting for that: ${change}`;
    return `Turn on PKCE with S256 in the application.${otherwise || ""}`;
  }
  if (foreignHost !== undefined && change !== undefined) {
    return `${foreignHost} is not a host of ${client}. Only if it is yours: ${change}`;
  }
  return change && `${corrections[setting] ?? ""}${change}`;
}

/** Returns the command that changes a setting of a stored client. */
function commandFor(client: string, { setting, value }: Remedy): string {
  if (setting === "secrets") return words("hallpass", "client", "secret", client, "--add");
  const command = ["hallpass", "client", "set", client];
  const [option, valueName] = listOptions[setting] ?? [];
  if (option !== undefined) return words(...command, "--add", `${option}=${value ?? valueName}`);
  return words(...command, `--${setting}`, ...value === undefined ? [] : [value]);
}

function describeMembership(
  { name, kind }: NonNullable<Remedy["user"]>,
  group: string | undefined,
): string {
  if (kind === "stored") return words("hallpass", "user", "set", name, "--add", `group=${group}`);
  return `the user ${name} needs ${group} in 'groups', in the configuration`;
}

function describeSetting(client: string, { setting, value }: Remedy): string {
  const entry = value === undefined ? "" : ` ${value} in`;
  return `the configuration needs${entry} '${setting}' of the client ${client}`;
}

function words(...all: readonly string[]): string {
  return all.map(shellQuote).join(" ");
}
