/** @jsxImportSource preact */
import type { VNode } from "preact";
import { startableClients } from "../../client_role/start_flow.ts";
import type { CoreLab } from "../../core/core_lab.ts";
import { CodeBlock } from "./copy_text.tsx";

/** Shown in place of what clients would fill, with the lines that lead one here. */
export function NoClientYet(
  { lab, homeUrl, title }: { lab: CoreLab; homeUrl: string; title: string },
): VNode {
  const [client] = startableClients(lab);
  const lines = [`ISSUER=${lab.issuer}`, ...client ? [`CLIENT_ID=${client.id}`] : []];
  return (
    <div class="empty">
      <p class="empty-title">{title}</p>
      <CodeBlock what="lines that connect an application" text={lines.join("\n")} />
      <p>
        Configure your application with these, or <a href={homeUrl}>start a flow here</a>.
      </p>
    </div>
  );
}
