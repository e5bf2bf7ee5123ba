import type { QueuedResponse } from "../faults/fault.ts";
import type { FlowScope } from "../faults/flow_scope.ts";
import type { FaultPlace } from "../faults/places.ts";
import { claimsCallSchema } from "./body_schemas.ts";
import type { Operation } from "./operation.ts";

/** A response, and the endpoint that sends it. */
export interface QueueCall extends QueuedResponse {
  /** The endpoint. */
  at: FaultPlace;
}

/** Claims to add, and to whose tokens. */
export interface ClaimsCall extends FlowScope {
  /** The claims, with their values. */
  claims: Record<string, unknown>;
}

export const responseOperations: readonly Operation[] = [
  {
    method: "POST",
    path: "/answers",
    summary: "Queues a response, which the lab sends in place of the server's.",
    body: { name: "QueueCall" },
    returns: "Fault",
    run(lab, { body }) {
      const { at, ...response } = body as unknown as QueueCall;
      return lab.next(at, response);
    },
  },
  {
    method: "POST",
    path: "/claims",
    summary: "Adds claims to access tokens and ID tokens, and to userinfo for these access tokens.",
    body: { name: "ClaimsCall", schema: claimsCallSchema },
    returns: "HookState",
    run(lab, { body }) {
      const { claims, ...scope } = body as unknown as ClaimsCall;
      return lab.addClaims(claims, scope);
    },
  },
  {
    method: "DELETE",
    path: "/claims",
    summary: "Removes the added claims from what is issued from now on.",
    run(lab) {
      for (const hook of lab.hooks.list()) if (hook.point === "claims") hook.remove();
    },
  },
];
