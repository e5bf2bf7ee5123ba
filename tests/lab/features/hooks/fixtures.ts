import type { LabFixtures } from "../../../support/lab_fixtures.ts";

export const hookFixtures: LabFixtures = {
  onlyInTypeScript: { on: "a hook is a function" },
  operations: {
    "POST /changes": {
      bodies: [
        { at: "jwks", set: { keys: [] }, times: 1 },
        { at: "userinfo", unset: ["email"], when: "always", client: "web" },
        { at: "nowhere", unset: ["a"] },
        { at: "token" },
        { at: "token", sett: {} },
      ],
      member: (lab, { body: { at, ...change } }) => lab.changeResponse(at, change),
    },
    "GET /changes": { member: (lab) => lab.hooks.list().filter(({ change }) => change) },
    "DELETE /changes": {
      member(lab) {
        for (const hook of lab.hooks.list()) if (hook.change) hook.remove();
      },
    },
    "DELETE /changes/:id": {
      segments: ["hook-3"],
      member: (lab, { segment }) => lab.hooks.list().find(({ id }) => id === segment)?.remove(),
    },
    "POST /claims": {
      bodies: [
        { claims: { roles: ["admin"] }, client: "demo-spa", times: 1 },
        { claims: { a: 1 }, tenant: "nobody" },
      ],
      member: (lab, { body: { claims, ...scope } }) => lab.addClaims(claims, scope),
    },
    "DELETE /claims": {
      member(lab) {
        for (const hook of lab.hooks.list()) if (hook.point === "claims") hook.remove();
      },
    },
  },
  use(lab) {
    lab.on("response", () => {}, { client: "web" });
    lab.changeResponse("jwks", { status: 203, client: "web" });
    lab.changeResponse("jwks", { set: { keys: [] } });
    lab.addClaims({ roles: [] }, { client: "web" });
  },
  stateOf: (lab) => lab.hooks.list(),
};
