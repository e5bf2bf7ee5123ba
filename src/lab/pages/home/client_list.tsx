/** @jsxImportSource preact */
import type { VNode } from "preact";
import type { ClientConfig } from "../../../server/features.ts";
import { startableClients } from "../../client_role/start_flow.ts";
import type { CoreLab } from "../../core/core_lab.ts";
import { CodeBlock, CopyText } from "../parts/copy_text.tsx";
import { Section } from "../parts/section.tsx";
import type { ClientCommand } from "./client_command.ts";
import { commandsOf } from "./client_commands.ts";
import { purposeOf } from "./client_purpose.ts";
import { firstEntries, linkToAll } from "./link_to_all.tsx";

/**
 * The first clients, what each is for, and how to try it. Their secrets, which commands contain, too,
 * are shown only to visitors who may see them.
 */
export async function clientList(
  lab: CoreLab,
  base: string,
  maySeeSecrets: boolean,
): Promise<VNode> {
  const all = lab.clients.list();
  const startable = startableClients(lab);
  const entries = firstEntries(all).map(async (client) => {
    const { id, name = id, secret } = client;
    const commands = maySeeSecrets ? await commandsOf(lab, client) : [];
    return (
      <li id={`client-${id}`}>
        <div>
          <p class="client-name">
            <strong>
              <bdi>{name}</bdi>
            </strong>{" "}
            <CopyText what={`id of ${name}`} text={id} />
          </p>
          <p class="help">{purposeOf(client)}</p>
          {maySeeSecrets && secret !== undefined && (
            <p class="help">
              Secret <CopyText what={`secret of ${id}`} text={secret} />
            </p>
          )}
          {commands.map((command) => commandOf(client, command))}
        </div>
        {startable.includes(client) && (
          <a
            href={`${base}/start?client_id=${encodeURIComponent(id)}`}
            aria-label={`Try it: start a flow of ${name}`}
          >
            Try it
          </a>
        )}
      </li>
    );
  });
  return (
    <Section title="Clients" id="clients" actions={linkToAll(base, "clients", all.length)}>
      <ul class="entries client-list">{await Promise.all(entries)}</ul>
    </Section>
  );
}

function commandOf({ id }: ClientConfig, { what, text, note }: ClientCommand): VNode {
  return (
    <details class="command">
      <summary>{what}</summary>
      <CodeBlock what={`command of ${id}: ${what}`} text={text} />
      {note && <p class="help">{note}</p>}
    </details>
  );
}
