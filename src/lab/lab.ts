import { memoryStore } from "../store/memory.ts";
import type { Config } from "../issuer/config.ts";
import { publicPasswords } from "../issuer/passwords.ts";
import { secretTable } from "../issuer/records.ts";
import type { Route } from "../endpoints/route.ts";
import type { Server } from "../server.ts";
import { createServer } from "../server.ts";
import { demoClients, demoScopes, demoUsers } from "./demo.ts";
import type { Flow } from "./flows.ts";
import { authorizedEndpoint } from "./lab_authorized.ts";
import { labHome } from "./lab_home.tsx";
import { oneClickOrPassword, oneClickSignIn } from "./one_click.tsx";
import { startEndpoint } from "./start.ts";
import { makeTestKey } from "./test_keys.ts";

/** A lab is configured like a server. What is left away is filled in for trying things out. */
export interface LabConfig extends Config {
  /** More redirect URIs for the demo clients. */
  redirectUris?: string[];
}

/** A server with everything that a test needs and a production must never have. */
export function createLab({ redirectUris, ...given }: LabConfig): Server {
  const store = given.store ?? memoryStore();
  const clients = given.clients ?? demoClients(given.issuer, redirectUris);
  const users = given.users ?? demoUsers;
  const flows = secretTable<Flow>(store, "lab-flow", given.now ?? Date.now);
  const config: Config = {
    scopes: demoScopes,
    resources: "any",
    notice: "Test only: whoever can reach this lab can sign in as anybody.",
    insecure: { httpIssuer: true },
    ...given,
    store,
    clients,
    users,
    policies: { authenticate: oneClickOrPassword, passwords: publicPasswords, makeKey: makeTestKey, ...given.policies },
    pages: { home: labHome(clients, users), signIn: oneClickSignIn(users), ...given.pages },
  };
  return createServer(config, labRoutes(authorizedEndpoint(flows, clients), startEndpoint(flows, clients)));
}

function labRoutes(authorized: Route["answer"], start: Route["answer"]): Route[] {
  return [
    { method: "GET", path: "/start", answer: start, for: "people" },
    { method: "GET", path: "/authorized", answer: authorized, for: "people" },
    { method: "GET", path: "/callback", answer: authorized, for: "people" },
  ];
}
