import type { ClientConfig } from "../../../server/features.ts";
import { randomSecret } from "../../../server/issuer/random.ts";
import type { CoreLab } from "../../core/core_lab.ts";
import { type Operation, operation } from "../../core/operation.ts";
import { callSchemas, type RegisterClientCall } from "./calls.ts";

/** A client as its application needs it. */
export interface ConnectedClient {
  /** The issuer. */
  issuer: string;
  /** The client_id. */
  clientId: string;
  /** The client secret, if the client has one. */
  clientSecret?: string | undefined;
  /** Where users return to. */
  redirectUris: string[];
}

export const registerClientOperation: Operation = operation("POST /register-client", {
  name: "register-client",
  summary:
    "Registers an application as a client, or changes only the redirect URIs of a known one; returns its client_id and secret.",
  agents: "Use it before connect_app if the application has its own redirect URI, or after a " +
    "refusal because of an unknown client or redirect_uri.",
  body: { name: "RegisterClientCall", schema: callSchemas.RegisterClientCall },
  example: { body: { id: "notes", redirectUris: ["http://localhost:3000/callback"] } },
  returns: "ConnectedClient",
  run: (lab, { body }) => registerClient(lab, body as unknown as RegisterClientCall),
});

/** What each kind of application is as a client, apart from its secret. */
const kinds: Readonly<Record<string, Partial<ClientConfig>>> = {
  web: {},
  browser: {},
  native: { native: true },
  machine: { grantTypes: ["client_credentials"] },
};

/** Registers a client, or changes one, which keeps its secret. */
export function registerClient(lab: CoreLab, call: RegisterClientCall): ConnectedClient {
  const { id, kind, redirectUris } = call;
  const known = lab.clients.list().find((each) => each.id === id);
  const client = known && kind === undefined ? known : newClient(lab, known, call);
  lab.clients.put({ ...client, ...redirectUris && { redirectUris } });
  return {
    issuer: lab.issuer,
    clientId: id,
    ...client.secret !== undefined && { clientSecret: client.secret },
    redirectUris: [...redirectUris ?? client.redirectUris ?? []],
  };
}

/** Returns a client of a kind, with the redirect URIs and the secret that it had as another one. */
function newClient(
  lab: CoreLab,
  { redirectUris, secret = "" }: Partial<ClientConfig> = {},
  { id, kind = "web" }: RegisterClientCall,
): ClientConfig {
  const client = { id, ...redirectUris && { redirectUris }, ...kinds[kind] };
  const hasSecret = kind === "web" || kind === "machine";
  return hasSecret ? { ...client, secret: secret || randomSecret(lab.context) } : client;
}
