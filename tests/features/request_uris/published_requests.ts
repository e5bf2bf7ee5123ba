import type { ClientConfig, Config } from "../../../src/server/features.ts";
import type { OutboundRequest } from "../../../src/server/http/outbound_fetch.ts";
import type { Page } from "../../support/browser.ts";
import { makeClientKey, seconds } from "../../support/client_key.ts";
import { encode, type Fields, type Kit, openStrictKit } from "../../support/kit.ts";

export const key = await makeClientKey("ES256");
export const objectUri = "https://app.example/request.jwt";
export const redirectUri = "https://hallpass.test/authorized";

/** A client that publishes its requests. */
export const app: ClientConfig = {
  id: "app",
  jwks: { keys: [key.publicJwk] },
  redirectUris: [redirectUri],
  authentication: ["none"],
  requestUris: [objectUri],
};

/** A server, what it fetched, and what it finds there. */
export interface PublishingKit {
  kit: Kit;
  fetched: Array<{ url: string } & Pick<OutboundRequest, "method" | "headers" | "redirect">>;
  /** Decides how sites respond from now on. */
  publish(respond: (url: string) => Response | Promise<Response>): void;
  /** Publishes an object of the client with a test's changes, and returns it. */
  publishObject(changes?: Record<string, unknown>): Promise<string>;
  /** Opens the authorization endpoint with a reference. */
  open(uri?: string, outside?: Fields): Promise<Page>;
  /** Completes a request by reference, and returns the parameters of the callback. */
  authorize(uri?: string, outside?: Fields): Promise<URLSearchParams>;
}

export function openPublishing(
  client: Partial<ClientConfig> = {},
  config: Partial<Config> = {},
): PublishingKit {
  const fetched: PublishingKit["fetched"] = [];
  let respond: (url: string) => Response | Promise<Response> = () =>
    new Response("", { status: 404 });
  const kit = openStrictKit({
    requestUris: true,
    clients: [{ ...app, ...client }, { ...app, id: "other", requestUris: [] }],
    fetch: () => Promise.reject(new Error("A request went through the fetch for the operator.")),
    async fetchUntrusted(url, { method, headers, redirect }) {
      fetched.push({ url, method, headers, redirect });
      return await respond(url);
    },
    ...config,
  });
  const publishing: PublishingKit = {
    kit,
    fetched,
    publish: (next) => void (respond = next),
    async publishObject(changes) {
      const object = await key.sign(claims(kit, changes));
      respond = () => jwtResponse(object);
      return object;
    },
    open: (uri, outside) => kit.browser().open(urlOf(kit, uri, outside)),
    async authorize(uri, outside) {
      return new URL(await kit.browser().authorize(urlOf(kit, uri, outside))).searchParams;
    },
  };
  return publishing;
}

/** Returns the URL of a request by reference, with parameters besides it. */
function urlOf({ issuer }: Kit, request_uri = objectUri, outside: Fields = {}): string {
  return `${issuer}/oauth2/authorize?${encode({ client_id: "app", request_uri, ...outside })}`;
}

/** Returns the claims of a request object that is in order, with a test's changes. */
export function claims(kit: Kit, changes: Record<string, unknown> = {}): Record<string, unknown> {
  const parameters = kit.parameters({ client_id: "app", scope: "openid", state: "inside" });
  const times = { exp: seconds(kit) + 300, nbf: seconds(kit), iat: seconds(kit) };
  return { ...parameters, iss: "app", aud: kit.issuer, ...times, ...changes };
}

export function jwtResponse(object: string, type = "application/oauth-authz-req+jwt"): Response {
  return new Response(object, { headers: { "Content-Type": type } });
}
