import type { Config } from "../../../src/server/config/config.ts";
import type { ServerEvent } from "../../../src/server/config/events.ts";
import { createInternalServer } from "../../../src/server/server.ts";
import type { Store } from "../../../src/server/store/store.ts";
import { basic, createKit, type Kit } from "../../support/kit.ts";

/** When the stored data was made. Tests stop the clock then, so nothing in it expires. */
export const madeAt: number = Date.UTC(2026, 10, 21, 12);

/** The redirect URI of every client. */
export const redirectUri = "https://app.example/callback";

export const deviceGrant = "urn:ietf:params:oauth:grant-type:device_code";
export const exchangeGrant = "urn:ietf:params:oauth:grant-type:token-exchange";

/** A client that a document describes. */
export const documentClient = "https://app.example/client.json";

/** An API, and the one that it calls on behalf of its users. */
export const apiUrl = "https://api.example";
export const stockUrl = "https://stock.example";

const apiSecret = "the-secret-of-the-api-with-44-characters-aaaa";

/** How the API authenticates, which may introspect every token. */
export const api: { Authorization: string } = basic("api", apiSecret);

/** The configuration that made the stored data. It never changes; a new one is for new data. */
const config: Config = {
  issuer: "https://id.example",
  secret: "the secret of the stored data, of 32 characters or more",
  scopes: { openid: "Know who you are", profile: "See your profile", read: "Read" },
  resources: [apiUrl, stockUrl],
  registration: { open: true },
  clientMetadataDocuments: true,
  grantTypes: [
    ...["authorization_code", "refresh_token", "client_credentials"],
    ...[deviceGrant, exchangeGrant],
  ],
  users: [{ name: "carol", password: "the password of carol" }],
  clients: [
    { id: "app", redirectUris: [redirectUri] },
    { id: "opaque", redirectUris: [redirectUri], accessTokenFormat: "opaque" },
    { id: "pairwise", redirectUris: [redirectUri], subjectType: "pairwise" },
    { id: "device", native: true, grantTypes: [deviceGrant, "refresh_token"] },
    {
      id: "notified",
      redirectUris: [redirectUri],
      backchannelLogoutUri: "https://app.example/logout",
    },
    {
      id: "api",
      secret: apiSecret,
      grantTypes: ["client_credentials", exchangeGrant],
      introspect: "any",
      resources: [apiUrl],
      tokenExchange: { subjects: ["app"], audiences: [stockUrl], impersonation: true },
    },
  ],
};

/** A server on stored data, and what it sends to applications. */
export interface StoredKit extends Kit {
  /** The logout tokens that arrived. */
  logouts: string[];
  /** Whether logout tokens arrive. */
  isReachable: boolean;
}

/** Opens a server on a store, some seconds after the data was made. */
export function openOn(store: Store, seconds = 0): StoredKit {
  const events: ServerEvent[] = [];
  const clock = {
    now: madeAt + seconds * 1000,
    advance: (seconds: number) => void (clock.now += seconds * 1000),
  };
  const logouts: string[] = [];
  const server = createInternalServer({
    ...config,
    store,
    now: () => clock.now,
    onEvent: (event) => void events.push(event),
    fetchUntrusted: async () => Response.json(clientDocument),
    fetch: async (_url, { body = "" }) => {
      if (!kit.isReachable) throw new TypeError("connection refused");
      logouts.push(new URLSearchParams(body).get("logout_token") ?? "");
      return new Response(null, { status: 200 });
    },
  });
  const parts = createKit(server, { clock, events }, redirectUri);
  const kit = Object.assign(parts, { logouts, isReachable: false });
  return kit;
}

const clientDocument = {
  client_id: documentClient,
  client_name: "App",
  redirect_uris: [redirectUri],
  grant_types: ["authorization_code", "refresh_token"],
};
