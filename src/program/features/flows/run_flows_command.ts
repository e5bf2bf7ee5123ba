import { isInterimError } from "../../../lab/flows/flow_outcome.ts";
import type { RecordedExchange } from "../../../lab/recording/lab_event.ts";
import type { RecordedRequest } from "../../../lab/recording/recorded_request.ts";
import type { FlowTrace } from "../../../lab/recording/timeline.ts";
import type { Invocation } from "../../command_line/command.ts";
import { createLabLog } from "../../lab/lab_log.ts";
import { askLab, refusalIn, requestEvents, runningLabOf } from "../../lab_client/running_lab.ts";
import { colorsFor } from "../../terminal/color.ts";
import { success, UsageError } from "../../terminal/exit_code.ts";
import type { Terminal } from "../../terminal/terminal.ts";
import { followEvents, type StreamedEvent } from "./follow_events.ts";

/** How long to wait before a lab that does not respond is asked again, in milliseconds. */
const retryTime = 1_000;

/** Prints the requests that a running lab has recorded, and with `--follow` those to come. */
export async function runFlowsCommand(invocation: Invocation, terminal: Terminal): Promise<number> {
  const log = createFlowsLog(invocation, terminal);
  if (invocation.values.has("follow")) {
    await follow(invocation, terminal, log);
    return success;
  }
  const printed = await log.showEarlier();
  if (printed === 0) {
    terminal.print(
      `No request ${asksForRefused(invocation) ? "was refused" : "reached this lab"}.`,
    );
  }
  return success;
}

async function follow(invocation: Invocation, terminal: Terminal, log: FlowsLog): Promise<void> {
  const stop = new AbortController();
  terminal.onStop(async () => stop.abort());
  await followEvents({
    address: runningLabOf(invocation),
    connect: () => requestEvents(invocation, stop.signal),
    async onOpen(isFirst) {
      if (isFirst) await log.showEarlier();
      else log.forgetEarlier();
    },
    onEvent: log.show,
    report: terminal.printError,
    pause: () => new Promise((resolve) => setTimeout(resolve, retryTime)),
  }, stop.signal);
}

/** Prints the events of a lab as its own log has them. */
type FlowsLog = ReturnType<typeof createFlowsLog>;

function createFlowsLog(invocation: Invocation, terminal: Terminal) {
  const { environment, isInteractive, printColored } = terminal;
  const format = createLabLog({
    colors: colorsFor(environment, isInteractive),
    pagesUrl: () => runningLabOf(invocation),
  });
  const earlier = new Set<number>();
  const isAskedFor = asksForRefused(invocation) ? isRefusal : () => true;
  const print = (event: StreamedEvent, at: Date) => {
    const line = isAskedFor(event) ? format(event, at) : undefined;
    if (line !== undefined) printColored(line);
  };
  return {
    show(event: StreamedEvent): void {
      const isPrinted = event.type === "exchange.recorded" && earlier.has(event.exchange);
      if (!isPrinted) print(event, new Date());
    },
    /** Prints the requests that were recorded before a stream began, and returns how many. */
    async showEarlier(): Promise<number> {
      const requests = await readList<RecordedRequest>(invocation, "/requests");
      const flows = await readList<FlowTrace>(invocation, "/flows");
      const exchanges = earlierExchanges(requests, flows);
      for (const { at, event } of exchanges) {
        earlier.add(event.exchange);
        print(event, at);
      }
      return exchanges.filter(({ event }) => isAskedFor(event)).length;
    },
    /** Forgets which requests were printed: the numbers of another lab begin again. */
    forgetEarlier: () => earlier.clear(),
  };
}

function asksForRefused({ values }: Invocation): boolean {
  return values.has("refused");
}

/** Whether an event is a request that the server refused, and did not only put off. */
function isRefusal(event: StreamedEvent): boolean {
  return event.type === "exchange.recorded" && event.refusal !== undefined &&
    !isInterimError(event.error);
}

/** Reads a list of a lab, which responds with an object if it refuses. */
async function readList<T>(invocation: Invocation, path: string): Promise<T[]> {
  const body = await askLab(invocation, path);
  if (Array.isArray(body)) return body;
  throw new UsageError(refusalIn(body));
}

/** Returns recorded requests as the events that announced them, each with its flow. */
function earlierExchanges(
  requests: readonly RecordedRequest[],
  flows: readonly FlowTrace[],
): Array<{ at: Date; event: { type: "exchange.recorded" } & RecordedExchange }> {
  const steps = flows.flatMap(({ id, steps }) => steps.map((step) => ({ ...step, flow: id })));
  const stepOf = new Map(steps.map((step) => [step.exchange, step]));
  return requests.map(({ id, at, method, path, client, tenant, response, refusal }) => ({
    at: new Date(at),
    event: {
      type: "exchange.recorded",
      exchange: id,
      method,
      path,
      client,
      tenant,
      status: response?.status,
      flow: stepOf.get(id)?.flow,
      error: stepOf.get(id)?.error ?? refusal?.error,
      refusal,
    },
  }));
}
