import type { UserConfig } from "../../server/config/user_config.ts";
import type { ClientConfig } from "../../server/features.ts";
import type { CoreLab } from "../core/core_lab.ts";
import { type Operation, operation, type OperationPage } from "../core/operation.ts";
import type { Directory } from "../lab_server/directory.ts";
import { LabError } from "../util/lab_error.ts";

export const userOperations: readonly Operation[] = directoryOperations<UserConfig>({
  what: "user",
  type: "UserConfig",
  key: "name",
  directoryOf: (lab) => lab.users,
  example: { segment: "alice", body: { password: "secret", claims: { name: "Alice" } } },
  list: {
    title: "Users",
    about: "Users who can sign in to this lab. Reset restores the original users.",
    columns: {
      "User name": "name",
      "Full name": "claims.name",
      "E-mail": "claims.email",
      Subject: ({ name, sub }: UserConfig) => sub ?? name,
      Password: "password",
      State: "disabled",
    },
  },
  fields: {
    "claims.name": { label: "Full name" },
    "claims.email": { label: "E-mail" },
    password: { kind: "secret" },
    sub: { label: "Subject" },
    passwordHash: { kind: "hidden", unless: "password" },
    "claims.*": {
      label: "More claims",
      hint: '{ "email_verified": true, "roles": ["admin"] }',
      rows: 6,
    },
    disabled: {},
  },
});

export const clientOperations: readonly Operation[] = directoryOperations<ClientConfig>({
  what: "client",
  type: "ClientConfig",
  key: "id",
  directoryOf: (lab) => lab.clients,
  example: { segment: "demo-spa", body: { redirectUris: ["http://localhost:3000/callback"] } },
  list: {
    title: "Clients",
    about: "Applications that this lab knows. Reset restores the original clients.",
    columns: {
      "Client id": "id",
      Name: "name",
      Kind: kindOf,
      Secret: "secret",
      "Redirect URIs": "redirectUris",
    },
    below: "list-registered-clients",
  },
  fields: {
    name: { label: "Name", hint: "the client id", help: "" },
    secret: { kind: "secret", help: "A client without a secret is public." },
    redirectUris: {
      kind: "lines",
      hint: "http://localhost:3000/callback",
      help: "One per line, exactly as the client sends them.",
      rows: 3,
    },
    scopes: {},
    native: {},
    grantTypes: {
      label: "Grants",
      kind: "boxes",
      help:
        "With none ticked: authorization_code and refresh_token if it has a redirect URI, else " +
        "client_credentials.",
    },
  },
});

/** Returns what kind of client it is, by how it authenticates. */
function kindOf(client: ClientConfig): string {
  const { authentication, secret, jwks, jwksUri, native, redirectUris } = client;
  if (native) return "native";
  if (authentication?.some((each) => each.endsWith("tls_client_auth"))) return "certificate";
  // A client with a secret may have a key, too: for its request objects.
  if (secret === undefined) return jwks || jwksUri ? "key" : "public";
  return redirectUris?.length ? "confidential" : "service";
}

/** Returns the operations on the users or the clients of a lab. */
function directoryOperations<T>(
  { what, type, key, directoryOf, list, example, fields = {} }: {
    /** What an entry is: "user". */
    what: string;
    /** The interface of an entry. */
    type: string;
    /** The member that names an entry, which is the open segment of the path: "name". */
    key: keyof T & string;
    directoryOf(lab: CoreLab): Directory<T>;
    /** How their list is shown. */
    list: OperationPage;
    /** An entry of the demo, and what can replace it. */
    example: { segment: string; body: Record<string, unknown> };
    /** What the form of an entry has. */
    fields: OperationPage["fields"];
  },
): Operation[] {
  const all = `${what}s`;
  const one = `${all}/:${key}`;
  const { segment } = example;
  return [
    operation(`GET /${all}`, {
      name: `list-${what}s`,
      summary: `Lists the ${what}s.`,
      kind: "list",
      returns: `${type}[]`,
      page: list,
      run: (lab) => directoryOf(lab).list(),
    }),
    operation(`GET /${one}`, {
      name: `show-${what}`,
      summary: `Returns one ${what}.`,
      kind: "entry",
      returns: type,
      example: { segment },
      page: {},
      run: (lab, { segment }) => directoryOf(lab).get(segment),
    }),
    operation(`PUT /${one}`, {
      name: `put-${what}`,
      summary: `Adds a ${what}, or replaces it as a whole: what is left out is gone.`,
      body: { name: type, inPath: key },
      returns: type,
      example,
      page: { title: `Add a ${what}`, about: `Its ${key} cannot be changed later.`, fields },
      // The directory checks the shape of the entry.
      run(lab, { segment, body }) {
        const { [key]: named = segment } = body;
        if (named !== segment) {
          const problem = `${key} must be '${segment}', as in the path`;
          throw new LabError(`Cannot set the ${what} '${segment}': ${problem}.`);
        }
        return directoryOf(lab).put({ ...body, [key]: segment } as T);
      },
    }),
    operation(`DELETE /${one}`, {
      name: `remove-${what}`,
      summary: `Removes a ${what}.`,
      example: { segment },
      run: (lab, { segment }) => directoryOf(lab).remove(segment),
    }),
  ];
}
