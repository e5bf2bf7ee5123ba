/** @jsxImportSource preact */
import type { VNode } from "preact";
import { counted } from "../../../server/util/time/duration.ts";
import type { ShownMessage, ShownParameter } from "../../flows/exchange_details.ts";
import { CodeBlock } from "../parts/copy_text.tsx";
import { SpecifiedNote } from "../parts/decoded_token.tsx";

/** A longer value is folded. */
const maxUnfoldedValue = 160;

/** More parameters than these are folded. */
const maxUnfolded = 8;

/** A request or response: its parameters explained, its headers and body on demand. */
export function MessagePanel({ what, message }: {
  /** "request" or "response", for ids and names. */
  what: string;
  /** Undefined for a response that did not come. */
  message: ShownMessage | undefined;
}): VNode {
  if (!message) return <p>The connection was closed before the response was complete.</p>;
  const { parameters, headers, body } = message;
  return (
    <>
      {parameters.length > 0 && firstParameters(what, parameters)}
      {body !== undefined && (
        <details id={`${what}-body`} open={parameters.length === 0}>
          <summary>Body</summary>
          <CodeBlock what={`${what} body`} text={body} />
        </details>
      )}
      {headers.length > 0 && (
        <details id={`${what}-headers`}>
          <summary>{counted(headers.length, "header")}</summary>
          {parameterList(`${what}-header`, headers)}
        </details>
      )}
    </>
  );
}

/** The first parameters, and the others on demand. What is at fault is never folded. */
function firstParameters(what: string, parameters: readonly ShownParameter[]): VNode {
  const isFirst = ({ isAtFault }: ShownParameter, at: number) => at < maxUnfolded || isAtFault;
  const others = parameters.filter((each, at) => !isFirst(each, at));
  return (
    <>
      {parameterList(`${what}-parameter`, parameters.filter(isFirst))}
      {others.length > 0 && (
        <details id={`${what}-parameters`}>
          <summary>{others.length} more</summary>
          {parameterList(`${what}-other`, others)}
        </details>
      )}
    </>
  );
}

/** `id` begins the ids of the parameters. */
function parameterList(id: string, parameters: readonly ShownParameter[]): VNode {
  return (
    <dl class="pairs parameters">
      {parameters.map(({ name, value, note, isAtFault, isMissing }, at) => (
        <div class={isAtFault ? "at-fault" : undefined}>
          <dt>
            <code>{name}</code>
          </dt>
          <dd>
            {valueOf(`${id}-${at}`, value || (isMissing ? "(missing)" : "(empty)"))}
            {note && <SpecifiedNote {...note} />}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** A long value, such as a JWT, is folded: it would fill the screen of a phone. */
function valueOf(id: string, value: string): VNode {
  if (value.length <= maxUnfoldedValue) return <code class="value">{value}</code>;
  return (
    <details id={id}>
      <summary>
        <code>{value.slice(0, 16)}…</code> {value.length} characters
      </summary>
      <code class="value">{value}</code>
    </details>
  );
}

/** Secrets are shown by a separate link, so that a screenshot has none by accident. */
export function SecretsForm({ here, step, withSecrets }: {
  /** The path of the page. */
  here: string;
  /** The step of a flow that the page shows. */
  step?: number | undefined;
  withSecrets: boolean;
}): VNode {
  return (
    <form method="get" action={here} class="inline" id="secrets">
      {step !== undefined && <input type="hidden" name="step" value={step} />}
      {!withSecrets && <input type="hidden" name="secrets" value="on" />}
      <button type="submit" class="secondary small">
        {withSecrets ? "Hide secrets" : "Show secrets"}
      </button>
    </form>
  );
}
