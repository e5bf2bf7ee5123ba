/** @jsxImportSource preact */
import type { VNode } from "preact";
import { counted } from "../../../server/util/time/describe_span.ts";
import type { ShownMessage, ShownParameter } from "../../flows/exchange_details.ts";
import { CodeBlock } from "../parts/copy_text.tsx";

/** A longer value is folded. */
const maxUnfoldedValue = 160;

/** More parameters than these are folded. */
const maxUnfolded = 8;

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
      <FirstParameters what={what} parameters={parameters} />
      {body !== undefined && (
        <details id={`${what}-body`} open={parameters.length === 0}>
          <summary>Body</summary>
          <CodeBlock what={`${what} body`} text={body} />
        </details>
      )}
      {headers.length > 0 && (
        <details id={`${what}-headers`}>
          <summary>{counted(headers.length, "header")}</summary>
          <Parameters id={`${what}-header`} parameters={headers} />
        </details>
      )}
    </>
  );
}

interface FirstParametersProps {
  what: string;
  parameters: readonly ShownParameter[];
}

/** The first parameters, and the others on demand. What is at fault is never folded. */
function FirstParameters({ what, parameters }: FirstParametersProps): VNode | null {
  if (parameters.length === 0) return null;
  const isFirst = ({ isAtFault }: ShownParameter, at: number) => at < maxUnfolded || isAtFault;
  const first = parameters.filter(isFirst);
  const others = parameters.filter((each, at) => !isFirst(each, at));
  return (
    <>
      <Parameters id={`${what}-parameter`} parameters={first} />
      {others.length > 0 && (
        <details id={`${what}-parameters`}>
          <summary>{others.length} more</summary>
          <Parameters id={`${what}-other`} parameters={others} />
        </details>
      )}
    </>
  );
}

interface ParametersProps {
  /** Begins the ids of the parameters. */
  id: string;
  parameters: readonly ShownParameter[];
}

function Parameters({ id, parameters }: ParametersProps): VNode {
  return (
    <dl class="parameters">
      {parameters.map((parameter, at) => <Parameter {...parameter} id={`${id}-${at}`} />)}
    </dl>
  );
}

function Parameter(
  { id, name, value, note, isAtFault, isMissing }: ShownParameter & { id: string },
): VNode {
  return (
    <div class={isAtFault ? "at-fault" : undefined}>
      <dt>
        <code>{name}</code>
      </dt>
      <dd>
        <ParameterValue id={id} value={value} empty={isMissing ? "(missing)" : "(empty)"} />
        {note && (
          <p>
            {note.says} <span class="see">{note.see}</span>
          </p>
        )}
      </dd>
    </div>
  );
}

/** A long value, such as a JWT, is folded: it would fill the screen of a phone. */
function ParameterValue(
  { id, value, empty }: { id: string; value: string; empty: string },
): VNode {
  if (value.length <= maxUnfoldedValue) {
    return <code class="value">{value === "" ? empty : value}</code>;
  }
  return (
    <details id={id}>
      <summary>
        <code>{value.slice(0, 16)}…</code> {value.length} characters
      </summary>
      <code class="value">{value}</code>
    </details>
  );
}
