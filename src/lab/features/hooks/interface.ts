import type { FeatureInterface } from "../../pages/page/feature_interface.ts";
import { unknownName } from "../../util/lab_error.ts";
import { callSchemas, type ClaimsCall } from "./config.ts";
import type { Hook, HookInternals, HookTools } from "./hook.ts";
import type { ScopedResponseChange } from "./lab_server.ts";

/** The operations that change responses and add claims. */
export const hookInterface: FeatureInterface<HookTools & HookInternals> = {
  operations: [
    {
      method: "POST",
      path: "/changes",
      summary: "Changes the responses of an endpoint: members of its JSON, headers, the status.",
      body: { name: "ScopedResponseChange" },
      example: { body: { at: "userinfo", merge: { email: null, tier: "gold" }, times: 1 } },
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
      run: (lab) => removeAll(changesOf(lab)),
    },
    {
      method: "DELETE",
      path: "/changes/:id",
      example: { segment: "hook-1" },
      summary: "Removes one change of responses.",
      run(lab, { segment: id }) {
        const changes = changesOf(lab);
        const found = changes.filter((each) => each.id === id);
        if (found.length === 0) throw unknownName("change", id, changes.map((each) => each.id));
        removeAll(found);
      },
    },
    {
      method: "POST",
      path: "/claims",
      summary:
        "Adds claims to access tokens and ID tokens, and to userinfo for these access tokens.",
      body: { name: "ClaimsCall", schema: callSchemas.ClaimsCall },
      example: { body: { claims: { roles: ["admin"] } } },
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
      run: ({ hooks }) => removeAll(hooks.list().filter(({ point }) => point === "claims")),
    },
  ],
  groups: [
    { name: "changes", title: "Changed responses", before: "clock" },
    { name: "claims", title: "Claims", before: "clock" },
  ],
};

/** Returns the changes of responses among the hooks of a lab. */
function changesOf({ hooks }: HookInternals): Hook[] {
  return hooks.list().filter(({ change }) => change !== undefined);
}

function removeAll(hooks: readonly Hook[]): void {
  for (const hook of hooks) hook.remove();
}
