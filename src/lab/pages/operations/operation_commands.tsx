/** @jsxImportSource preact */
import type { VNode } from "preact";
import { shellQuote } from "../../../server/util/text/shell_quote.ts";
import { exampleInput, openSegment, type OperationInput } from "../../control/operation_input.ts";
import type { CoreLab } from "../../core/core_lab.ts";
import type { OperationDescription } from "../../core/operation.ts";
import type { LabPageCall } from "../page/lab_page.ts";
import { CodeBlock } from "../parts/copy_text.tsx";
import { Section } from "../parts/section.tsx";

/** How the same is done without the page: in a terminal, and from any language. */
export function commandSection(
  lab: CoreLab,
  { base, request, token }: LabPageCall,
  operation: OperationDescription,
  input = exampleInput(lab, operation),
): VNode {
  const { name } = operation;
  const url = `${new URL(request.url).origin}${base}/lab`;
  return (
    <Section title="From a script" id="commands">
      <CodeBlock what={`command for ${name}`} text={labCommand(operation, input)} />
      <CodeBlock
        what={`curl command for ${name}`}
        text={curlCommand(url, operation, input, token !== undefined)}
      />
      {token && (
        <p class="help">
          This lab has a token: put it into the environment variable <code>LAB_TOKEN</code>.
        </p>
      )}
    </Section>
  );
}

function labCommand(
  { name, path }: OperationDescription,
  { segment, query, body }: OperationInput,
): string {
  const open = openSegment(path);
  const members = { ...open && { [open]: segment }, ...Object.fromEntries(query), ...body };
  const options = Object.entries(members).map(([member, value]) =>
    ` --${member} ${shellQuote(typeof value === "string" ? value : JSON.stringify(value))}`
  );
  return `hallpass call ${name}${options.join("")}`;
}

function curlCommand(
  url: string,
  { method, path, body: described }: OperationDescription,
  { segment, query, body }: OperationInput,
  needsToken: boolean,
): string {
  const place = url + path.replace(/:\w+/, encodeURIComponent(segment));
  const parts = [
    `curl${method === "GET" ? "" : ` -X ${method}`} ${
      shellQuote(query.size > 0 ? `${place}?${query}` : place)
    }`,
    needsToken && `-H "Authorization: Bearer $LAB_TOKEN"`,
    described && `-H 'Content-Type: application/json'`,
    described && `-d ${shellQuote(JSON.stringify(body))}`,
  ];
  return parts.filter(Boolean).join(" \\\n  ");
}
