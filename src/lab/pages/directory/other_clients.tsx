/** @jsxImportSource preact */
import type { VNode } from "preact";
import { listElsewhere } from "../../../server/issuer/clients/client_sources.ts";
import { type Client, isPublic } from "../../../server/model/client.ts";
import type { CoreLab } from "../../core/core_lab.ts";
import { Empty } from "../parts/empty.tsx";
import { Section } from "../parts/section.tsx";
import { Tag } from "../parts/tag.tsx";
import { UriList } from "./uri_list.tsx";

/** Shows the clients that are not in the configuration, each with its origin and its rights. */
export async function otherClients({ context }: CoreLab): Promise<VNode> {
  const stored = (await context.records.clients.list()).map(([, client]) => client);
  const clients = [...stored, ...await listElsewhere(context)];
  return (
    <Section title="Registered dynamically" id="others" live>
      {clients.length === 0 ? <NoClient /> : <ClientTable clients={clients} />}
    </Section>
  );
}

function NoClient(): VNode {
  return (
    <Empty title="No clients yet">
      Clients that register themselves appear here, and those whose client id is the URL of a
      metadata document.
    </Empty>
  );
}

function ClientTable({ clients }: { clients: readonly Client[] }): VNode {
  return (
    <table class="stacking">
      <thead>
        <tr>
          <th scope="col">Client id</th>
          <th scope="col">Name</th>
          <th scope="col">Origin</th>
          <th scope="col">Authentication</th>
          <th scope="col">Redirect URIs</th>
        </tr>
      </thead>
      <tbody>
        {clients.map((client) => (
          <tr>
            <th scope="row">
              <code>{client.id}</code>
            </th>
            <td data-label="Name">
              <bdi>{client.name}</bdi>
            </td>
            <td data-label="Origin">
              <Tag>{originOf(client)}</Tag>
            </td>
            <td data-label="Authentication">{methodOf(client)}</td>
            <td data-label="Redirect URIs">
              <UriList uris={client.redirectUris} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
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
