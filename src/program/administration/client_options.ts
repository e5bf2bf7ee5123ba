import type { Invocation } from "../command_line/command.ts";
import type { Option } from "../command_line/option.ts";
import { clientDefaults, clientMembers } from "./client_schema.ts";

/** An option for a setting of a client. */
interface ClientOption extends Option {
  setting: string;
}

/** The options for common settings. Standard input takes all others, as JSON. */
const options: readonly ClientOption[] = [
  option("name", "name", "the name that users see (default: the id)", "TEXT"),
  option("redirect-uri", "redirectUris", "where users return to after the sign-in", "URI"),
  option("grant-type", "grantTypes", "a grant type it may use", "NAME"),
  option("scope", "scopes", "a scope it may request (default: all)", "NAME"),
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
export const clientOptions: readonly ClientOption[] = options.filter(({ setting }) =>
  Object.hasOwn(clientMembers, setting)
);

/** Returns the settings that the options set. They are checked later, as all outside input is. */
export function readClientOptions({ values }: Invocation): Record<string, unknown> {
  return Object.fromEntries(
    clientOptions.flatMap((option) => {
      const texts = values.get(option.name);
      return texts ? [[option.setting, settingValue(option, texts)]] : [];
    }),
  );
}

/** Makes an option. What the setting may be, and its default, complete it. */
function option(
  name: string,
  setting: string,
  help: string,
  valueName?: string,
): ClientOption {
  const schema = clientMembers[setting];
  if (schema?.type === "array") {
    return { name, setting, valueName, repeatable: true, help: `${help}; may be repeated` };
  }
  if (schema?.type !== "enum") return { name, setting, valueName, help };
  const words = schema.values.join("|");
  return { name, setting, valueName: words, help: `${help} (default: ${clientDefaults[setting]})` };
}

function settingValue({ valueName, repeatable }: ClientOption, texts: readonly string[]): unknown {
  if (valueName === undefined) return true;
  return repeatable ? texts : texts.at(-1);
}
