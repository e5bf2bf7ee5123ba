import type { ServerEvent } from "../../config/events.ts";
import type { Lab } from "../lab.ts";
import { LabError } from "../lab_error.ts";
import type { LabEvent } from "../lab_event.ts";
import type { WireRequest } from "../recording/exchange.ts";

/** Headers that belong to the connection, or that the request gets by itself. */
const connectionHeaders: readonly string[] = [
  "connection",
  "content-length",
  "host",
  "transfer-encoding",
];

/** Sends a recorded request again, as it was, and returns the number of the new exchange. */
export async function replayExchange(lab: Lab, exchangeId: number): Promise<number> {
  const exchange = lab.exchanges().find(({ id }) => id === exchangeId);
  if (!exchange) throw new LabError(`Request ${exchangeId} is no longer recorded.`);
  const { method, path } = exchange.request;
  let replayed: number | undefined;
  const unsubscribe = lab.subscribe((event) => {
    if (isExchangeOf(event, method, path)) replayed ??= event.exchange;
  });
  try {
    const response = await lab.fetch(toRequest(exchange.request));
    // A fault may break the body; the exchange is recorded all the same.
    await response.text().catch(() => "");
  } finally {
    unsubscribe();
  }
  if (replayed === undefined) throw new LabError("The request was sent, but not recorded.");
  return replayed;
}

type RecordedEvent = Extract<LabEvent, { type: "exchange.recorded" }>;

function isExchangeOf(
  event: ServerEvent | LabEvent,
  method: string,
  path: string,
): event is RecordedEvent {
  return event.type === "exchange.recorded" && event.method === method && event.path === path;
}

function toRequest({ method, url, headers, body }: WireRequest): Request {
  const own = Object.entries(headers).filter(([name]) => !connectionHeaders.includes(name));
  return new Request(url, {
    method,
    headers: own,
    redirect: "manual",
    ...body !== "" && { body },
  });
}
