import type { IncomingRequest } from "../../../server/http/incoming_request.ts";
import type { LabParts } from "../../handling/lab_parts.ts";
import { type RequestLayers, unless } from "../../layers/layer.ts";
import type { WireRequest, WireResponse } from "../../recording/exchange.ts";
import { changeRequest } from "../../recording/wire_request.ts";
import type { Faults } from "./faults.ts";

/** Creates the layer in which faults change responses, or respond in place of the server. */
export function createFaultLayers(faults: Faults, parts: () => LabParts): RequestLayers {
  return {
    misbehave: unless(faults.areAsleep, async (exchange, next) => {
      const { waits, events, dialect } = parts();
      const { request, server, findFlow } = exchange;
      let made: WireResponse | undefined;
      const proceed = async () => made = await next();
      const { wait, within } = waits;
      const faulted = { request, server, findFlow, wait, within };
      const { response, fired } = await faults.respond(faulted, proceed);
      if (dialect && made) await (await dialect()).follow(server, made, response);
      const { method, path, client } = request;
      for (const fault of fired) {
        exchange.fired.push(fault);
        events.emitLabEvent({ type: "fault.fired", fault, method, path, client });
      }
      return response;
    }),
  };
}

/** Creates the layer in which the server gets its own refresh tokens for those of faults. */
export function createTokenLayers(aliases: ReadonlyMap<string, string>): RequestLayers {
  return {
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
