/** @jsxImportSource preact */
import type { VNode } from "preact";
import type { ClientConfig } from "../../../server/features.ts";
import { CodeBlock, CopyText } from "../parts/copy_text.tsx";
import { Section } from "../parts/section.tsx";
import type { ClientCommand } from "./client_command.ts";
import { purposeOf } from "./client_purpose.ts";
import { LinkToAll } from "./link_to_all.tsx";

/** A client with what can be done in its role. */
export interface ListedClient {
  client: ClientConfig;
  isStartable: boolean;
  commands: readonly ClientCommand[];
}

interface ClientTableProps {
  base: string;
  clients: readonly ListedClient[];
  /** How many clients the lab has. */
  count: number;
}

/** The first clients, what each is for, and how to try it. */
export function ClientTable({ base, clients, count }: ClientTableProps): VNode {
  const all = <LinkToAll href={`${base}/lab/clients`} what="clients" count={count} />;
  return (
    <Section title="Clients" id="clients" actions={all}>
      <ul class="entries client-list">
        {clients.map((listed) => <ClientEntry base={base} listed={listed} />)}
      </ul>
    </Section>
  );
}

interface ClientEntryProps {
  base: string;
  listed: ListedClient;
}

function ClientEntry({ base, listed }: ClientEntryProps): VNode {
  const { client: { id, name, secret }, isStartable, commands } = listed;
  return (
    <li id={`client-${id}`}>
      <div>
        <p class="client-name">
          <strong>
            <bdi>{name ?? id}</bdi>
          </strong>{" "}
          <CopyText what={`id of ${name ?? id}`} text={id} />
        </p>
        <p class="help">{purposeOf(listed.client)}</p>
        {secret !== undefined && (
          <p class="help">
            Secret <CopyText what={`secret of ${id}`} text={secret} />
          </p>
        )}
        {commands.map((command) => <Command id={id} command={command} />)}
      </div>
      {isStartable && (
        <a
          class="button secondary"
          href={`${base}/start?client_id=${encodeURIComponent(id)}`}
          aria-label={`Start a flow of ${name ?? id}`}
        >
          Start
        </a>
      )}
    </li>
  );
}

interface CommandProps {
  id: string;
  command: ClientCommand;
}

function Command({ id, command }: CommandProps): VNode {
  const { what, text, note } = command;
  return (
    <details class="command">
      <summary>{what}</summary>
      <CodeBlock what={`command of ${id}: ${what}`} text={text} />
      {note && <p class="help">{note}</p>}
    </details>
  );
}
