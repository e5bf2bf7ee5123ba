import type { ResponseData } from "../../server/http/response_data.ts";
import type { CoreLab } from "../core/core_lab.ts";
import { type Operation, operation } from "../core/operation.ts";
import { describeFlow } from "../flows/describe_flow.ts";
import { requireFlowSource } from "../flows/flow_source.ts";
import { drawNewestFlows, toTextDiagram } from "../flows/text_diagram.ts";
import { readSpan } from "../util/clock.ts";
import { LabError } from "../util/lab_error.ts";
import { textResponse, wantsText } from "../util/text_response.ts";

export const recordOperations: readonly Operation[] = [
  operation("GET /requests", {
    name: "list-requests",
    summary: "Lists the recorded requests with their responses, the newest last.",
    query: {
      path: "Only requests with this path below the issuer: /oauth2/token.",
      method: "Only requests with this method.",
      client: "Only requests of this client.",
      status: "Only requests whose response has this status.",
      wait: "How long to wait for a request if there is none: 5s.",
      secrets: "true shows secrets.",
    },
    kind: "list",
    returns: "RecordedRequest[]",
    async run(lab, { query }) {
      const value = (name: string) => query.get(name) || undefined;
      const status = value("status") === undefined ? undefined : Number(value("status"));
      if (Number.isNaN(status)) throw new LabError("The 'status' must be a number.");
      const filter = {
        path: value("path"),
        method: value("method"),
        client: value("client"),
        status,
        secrets: value("secrets") === "true",
      };
      const wait = value("wait") === undefined ? 0 : readSpan(value("wait"));
      if (wait > 0 && lab.requests(filter).length === 0) await lab.nextRequest(filter, wait);
      return lab.requests(filter);
    },
  }),
  operation("DELETE /requests", {
    name: "clear-requests",
    summary: "Deletes all recorded requests, also those of earlier tests: no report counts them.",
    run: (lab) => lab.clearRequests(),
  }),
  operation("GET /flows", {
    name: "list-flows",
    summary: "Lists what happened in each authorization; as text, draws the newest three.",
    kind: "list",
    returns: "FlowTrace[]",
    otherFormats: ["text/plain"],
    run(lab, { request }) {
      const flows = lab.flows();
      if (!wantsText(request.headers)) return flows;
      const recorded = { issuer: lab.issuer, exchanges: lab.exchanges(), flows };
      return textResponse(drawNewestFlows(recorded));
    },
  }),
  operation("GET /flows/:id", {
    name: "show-flow",
    example: { segment: "flow-1" },
    summary: "Returns what happened in one authorization; as text, its diagram.",
    returns: "FlowTrace",
    otherFormats: ["text/plain"],
    run(lab, { segment, request }) {
      const source = requireFlowSource(lab, segment);
      if (wantsText(request.headers)) {
        return textResponse(toTextDiagram(describeFlow(source, source.exchanges, lab.issuer)));
      }
      const flow = lab.flows().find(({ id }) => id === source.id);
      if (!flow) throw new LabError(`Request ${source.named} belongs to no flow.`);
      return flow;
    },
  }),
  operation("GET /events", {
    name: "follow-events",
    summary: "Streams every event from now on, as server-sent events.",
    kind: "stream",
    otherFormats: ["text/event-stream"],
    run: streamEvents,
  }),
];

/** Streams every event from now on, until the client disconnects or the lab is closed. */
export function streamEvents(lab: CoreLab): ResponseData {
  const encoder = new TextEncoder();
  let stop = () => {};
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start(controller) {
      const send = (text: string) => controller.enqueue(encoder.encode(text));
      const unsubscribe = lab.subscribe((event) =>
        send(`event: ${event.type}\ndata: ${JSON.stringify(event, replaceErrors)}\n\n`)
      );
      // A comment of the stream, so that the client receives something at once.
      send(": listening\n\n");
      const unregister = lab.onRelease(() => {
        stop();
        controller.close();
      });
      stop = () => {
        unsubscribe();
        unregister();
      };
    },
    cancel: () => stop(),
  });
  const headers = [["Content-Type", "text/event-stream"], ["Cache-Control", "no-store"]] as const;
  return { status: 200, headers, body };
}

/** Replaces errors by their messages: JSON writes an `Error` as `{}`. */
function replaceErrors(_name: string, value: unknown): unknown {
  return value instanceof Error ? value.message : value;
}
