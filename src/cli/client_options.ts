import type { ClientConfig } from "../model/client_config.ts";
import type { Invocation } from "./command.ts";
import type { Option } from "./options.ts";

/** An option that says what a member of a client's configuration is. */
interface ClientOption extends Option {
  member: keyof ClientConfig;
}

/** What is said of most clients. Everything else comes as JSON by standard input. */
export const clientOptions: readonly ClientOption[] = [
  { name: "name", member: "name", value: "TEXT", help: "what people see (default the id)" },
  {
    name: "redirect-uri",
    member: "redirectUris",
    value: "URI",
    repeatable: true,
    help: "where its users come back to; may be repeated",
  },
  {
    name: "grant-type",
    member: "grantTypes",
    value: "NAME",
    repeatable: true,
    help: "what it may use at the token endpoint; may be repeated",
  },
  {
    name: "scope",
    member: "scopes",
    value: "NAME",
    repeatable: true,
    help: "what it may ask for (default everything); may be repeated",
  },
  {
    name: "default-scope",
    member: "defaultScope",
    value: "NAME",
    repeatable: true,
    help: "what it gets if it asks for nothing; may be repeated",
  },
  {
    name: "authentication",
    member: "authentication",
    value: "METHOD",
    repeatable: true,
    help: "how it proves who it is; may be repeated",
  },
  {
    name: "jwks-uri",
    member: "jwksUri",
    value: "URL",
    help: "where its public keys are, for private_key_jwt",
  },
  { name: "native", member: "native", help: "it runs on its user's machine" },
  {
    name: "pkce",
    member: "pkce",
    value: "required|optional",
    help: "whether a confidential client may leave PKCE out (default required)",
  },
  {
    name: "dpop",
    member: "dpop",
    value: "required|optional",
    help: "whether its tokens must be bound to a key (default optional)",
  },
  { name: "require-par", member: "requirePar", help: "its authorization requests must be pushed" },
  {
    name: "resource",
    member: "resources",
    value: "URI",
    repeatable: true,
    help: "an API that it serves; may be repeated",
  },
  {
    name: "introspect",
    member: "introspect",
    value: "own|any",
    help: "whose tokens introspection shows it (default own)",
  },
  {
    name: "access-token-format",
    member: "accessTokenFormat",
    value: "jwt|opaque",
    help: "what its access tokens are (default jwt)",
  },
  {
    name: "post-logout-redirect-uri",
    member: "postLogoutRedirectUris",
    value: "URI",
    repeatable: true,
    help: "where its users may come back to after signing out",
  },
];

/** The members that were said. What they hold is checked later, like everything that comes from outside. */
export function readClientOptions({ values }: Invocation): Record<string, unknown> {
  const said = clientOptions.filter(({ name }) => values.has(name));
  return Object.fromEntries(
    said.map((option) => [option.member, valueOf(option, values.get(option.name)!)]),
  );
}

function valueOf({ value, repeatable }: ClientOption, said: readonly string[]): unknown {
  if (value === undefined) return true;
  return repeatable ? said : said.at(-1);
}
