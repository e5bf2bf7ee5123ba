import type { IncomingRequest } from "../../server/http/incoming_request.ts";
import { type RequestLayers, unless } from "../layers/layer.ts";
import { changeRequest } from "../recording/changed_request.ts";
import type { WireRequest, WireResponse } from "../recording/exchange.ts";
import type { LabEvents } from "../recording/lab_event.ts";
import type { TokenFollower } from "../responses/change_tokens.ts";
import type { Waits } from "../util/waits.ts";
import type { FaultContext } from "./fault.ts";
import type { Faults } from "./faults.ts";

/** The faults of a lab, and their means. */
interface FaultParts extends Pick<FaultContext, "aliases" | "memory"> {
  faults: Faults;
  waits: Waits;
  events: LabEvents;
  dialect?: (() => Promise<TokenFollower>) | undefined;
}

/** Creates the layers in which faults change responses, or respond in place of the server. */
export function createFaultLayers(
  { faults, aliases, memory, waits, events, dialect }: FaultParts,
): RequestLayers {
  return {
    misbehave: unless(() => faults.all().length === 0, async (exchange, next) => {
      const { request, server, findFlow } = exchange;
      const faulted = { request, server, findFlow, aliases, memory, wait: waits.wait };
      let made: WireResponse | undefined;
      const proceed = async () => made = await next();
      const { response, fired } = await faults.respond(faulted, proceed);
      if (dialect && made) await (await dialect()).follow(server, made, response);
      const { method, path, client } = request;
      for (const fault of fired) {
        exchange.fired.push(fault);
        events.emitLabEvent({ type: "fault.fired", fault, method, path, client });
      }
      return response;
    }),
    translate: unless(() => aliases.size === 0, (exchange, next) => {
      const { request, serverRequest } = exchange;
      exchange.serverRequest = withIssuedRefreshToken(serverRequest, request, aliases);
      return next();
    }),
  };
}

/** Replaces a refresh token that a fault invented with the one that the server issued. */
function withIssuedRefreshToken(
  request: IncomingRequest,
  wireRequest: WireRequest,
  aliases: ReadonlyMap<string, string>,
): IncomingRequest {
  const issuedToken = aliases.get(wireRequest.form.get("refresh_token") ?? "");
  if (issuedToken === undefined) return request;
  const body = new URLSearchParams(wireRequest.form);
  body.set("refresh_token", issuedToken);
  return changeRequest(request, wireRequest, body.toString());
}
