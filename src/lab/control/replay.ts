import { createIncomingRequest } from "../../server/http/incoming_request.ts";
import type { WireRequest } from "../recording/exchange.ts";
import { LabError } from "../util/lab_error.ts";
import type { Lab } from "./lab.ts";

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
  const replayed = await lab.recordExchange(createIncomingRequest(toRequest(exchange.request)));
  if (!replayed) throw new LabError("The request was sent, but not recorded.");
  return replayed.id;
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
