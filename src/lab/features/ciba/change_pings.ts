import { cibaParts } from "../../../server/features/ciba/parts.ts";
import type { OutboundFetch, OutboundRequest } from "../../../server/http/outbound_fetch.ts";
import { isObject, parseJson } from "../../../server/util/text/json.ts";
import type { LabParts } from "../../handling/lab_parts.ts";
import { fires, isWithinScope } from "../../recording/flow_scope.ts";
import { findFault } from "../faults/catalogue.ts";
import type { FaultTools } from "../faults/feature.ts";

/** Returns an outbound fetch that sends pings as the faults change them. */
export function changePings(
  send: OutboundFetch,
  lab: () => Partial<FaultTools>,
  parts: () => LabParts,
): OutboundFetch {
  return async (url, ping) => {
    const id = authReqIdIn(ping);
    if (id === undefined) return await send(url, ping);
    const { events, server } = parts();
    const client = (await cibaParts(server.current().context).credentials.find(id))?.clientId;
    const none = new URLSearchParams();
    const subject = {
      request: { client, query: none, form: none },
      findFlow: async () => undefined,
    };
    let sent = [ping];
    for (const fault of lab().faults?.list() ?? []) {
      const kind = findFault(fault.name);
      if (!("ping" in kind) || !await isWithinScope(fault, subject) || !fires(fault)) continue;
      sent = sent.flatMap(kind.ping);
      const request = { method: ping.method, path: new URL(url).pathname, client };
      events.emitLabEvent({ type: "fault.fired", fault: fault.name, ...request });
    }
    const [response] = await Promise.all(sent.map((each) => send(url, each)));
    return response ?? await send(url, ping);
  };
}

function authReqIdIn({ method, body }: OutboundRequest): string | undefined {
  const content = method === "POST" && body?.startsWith("{") ? parseJson(body) : undefined;
  const id = isObject(content) ? content.auth_req_id : undefined;
  return typeof id === "string" ? id : undefined;
}
