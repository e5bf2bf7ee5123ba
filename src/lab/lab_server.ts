import type { Config } from "../config/config.ts";
import { profileOf } from "../config/profiles/profiles.ts";
import type { RegistrationPolicy } from "../config/registration_config.ts";
import type { Route } from "../endpoints/route.ts";
import { grantTypes } from "../grants/grants.ts";
import { secretTable } from "../issuer/records/table.ts";
import { jwtBearerGrant } from "../protocol/bearer_assertion.ts";
import { createInternalServer, type InternalServer } from "../server.ts";
import { memoryStore } from "../store/memory.ts";
import { isObject } from "../util/json.ts";
import { isLoopbackHost } from "../util/uri.ts";
import { demoClients } from "./demo/demo_clients.ts";
import { demoIssuer } from "./demo/demo_issuer.ts";
import { demoDetails, demoScopes } from "./demo/demo_scopes.ts";
import { demoUsers } from "./demo/demo_users.ts";
import { makeTestKey } from "./keys/test_keys.ts";
import type { LabEvent } from "./lab_event.ts";
import { callbackPaths, type Flow } from "./pages/flows.ts";
import { authorizedEndpoint } from "./pages/lab_authorized.ts";
import { labHome } from "./pages/lab_home.tsx";
import { labAcrValues, oneClickOrPassword, oneClickSignIn } from "./pages/one_click.tsx";
import { startEndpoint } from "./pages/start_flow.ts";
import { publicPasswords } from "./public_passwords.ts";

/** A lab is configured like a server. Whatever is left out is filled in for trying things out. */
export interface LabConfig extends LabServerConfig, LabPowers {}

export interface LabServerConfig extends Config {
  /** More redirect URIs for the demo clients. */
  redirectUris?: readonly string[];
}

/** What stands around the server, and is nothing to it. */
export interface LabPowers {
  /** Is told what happened in the lab beside its server. */
  onLabEvent?: (event: LabEvent) => void;
  /** Whether whatever names itself is a client, with the secret and the redirect URIs that it brings. Default: false. */
  anyClient?: boolean;
  /** Guards the lab's powers over HTTP; at least 16 characters. Default: none; whoever is on this machine has them. */
  labToken?: string;
  /** Whether the lab's powers over HTTP are left to `control`, for a port of their own, and are nowhere else. Default: false. */
  controlApart?: boolean;
  /** Whether a `login_hint` signs its user in, and allows, without any page. Default: false. */
  signInByHint?: boolean;
}

/** A server with everything that a test needs and a production must never have. */
export function createLabServer({ redirectUris, ...given }: LabServerConfig): InternalServer {
  const {
    issuer,
    frontChannelUrl = issuer,
    store = memoryStore(),
    now = Date.now,
    users = demoUsers,
  } = given;
  const { clients = demoClients({ redirectUris, ...given }) } = given;
  const flows = secretTable<Flow>(store, "lab-flow", now);
  const config: Config = {
    scopes: demoScopes,
    resources: "any",
    authorizationDetails: demoDetails,
    grantTypes: [...grantTypes],
    trustedIssuers: (given.grantTypes ?? grantTypes).includes(jwtBearerGrant) ? [demoIssuer()] : [],
    registrationsPerMinute: Infinity,
    documentsPerMinute: Infinity,
    storedBytesPerMinute: Infinity,
    clientMetadataDocuments: given.fetchUntrusted !== undefined,
    notice: "Test only: whoever can reach this lab can sign in as anybody.",
    hints: true,
    idTokenAlgs: [...profileOf(given.profile).algs],
    acrValues: labAcrValues,
    // A test that moves the clock by months does not mean to rotate the keys.
    keyRotation: "never",
    ...given,
    registration: labRegistration(given.registration),
    store,
    clients,
    users,
    insecure: {
      httpIssuer: true,
      httpRedirectUris: [issuer, frontChannelUrl].some(isOutsideHttp),
      ...given.insecure,
    },
    policies: {
      authenticate: oneClickOrPassword,
      passwords: publicPasswords,
      makeKey: makeTestKey,
      ...given.policies,
    },
    pages: {
      home: labHome(frontChannelUrl, clients, users),
      signIn: oneClickSignIn(users),
      ...given.pages,
    },
  };
  const authorized = authorizedEndpoint(flows, clients);
  const start: Route = {
    method: "GET",
    path: "/start",
    handler: startEndpoint(flows, clients),
    kind: "page",
  };
  const callbacks = callbackPaths.map((path) => ({ ...start, path, handler: authorized }));
  return createInternalServer(config, [start, ...callbacks]);
}

/** Clients under test register with what they need, so all of them may ask for everything. */
function labRegistration(given: RegistrationPolicy = "open"): RegistrationPolicy {
  const policy = given === "open" ? { open: true } : given;
  const allow = { scopes: "any", resources: "any", authorizationDetailsTypes: "any" } as const;
  return isObject(policy) ? { allow, ...policy } : policy;
}

/** In a network of containers neither the lab nor the clients have https. */
function isOutsideHttp(address: string): boolean {
  return address.startsWith("http:") && URL.canParse(address) &&
    !isLoopbackHost(new URL(address).hostname);
}
