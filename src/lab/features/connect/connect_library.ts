import type { ClientConfig } from "../../../server/features.ts";
import { startableClients } from "../../client_role/start_flow.ts";
import type { CoreLab } from "../../core/core_lab.ts";
import { findEndpointUrl, findMetadata } from "../../dialect/lab_endpoints.ts";
import { isAddress } from "../../util/own_addresses.ts";
import { type LibraryConnection, namedEndpoints } from "./connections.ts";

/** How an application that uses a library is connected to one lab, as one of its clients. */
export interface ConnectedLibrary extends LibraryConnection {
  client: ClientConfig;
  /** Whether the client has the redirect URI. */
  isRegistered: boolean;
}

/**
 * Returns the lines for a lab; undefined if it lacks metadata, an endpoint or a client for them. A client
 * with a secret is for an application on a server, one without for one in a browser.
 */
export function connectLibrary(
  lab: CoreLab,
  connection: LibraryConnection,
  isWanted: (client: ClientConfig) => boolean = () => true,
): ConnectedLibrary | undefined {
  const { text, isWithoutMetadata = false } = connection;
  const readsMetadata = /\{(issuer|host)\}/.test(text);
  const hasMetadata = findMetadata(lab) !== undefined;
  if (hasMetadata ? isWithoutMetadata : readsMetadata) return undefined;
  const needsSecret = text.includes("{secret}");
  const client = startableClients(lab).find((each) =>
    !each.native && needsSecret === (each.secret !== undefined) && isWanted(each)
  );
  const lines = client && fillIn(text, lab, client);
  if (client === undefined || lines === undefined) return undefined;
  const { addresses } = lab.context.settings;
  // Some lead back to the lab.
  const own = (client.redirectUris ?? []).filter((uri) => !isAddress(uri, addresses));
  const registered = registeredUri(own, connection.redirectUri);
  const redirectUri = registered ?? connection.redirectUri;
  return {
    ...connection,
    client,
    text: redirectUri === undefined
      ? lines
      : lines.replaceAll(connection.redirectUri ?? redirectUri, redirectUri),
    ...redirectUri !== undefined && { redirectUri },
    isRegistered: registered !== undefined,
  };
}

/** Returns the one of an application that runs a library: its guide may have another port. */
function registeredUri(own: readonly string[], uri: string | undefined): string | undefined {
  if (uri === undefined || own.includes(uri)) return uri;
  const { pathname } = new URL(uri);
  return own.find((each) => /^https?:/.test(each) && new URL(each).pathname === pathname);
}

/** Returns undefined if the lines need an endpoint that the lab does not have. */
function fillIn(text: string, lab: CoreLab, client: ClientConfig): string | undefined {
  const endpoints = namedEndpoints.map((name) => [name, findEndpointUrl(lab, name)] as const);
  const values: Readonly<Record<string, string | undefined>> = {
    issuer: lab.issuer,
    host: new URL(lab.issuer).host,
    client: client.id,
    secret: client.secret,
    ...Object.fromEntries(endpoints),
  };
  const names = [...text.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
  if (names.some((name) => values[name] === undefined)) return undefined;
  return text.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");
}
