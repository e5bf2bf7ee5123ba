import { type AddedServerSettings, settingsPart } from "../../config/feature_config.ts";
import { hasKeys } from "../../config/make_client.ts";
import type { AddedClientSettings } from "../../config/settings.ts";
import { noFetch } from "../../http/outbound_fetch.ts";
import { type Client, describesItself } from "../../model/client.ts";
import { webUriProblem } from "../../protocol/redirect_uri.ts";
import settings from "./settings.json" with { type: "json" };

/** Whether the server reads request objects by reference. */
export interface RequestUrisSetting {
  /**
   * Whether the server fetches the signed request object of an authorization request from one of
   * its client's `requestUris` (OpenID Connect Core, section 6.2). Needs `fetchUntrusted`.
   */
  requestUris?: boolean;
}

/** Where a client publishes its request objects. */
export interface RequestUrisClientConfig {
  /**
   * Where its signed request objects are (`request_uri`). A URI whose fragment is the SHA-256 of
   * the object, in base64url, is fetched once.
   */
  requestUris?: string[];
}

/** OpenID Connect Core, section 6.2, has the same limit. */
const maxLength = 512;

const serverPart = settingsPart<Required<RequestUrisSetting>>(settings.RequestUrisSetting);

export const requestUrisServer: AddedServerSettings<Required<RequestUrisSetting>> = {
  ...serverPart,
  check({ requestUris: isOn }, { fetchUntrusted, clients }, report) {
    if (isOn && fetchUntrusted === noFetch) {
      report(
        "requestUris",
        "needs fetchUntrusted, a safe way to fetch them; hallpass/serve has guardedFetch()",
      );
    }
    for (const [at, client] of isOn ? [] : clients.list().entries()) {
      if (requestUrisOf(client).length === 0) continue;
      report(`clients[${at}].requestUris`, "needs requestUris of the server, which is off");
    }
  },
};

export const requestUrisClients: AddedClientSettings = {
  ...settingsPart(settings.RequestUrisClientConfig),
  check(config, { level, httpRedirectUris }, report) {
    const uris = requestUrisOf(config);
    const { redirectUris = [] } = config;
    for (const [at, uri] of uris.entries()) {
      const problem = requestUriProblem(uri, httpRedirectUris);
      if (problem) report(`requestUris[${at}]`, problem);
      else if (level !== "trusted" && !hasOriginOf(uri, redirectUris)) {
        report(`requestUris[${at}]`, "does not have the origin of a redirect URI of the client");
      }
    }
    if (uris.length === 0 || hasKeys(config)) return;
    report("jwks", "is missing, but the client signs request objects; set jwks or jwksUri");
  },
};

/** Whether the server fetches what a `request_uri` names. */
export function readsRequestUris(server: object): boolean {
  return serverPart.of(server).requestUris;
}

/**
 * Whether a `request_uri` is one of those that a client registered. The redirect URIs of a client
 * that described itself may have changed since.
 */
export function isRequestUriOf(client: Client, uri: string): boolean {
  return requestUrisOf(client).includes(uri) &&
    (!describesItself(client) || hasOriginOf(uri, client.redirectUris));
}

/** A server without this feature stored clients that have none. */
function requestUrisOf(client: object): readonly string[] {
  const { requestUris = [] }: RequestUrisClientConfig = client;
  return requestUris;
}

/** Returns why the URI of a request object is invalid, or undefined. */
function requestUriProblem(uri: string, allowHttp: boolean): string | undefined {
  const [address = ""] = uri.split("#", 1);
  const problem = webUriProblem(address, allowHttp);
  if (problem) return problem;
  if (!allowHttp && !address.startsWith("https:")) return "is not an https URL";
  return uri.length > maxLength ? `is longer than ${maxLength} characters` : undefined;
}

/** Otherwise anyone could register a client, and make this server send requests to any site. */
function hasOriginOf(uri: string, redirectUris: readonly string[]): boolean {
  const { origin } = new URL(uri);
  return redirectUris.some((each) => URL.canParse(each) && new URL(each).origin === origin);
}
