/** @jsxImportSource preact */
import type { VNode } from "preact";
import type { CoreLab } from "../../../core/core_lab.ts";
import type { LabPageCall } from "../../../pages/page/lab_page.ts";
import { type RecordedRequest, toRecordedRequest } from "../../../recording/recorded_request.ts";

/** The longest value that is shown, in characters. */
const maxLength = 200;

/** Shows a recorded request, with the parameter or header that is at fault. */
export type ShowRequest = (id: number, parameter: string | undefined) => VNode;

/** Returns what shows the recorded requests of a lab with their parameters. Secrets are hidden. */
export function requestsOf(lab: CoreLab, { base }: LabPageCall): ShowRequest {
  const exchanges = new Map(lab.exchanges().map((exchange) => [exchange.id, exchange]));
  return (id, parameter) => {
    const exchange = exchanges.get(id);
    if (!exchange) return <p class="muted">Request {id} is no longer recorded.</p>;
    const href = `${base}/lab/flows/request-${id}?exchange=${id}`;
    return markedRequest(toRecordedRequest(exchange, false), href, parameter);
  };
}

/** The one at fault is marked. It may be missing from the request. */
function markedRequest(request: RecordedRequest, href: string, parameter?: string): VNode {
  const { id, method, path, parameters, headers } = request;
  const header = parameter && headers[parameter.toLowerCase()];
  const isMissing = parameter !== undefined && !parameters[parameter] && !header;
  const shown = Object.entries(parameters).filter(([name]) => !(isMissing && name === parameter));
  return (
    <p class="marked-request">
      <a href={href}>Request {id}</a>
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
