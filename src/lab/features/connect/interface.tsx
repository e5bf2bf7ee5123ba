/** @jsxImportSource preact */
import type { VNode } from "preact";
import type { ClientConfig } from "../../../server/features.ts";
import { startableClients } from "../../client_role/start_flow.ts";
import type { CoreLab } from "../../core/core_lab.ts";
import { findEndpointUrl } from "../../dialect/lab_endpoints.ts";
import type { FeatureInterface } from "../../pages/page/feature_interface.ts";
import { CodeBlock, CopyText } from "../../pages/parts/copy_text.tsx";
import { Section } from "../../pages/parts/section.tsx";
import { isAddress } from "../../util/own_addresses.ts";
import { connections, type LibraryConnection, namedEndpoints } from "./connections.ts";

/** What the home page shows to people who write an application. */
export const connectInterface: FeatureInterface = {
  additions: {
    "an application to connect": (base, _name, lab) => connectSection(base, lab),
  },
};

/** Shows how each library is configured for this lab, with the secret of a client. */
function connectSection(base: string, lab: CoreLab): VNode | undefined {
  const shown = connections.flatMap((connection) => entryOf(base, lab, connection) ?? []);
  if (shown.length === 0) return undefined;
  return (
    <Section title="Connect your app" id="connect">
      <p class="help">The issuer, a client and its secret, as each library reads them:</p>
      <div class="codes">{shown}</div>
    </Section>
  );
}

/** A client with a secret is for an application on a server, one without for one in a browser. */
function entryOf(base: string, lab: CoreLab, connection: LibraryConnection): VNode | undefined {
  const { library, file, text, note, source } = connection;
  const needsSecret = text.includes("{secret}");
  const client = startableClients(lab).find(({ secret, native }) =>
    !native && needsSecret === (secret !== undefined)
  );
  const lines = client && fillIn(text, lab, client);
  if (client === undefined || lines === undefined) return undefined;
  const own = ownRedirectUris(lab, client);
  const registered = registeredUri(own, connection.redirectUri);
  const redirectUri = registered ?? connection.redirectUri;
  const shown = redirectUri === undefined
    ? lines
    : lines.replaceAll(connection.redirectUri ?? redirectUri, redirectUri);
  return (
    <details name="connect" id={`connect-${idOf(library)}`} open={connection === connections[0]}>
      <summary>{library}</summary>
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
          {registered ? " (done)." : ", or start the lab with --redirect-uri."}
        </p>
      )}
    </details>
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
