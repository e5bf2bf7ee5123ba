/** @jsxImportSource preact */
import type { VNode } from "preact";
import type { RecordedRequest } from "../../recording/recorded_request.ts";

/** The longest value that is shown, in characters. */
const maxLength = 200;

interface MarkedRequestProps {
  /** The request; undefined if it was deleted or forgotten. */
  request: RecordedRequest | undefined;
  /** The id of the recorded request. */
  id: number;
  /** The parameter or header that is at fault. It may be missing from the request. */
  parameter?: string | undefined;
  /** Returns the URL of the page that shows a recorded request in its flow. */
  hrefOf(id: number): string;
}

/** A recorded request with its parameters; the one at fault is marked. Secrets are hidden. */
export function MarkedRequest({ request, id, parameter, hrefOf }: MarkedRequestProps): VNode {
  if (!request) return <p class="muted">Request {id} is no longer recorded.</p>;
  const { method, path, parameters, headers } = request;
  const header = parameter && headers[parameter.toLowerCase()];
  const isMissing = parameter !== undefined && !parameters[parameter] && !header;
  const shown = Object.entries(parameters).filter(([name]) => !(isMissing && name === parameter));
  return (
    <p class="marked-request">
      <a href={hrefOf(id)}>Request {id}</a>
      <code>{method} {path}</code>
      {header && <Pair text={`${parameter}: ${header}`} isAtFault />}
      {shown.map(([name, value]) => (
        <Pair text={`${name}=${value}`} isAtFault={name === parameter} />
      ))}
      {isMissing && <Pair text={`${parameter} is missing`} isAtFault />}
    </p>
  );
}

function Pair({ text, isAtFault = false }: { text: string; isAtFault?: boolean }): VNode {
  const shown = text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
  const pair = <code class="parameter">{shown}</code>;
  return isAtFault ? <mark>{pair}</mark> : pair;
}
