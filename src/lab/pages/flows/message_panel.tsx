/** @jsxImportSource preact */
import type { VNode } from "preact";
import { counted } from "../../../server/util/time/describe_span.ts";
import type { ShownMessage, ShownParameter } from "../../flows/exchange_details.ts";
import { CodeBlock } from "../parts/copy_text.tsx";

interface MessagePanelProps {
  /** "request" or "response", for ids and names. */
  what: string;
  message: ShownMessage;
}

/** A request or response: its parameters explained, its headers and body on demand. */
export function MessagePanel({ what, message }: MessagePanelProps): VNode {
  const { parameters, headers, body } = message;
  return (
    <>
      {parameters.length > 0 && <Parameters parameters={parameters} />}
      {body !== undefined && (
        <details id={`${what}-body`} open={parameters.length === 0}>
          <summary>Body</summary>
          <CodeBlock what={`${what} body`} text={body} />
        </details>
      )}
      {headers.length > 0 && (
        <details id={`${what}-headers`}>
          <summary>{counted(headers.length, "header")}</summary>
          <Parameters parameters={headers} />
        </details>
      )}
    </>
  );
}

function Parameters({ parameters }: { parameters: readonly ShownParameter[] }): VNode {
  return (
    <dl class="parameters">
      {parameters.map(({ name, value, note, isAtFault }) => (
        <div class={isAtFault ? "at-fault" : undefined}>
          <dt>
            <code>{name}</code>
          </dt>
          <dd>
            <code class="value">{value === "" ? "(nothing)" : value}</code>
            {note && (
              <p>
                {note.says} <span class="see">{note.see}</span>
              </p>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}
