import type { ClientConfig } from "../model/client_config.ts";
import type { Invocation } from "./command.ts";
import type { Option } from "./options.ts";

/** An option for a member of a client's configuration. */
interface ClientOption extends Option {
  member: keyof ClientConfig;
}

/** The options for common members. Standard input takes all others, as JSON. */
export const clientOptions: readonly ClientOption[] = [
  {
    name: "name",
    member: "name",
    valueName: "TEXT",
    help: "the name that users see (default: the id)",
  },
  {
    name: "redirect-uri",
    member: "redirectUris",
    valueName: "URI",
    repeatable: true,
    help: "where users return to after the sign-in; may be repeated",
  },
  {
    name: "grant-type",
    member: "grantTypes",
    valueName: "NAME",
    repeatable: true,
    help: "a grant type it may use; may be repeated",
  },
  {
    name: "scope",
    member: "scopes",
    valueName: "NAME",
    repeatable: true,
    help: "a scope it may request (default: all); may be repeated",
  },
  {
    name: "default-scope",
    member: "defaultScope",
    valueName: "NAME",
    repeatable: true,
    help: "a scope it gets when it requests none; may be repeated",
  },
  {
    name: "authentication",
    member: "authentication",
    valueName: "METHOD",
    repeatable: true,
    help: "a client authentication method; may be repeated",
  },
  {
    name: "jwks-uri",
    member: "jwksUri",
    valueName: "URL",
    help: "the URL of its public keys, for private_key_jwt",
  },
  { name: "native", member: "native", help: "the client is an app on the user's device" },
  {
    name: "pkce",
    member: "pkce",
    valueName: "required|optional",
    help: "whether a confidential client must use PKCE (default: required)",
  },
  {
    name: "dpop",
    member: "dpop",
    valueName: "required|optional",
    help: "whether its tokens must be bound to a key (default: optional)",
  },
  { name: "require-par", member: "requirePar", help: "require pushed authorization requests" },
  {
    name: "resource",
    member: "resources",
    valueName: "URI",
    repeatable: true,
    help: "an API that it runs; may be repeated",
  },
  {
    name: "introspect",
    member: "introspect",
    valueName: "own|any",
    help: "the tokens it may introspect (default: own)",
  },
  {
    name: "access-token-format",
    member: "accessTokenFormat",
    valueName: "jwt|opaque",
    help: "the format of its access tokens (default: jwt)",
  },
  {
    name: "post-logout-redirect-uri",
    member: "postLogoutRedirectUris",
    valueName: "URI",
    repeatable: true,
    help: "where users may return to after signing out; may be repeated",
  },
];

/** Returns the members that the options set. They are checked later, as all outside input is. */
export function readClientOptions({ values }: Invocation): Record<string, unknown> {
  return Object.fromEntries(
    clientOptions.flatMap((option) => {
      const texts = values.get(option.name);
      return texts ? [[option.member, memberValue(option, texts)]] : [];
    }),
  );
}

function memberValue({ valueName, repeatable }: ClientOption, texts: readonly string[]): unknown {
  if (valueName === undefined) return true;
  return repeatable ? texts : texts.at(-1);
}
