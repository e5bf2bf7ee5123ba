/** @jsxImportSource preact */
import type { VNode } from "preact";
import type { ClientConfig } from "../../../server/features.ts";
import { listElsewhere } from "../../../server/issuer/clients/client_offer.ts";
import { type Client, isPublic } from "../../../server/model/client.ts";
import { withLineBreaks } from "../../../server/pages/access_detail.tsx";
import type { CoreLab } from "../../core/core_lab.ts";
import type { LabPageRoute } from "../page/lab_page.ts";
import { Secret } from "../parts/copy_text.tsx";
import type { Field } from "../parts/fields.tsx";
import { schemaFields } from "../parts/schema_fields.ts";
import { Section } from "../parts/section.tsx";
import { type Column, Empty, Table } from "../parts/tables.tsx";
import { Tag } from "../parts/tag.tsx";
import { clientTrial } from "./client_trial.tsx";
import { type DirectoryArea, directoryPages } from "./directory_pages.tsx";

/** What the pages show of the clients. */
export const clientArea: DirectoryArea<ClientConfig> = {
  what: "client",
  title: "Clients",
  introduction: "Applications that this lab knows. Reset restores the original clients.",
  directoryOf: (lab) => lab.clients,
  nameOf: ({ id }) => id,
  columns: [
    ["Name", ({ name }) => name === undefined ? "" : <bdi>{name}</bdi>],
    ["Kind", (client) => <Tag>{kindOf(client)}</Tag>],
    [
      "Secret",
      ({ secret }) =>
        secret === undefined ? <span class="muted">none</span> : <Secret text={secret} />,
    ],
    ["Redirect URIs", uriList],
  ],
  key: { name: "id", label: "Client id" },
  fieldsOf,
  sectionOf: clientTrial,
  others: otherClients,
};

export const clientPages: readonly LabPageRoute[] = directoryPages(clientArea);

/** Returns what kind of client it is, by how it authenticates. */
function kindOf(client: ClientConfig): string {
  const { authentication, secret, jwks, jwksUri, native, redirectUris } = client;
  if (native) return "native";
  if (authentication?.some((each) => each.endsWith("tls_client_auth"))) return "certificate";
  // A client with a secret may have a key, too: for its request objects.
  if (secret === undefined) return jwks || jwksUri ? "key" : "public";
  return redirectUris?.length ? "confidential" : "service";
}

function uriList({ redirectUris = [] }: ClientConfig): VNode | null {
  if (redirectUris.length === 0) return null;
  return (
    <ul class="plain">
      {redirectUris.map((uri) => (
        <li>
          <code>{withLineBreaks(uri)}</code>
        </li>
      ))}
    </ul>
  );
}

async function fieldsOf(lab: CoreLab): Promise<Field[]> {
  return [
    ...await schemaFields("ClientConfig", {
      clientName: { member: "name", label: "Name", hint: "the client id", help: "" },
      secret: { kind: "secret", help: "A client without a secret is public." },
      redirectUris: {
        kind: "lines",
        hint: "http://localhost:3000/callback",
        help: "One per line, exactly as the client sends them.",
        rows: 3,
      },
      scopes: {},
      grantTypes: {
        label: "Grants",
        kind: "boxes",
        options: lab.context.settings.grantTypes,
        help:
          "With none ticked: authorization_code and refresh_token if it has a redirect URI, else client_credentials.",
      },
      native: { label: "Native: its loopback redirect URIs match on any port" },
    }),
    { name: "more-client", label: "All other settings", fields: [otherSettings] },
  ];
}

const otherSettings: Field = {
  name: "others",
  label: "Settings in JSON",
  kind: "others",
  hint: '{ "requirePar": true, "idTokenAlg": "ES256" }',
  help: "Any setting of a client in the configuration.",
  rows: 8,
};

const otherColumns: ReadonlyArray<Column<Client>> = [
  ["Client id", ({ id }) => <code>{id}</code>],
  ["Name", ({ name }) => <bdi>{name}</bdi>],
  ["Origin", (client) => <Tag>{originOf(client)}</Tag>],
  ["Authentication", methodOf],
  ["Redirect URIs", uriList],
];

/** Shows the clients that are not in the configuration, each with its origin and its rights. */
async function otherClients({ context }: CoreLab): Promise<VNode> {
  const stored = (await context.records.clients.list()).map(([, client]) => client);
  const clients = [...stored, ...await listElsewhere(context)];
  return (
    <Section title="Registered dynamically" id="others" live>
      <Table
        columns={otherColumns}
        entries={clients}
        empty={
          <Empty title="No clients yet">
            Clients that register themselves appear here, and those whose client id is the URL of a
            metadata document.
          </Empty>
        }
      />
    </Section>
  );
}

function originOf({ registration, document }: Client): string {
  if (registration) return "registration";
  return document ? "document" : "first request";
}

function methodOf(client: Client): VNode | string {
  if (isPublic(client)) return "none (public client)";
  return <code>{client.authentication.join(", ")}</code>;
}
