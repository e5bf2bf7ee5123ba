import type { ResponseData } from "../../server/http/response_data.ts";
import { readResponse, type WireResponse } from "../recording/exchange.ts";
import type { Layer } from "./layer.ts";
import type { PendingExchange } from "./pending_exchange.ts";

/** Keeps a response as it was made: that is sent if no layer changes it. */
export async function respondWith(
  exchange: PendingExchange,
  response: ResponseData,
): Promise<WireResponse> {
  exchange.made = await readResponse(response);
  return exchange.made.read;
}

/** Lets the server respond. */
export const askServer: Layer = async (exchange) => {
  const { server, serverRequest, observer } = exchange;
  return respondWith(exchange, await server.respond(serverRequest, observer));
};

/** Responds with what a part of the lab made beside the server. */
export const respondBeside: Layer = async (exchange) => {
  if (!exchange.besideResponse) throw new Error("No part of the lab responds.");
  return await respondWith(exchange, exchange.besideResponse);
};
