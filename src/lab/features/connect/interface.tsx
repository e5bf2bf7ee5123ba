/** @jsxImportSource preact */
import type { VNode } from "preact";
import type { ClientConfig } from "../../../server/features.ts";
import { startableClients } from "../../client_role/start_flow.ts";
import type { CoreLab } from "../../core/core_lab.ts";
import { findEndpointUrl, findMetadata } from "../../dialect/lab_endpoints.ts";
import type { FeatureInterface } from "../../pages/page/feature_interface.ts";
import { CodeBlock, CopyText } from "../../pages/parts/copy_text.tsx";
import { isAddress } from "../../util/own_addresses.ts";
import { connections, type LibraryConnection, namedEndpoints } from "./connections.ts";

/** What the home page shows to people who write an application. */
export const connectInterface: FeatureInterface = {
  additions: {
    "an application to connect": (base, chosen, lab) => connectSection(base, chosen, lab),
  },
};

/**
 * Shows how the chosen library is configured for this lab, with the secret of a client. The choice
 * belongs to the form that starts a flow, which remembers it.
 */
function connectSection(base: string, chosen: string, lab: CoreLab): VNode | undefined {
  const shown = connections.flatMap((connection) => filledIn(lab, connection) ?? []);
  const entry = shown.find(({ connection }) => idOf(connection.library) === chosen) ?? shown[0];
  if (entry === undefined) return undefined;
  return (
    <>
      <label for="library">Your library</label>
      <div class="button-row">
        <select id="library" name="library" form="flow-builder">
          {shown.map((each) => {
            const { library } = each.connection;
            return <option value={idOf(library)} selected={each === entry}>{library}</option>;
          })}
        </select>
        <noscript>
          <button type="submit" class="secondary" form="flow-builder">Show</button>
        </noscript>
      </div>
      <div id="connect-lines" data-live>{linesOf(base, lab, entry)}</div>
    </>
  );
}

/** A connection, with the client that fits it and its lines for that client. */
interface FilledConnection {
  connection: LibraryConnection;
  client: ClientConfig;
  lines: string;
}

/** A client with a secret is for an application on a server, one without for one in a browser. */
function filledIn(lab: CoreLab, connection: LibraryConnection): FilledConnection | undefined {
  const { text, isWithoutMetadata = false } = connection;
  const readsMetadata = /\{(issuer|host)\}/.test(text);
  const hasMetadata = findMetadata(lab) !== undefined;
  if (hasMetadata ? isWithoutMetadata : readsMetadata) return undefined;
  const needsSecret = text.includes("{secret}");
  const client = startableClients(lab).find(({ secret, native }) =>
    !native && needsSecret === (secret !== undefined)
  );
  const lines = client && fillIn(text, lab, client);
  return client && lines !== undefined ? { connection, client, lines } : undefined;
}

function linesOf(base: string, lab: CoreLab, { connection, client, lines }: FilledConnection) {
  const { library, file, note, source } = connection;
  const own = ownRedirectUris(lab, client);
  const registered = registeredUri(own, connection.redirectUri);
  const redirectUri = registered ?? connection.redirectUri;
  const shown = redirectUri === undefined
    ? lines
    : lines.replaceAll(connection.redirectUri ?? redirectUri, redirectUri);
  return (
    <>
      <p class="help">
        In <code>{file}</code>
        {source && (
          <>
            , as <a href={source}>its documentation</a> describes
          </>
        )}
        {note ? `. ${note}` : "."}
      </p>
      <CodeBlock what={`configuration of ${library}`} text={shown} />
      {redirectUri && (
        <p class="help">
          Register <CopyText what={`redirect URI of ${library}`} text={redirectUri} /> for{" "}
          <a href={`${base}/lab/clients/${encodeURIComponent(client.id)}`}>{client.id}</a>
          {registered ? " (done)." : ", or with one click once it was refused."}
        </p>
      )}
    </>
  );
}

/** Returns where a client returns to, apart from the lab. */
function ownRedirectUris({ context }: CoreLab, { redirectUris = [] }: ClientConfig): string[] {
  return redirectUris.filter((uri) => !isAddress(uri, context.settings.addresses));
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

function idOf(library: string): string {
  return library.toLowerCase().replaceAll(/\W+/g, "-").replace(/-$/, "");
}
