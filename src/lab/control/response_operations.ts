import type { Operation } from "../core/operation.ts";
import type { QueuedResponse } from "../faults/fault.ts";
import type { FaultTools } from "../faults/fault_tools.ts";
import type { ScopedResponseChange } from "../faults/response_change.ts";
import type { Hook } from "../hooks/hook.ts";
import type { HookInternals, HookTools } from "../hooks/hook_tools.ts";
import type { FlowScope } from "../recording/flow_scope.ts";
import type { FaultPlace } from "../responses/places.ts";
import { unknownName } from "../util/lab_error.ts";
import { bodySchemas } from "./body_schemas.ts";

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

export const responseOperations: ReadonlyArray<Operation<FaultTools & HookTools & HookInternals>> =
  [
    {
      method: "POST",
      path: "/responses",
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
      path: "/changes",
      summary: "Changes the responses of an endpoint: members of its JSON, headers, the status.",
      body: { name: "ScopedResponseChange" },
      returns: "HookState",
      run(lab, { body }) {
        const { at, ...change } = body as unknown as ScopedResponseChange;
        return lab.changeResponse(at, change);
      },
    },
    {
      method: "GET",
      path: "/changes",
      summary: "Lists the changes of responses, and how often each one fired.",
      returns: "HookState[]",
      run: changesOf,
    },
    {
      method: "DELETE",
      path: "/changes",
      summary: "Removes all changes of responses.",
      run(lab) {
        for (const hook of changesOf(lab)) hook.remove();
      },
    },
    {
      method: "DELETE",
      path: "/changes/:id",
      summary: "Removes one change of responses.",
      run(lab, { segment: id }) {
        const hooks = changesOf(lab);
        const hook = hooks.find((each) => each.id === id);
        if (!hook) throw unknownName("change", id, hooks.map((each) => each.id));
        hook.remove();
      },
    },
    {
      method: "POST",
      path: "/claims",
      summary:
        "Adds claims to access tokens and ID tokens, and to userinfo for these access tokens.",
      body: { name: "ClaimsCall", schema: bodySchemas.ClaimsCall },
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

/** Returns the changes of responses among the hooks of a lab. */
function changesOf({ hooks }: HookInternals): Hook[] {
  return hooks.list().filter(({ change }) => change !== undefined);
}
