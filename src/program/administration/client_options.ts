import settings from "../../../static/settings/clients.json" with { type: "json" };
import type { CurrentSettings } from "../../administration/administration.ts";
import type { ObjectSchema } from "../../server/config/schema.ts";
import { nearestName } from "../../server/util/text/nearest_name.ts";
import type { Invocation, Option } from "../command_line/command.ts";
import { UsageError } from "../terminal/exit_code.ts";

const { defaults, ...schema }: { defaults: Readonly<Record<string, unknown>>; members: object } =
  settings.ClientConfig;

/**
 * The settings of a client with those of every feature. They are data, so that the options of a
 * command are known without loading the server.
 */
export const clientMembers = (schema as ObjectSchema).members;

interface ClientOption extends Option {
  sets: string;
}

/** The options for common settings. Standard input takes all others, as JSON. */
const options: readonly ClientOption[] = [
  option("name", "name", "the name that users see (default: the id)", "TEXT"),
  option("redirect-uri", "redirectUris", "where users return to after the sign-in", "URI"),
  option("grant-type", "grantTypes", "a grant type it may use", "NAME"),
  option("scope", "scopes", "a scope it may request (default: those about the user)", "NAME"),
  option("group", "groups", "a group whose members may use it (default: everyone)", "NAME"),
  option("consent", "consent", "whether users are asked before it gets what its scopes name"),
  option("default-scope", "defaultScope", "a scope it gets when it requests none", "NAME"),
  option("authentication", "authentication", "a client authentication method", "METHOD"),
  option("jwks-uri", "jwksUri", "the URL of its public keys, for private_key_jwt", "URL"),
  option("native", "native", "the client is an app on the user's device"),
  option("pkce", "pkce", "whether a confidential client must use PKCE"),
  option("dpop", "dpop", "whether its tokens must be bound to a key"),
  option("require-par", "requirePar", "require pushed authorization requests"),
  option("resource", "resources", "an API that it runs", "URI"),
  option("introspect", "introspect", "the tokens it may introspect"),
  option("access-token-format", "accessTokenFormat", "the format of its access tokens"),
  option(
    "post-logout-redirect-uri",
    "postLogoutRedirectUris",
    "where users may return to after signing out",
    "URI",
  ),
];

/** Those whose setting exists: a feature of the server may be missing. */
export const clientOptions: readonly ClientOption[] = options.filter(({ sets }) =>
  Object.hasOwn(clientMembers, sets)
);

/** The options that change a setting without replacing it. */
export const changeOptions: readonly Option[] = [
  {
    name: "add",
    valueName: "SETTING=VALUE",
    repeatable: true,
    mayHoldPassword: true,
    help: "add a value to a list, such as redirect-uri=https://…; may be repeated",
    problem: assignmentProblem,
  },
  {
    name: "remove",
    valueName: "SETTING=VALUE",
    repeatable: true,
    mayHoldPassword: true,
    help: "remove a value from a list, such as scope=read; may be repeated",
    problem: assignmentProblem,
  },
  {
    name: "unset",
    valueName: "SETTING",
    repeatable: true,
    help: "return to the default of a setting, such as name; may be repeated",
    problem: settingProblem,
  },
];

/** Returns the settings that `--add`, `--remove` and `--unset` change, as they are afterwards. */
export function changedSettings(
  { values }: Invocation,
  { given, effective }: CurrentSettings,
): Record<string, unknown> {
  const changed: Record<string, unknown> = {};
  const current: Record<string, unknown> = { ...effective, ...given };
  const listOf = (name: string) => listSetting(name, changed[name] ?? current[name]);
  for (const [name, value] of assignments(values.get("add"))) {
    changed[name] = [...new Set([...listOf(name), value])];
  }
  for (const [name, value] of assignments(values.get("remove"))) {
    const list = listOf(name);
    if (!list.includes(value)) throw new UsageError(`${name} does not contain '${value}'.`);
    changed[name] = list.filter((each) => each !== value);
  }
  for (const name of values.get("unset") ?? []) changed[settingNamed(name)] = undefined;
  return changed;
}

/** Makes an option. What the setting may be, and its default, complete it. */
function option(
  name: string,
  sets: string,
  help: string,
  valueName?: string,
): ClientOption {
  const schema = clientMembers[sets];
  if (schema?.type === "array") {
    return { name, sets, valueName, repeatable: true, help: `${help}; may be repeated` };
  }
  if (schema?.type !== "enum") return { name, sets, valueName, help };
  const words = schema.values.join("|");
  const usual = defaults[sets] === undefined ? "" : ` (default: ${defaults[sets]})`;
  return { name, sets, valueName: words, help: help + usual };
}

function assignments(texts: readonly string[] = []): Array<[setting: string, value: string]> {
  return texts.map((text) => {
    const equals = text.indexOf("=");
    return [settingNamed(text.slice(0, equals)), text.slice(equals + 1)];
  });
}

/** Accepts the name of an option or of a setting: `redirect-uri` or `redirectUris`. */
function settingNamed(name: string): string {
  return clientOptions.find((option) => option.name === name)?.sets ?? name;
}

function settingProblem(name: string): string | undefined {
  if (settingNamed(name) in clientMembers) return undefined;
  const names = [
    ...clientOptions.map((option) => option.name),
    ...Object.keys(clientMembers),
  ];
  const nearest = nearestName(name, names);
  return `must name a setting${nearest ? ` (did you mean '${nearest}'?)` : ""}`;
}

function listSetting(name: string, value: unknown = []): unknown[] {
  if (clientMembers[name]?.type === "array" && Array.isArray(value)) return value;
  throw new UsageError(`${name} is not a list; set it as a whole.`);
}

function assignmentProblem(value: string): string | undefined {
  if (!/^[\w-]+=./.test(value)) return "must be SETTING=VALUE";
  return settingProblem(value.slice(0, value.indexOf("=")));
}
