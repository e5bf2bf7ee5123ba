import { parseDuration, second } from "../../../server/util/time/duration.ts";
import { createDeferred } from "../../../server/util/time/promises.ts";
import {
  droppedResponse,
  jsonOf,
  type WireRequest,
  type WireResponse,
} from "../../recording/exchange.ts";
import { failureResponse } from "../../responses/failure_response.ts";
import { isRefresh, places } from "../../responses/places.ts";
import type { FaultContext, FaultKind } from "./fault.ts";

/** The name of a fault that breaks applications in production, without an attack. */
export type ProductionFaultName =
  | `${"token" | "refresh"}.${"held" | "lost"}`
  | "register.forgotten";

/** How often a client that is gone is refused: after that, it would go on for ever. */
export const maxRefusals = 20;

/** The faults of an honest server at a bad moment, by name. */
export const productionFaults: Record<ProductionFaultName, FaultKind> = {
  "token.held": held(redeemsCode, "redeems a code"),
  "refresh.held": held(isRefresh, "refreshes tokens"),
  "token.lost": lost(redeemsCode, "code is spent"),
  "refresh.lost": lost(isRefresh, "refresh token is replaced"),
  "register.forgotten": {
    summary: `Each client that registered itself earlier is unknown, ${maxRefusals} times at most.`,
    appliesTo: (request) => places.register(request) || requiresClient(request),
    canChange: async (response, context) =>
      noteRegistration(response, context) || await isForgotten(context),
    change: (_response, { request }) =>
      places.authorize(request) ? unknownClientPage() : unknownClient(),
  },
};

function redeemsCode(request: WireRequest): boolean {
  return places.token(request) && request.form.get("grant_type") === "authorization_code";
}

/** Creates a fault by which two requests are at the server before either gets its response. */
function held(appliesTo: (request: WireRequest) => boolean, what: string): FaultKind {
  return {
    summary:
      `The first request that ${what} waits for a second one, or for 'delay', or half a second.`,
    appliesTo,
    async respond({ fault, held, within }, proceed) {
      const release = held.get(fault.id);
      if (release) {
        release();
        return await proceed();
      }
      const { promise, resolve } = createDeferred<void>();
      held.set(fault.id, resolve);
      const response = await proceed();
      await within(1000 * (parseDuration(fault.delay) ?? second / 2), promise);
      return response;
    },
  };
}

/** Creates a fault by which the server handles a request, and its response is lost. */
function lost(appliesTo: (request: WireRequest) => boolean, what: string): FaultKind {
  return {
    summary: `The ${what}, but the connection closes before the response arrives.`,
    appliesTo,
    async respond(_context, proceed) {
      await proceed();
      return droppedResponse;
    },
  };
}

function requiresClient(request: WireRequest): boolean {
  const { authorize, token, par, introspect, revoke } = places;
  return [authorize, token, par, introspect, revoke].some((isAt) => isAt(request));
}

/** A client that registers after the fault began is known. Returns false: the response is right. */
function noteRegistration(
  response: WireResponse,
  { request, fault, memory }: FaultContext,
): false {
  if (!places.register(request)) return false;
  const { client_id } = jsonOf(response) ?? {};
  memory.set(`${fault.id} ${client_id}`, "registered");
  return false;
}

async function isForgotten(
  { request, server, fault, memory }: FaultContext,
): Promise<boolean> {
  const { client: id } = request;
  if (id === undefined || memory.has(`${fault.id} ${id}`)) return false;
  if (places.register(request) || fault.fired >= maxRefusals) return false;
  return (await server.context.records.clients.find(id))?.registration !== undefined;
}

/** RFC 6749, section 4.1.2.1: the redirect URI of an unknown client cannot be trusted. */
function unknownClientPage(): WireResponse {
  return {
    status: 400,
    headers: [["Content-Type", "text/html; charset=utf-8"], ["Cache-Control", "no-store"]],
    body: "<!doctype html><title>Unknown client</title><main>The client is unknown.</main>",
  };
}

function unknownClient(): WireResponse {
  return failureResponse(401, "invalid_client", "The client is unknown.", [
    ["WWW-Authenticate", 'Basic realm="hallpass", charset="UTF-8"'],
  ]);
}
