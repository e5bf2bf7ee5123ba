/** @jsxImportSource preact */
import type { VNode } from "preact";
import { serviceCommand } from "../../client_role/service_command.ts";
import { startableClients } from "../../client_role/start_flow.ts";
import type { CoreLab } from "../../core/core_lab.ts";
import type { LabPageCall } from "../page/lab_page.ts";
import { CodeBlock } from "../parts/copy_text.tsx";
import { Section } from "../parts/section.tsx";

/** How a client is tried: by a flow in a browser, or by commands that need none. */
export async function clientTrial(
  lab: CoreLab,
  { base, clientCommands }: LabPageCall,
  id: string,
): Promise<VNode> {
  const client = lab.clients.get(id);
  const canStart = startableClients(lab).includes(client);
  const makers = [serviceCommand, ...clientCommands];
  const commands = (await Promise.all(makers.map((make) => make(lab, client)))).flat();
  const flows = `${base}/lab/flows?${new URLSearchParams({ client: id })}`;
  return (
    <Section title="Try it" id="try" actions={<a href={flows}>Its flows</a>}>
      {canStart && (
        <a class="button" href={`${base}/start?client_id=${encodeURIComponent(id)}`}>
          Start a flow
        </a>
      )}
      {commands.map(({ what, text, note }) => (
        <>
          <h3>{what}</h3>
          <CodeBlock what={`command of ${id}: ${what}`} text={text} />
          {note && <p class="help">{note}</p>}
        </>
      ))}
    </Section>
  );
}
