import { misbehave } from "../../../../src/lab/features/faults/break_operation.ts";
import type { LabFixtures } from "../../../support/lab_fixtures.ts";

export const faultFixtures: LabFixtures = {
  operations: {
    "POST /faults": {
      bodies: [
        { name: "token.server_error", client: "web", times: 1 },
        { name: "jwks.empty", mayStayIdle: true, state: "s" },
        { name: "userinfo.changed", unset: ["email"], when: "always", client: "web" },
        { name: "token.claims", claims: { roles: ["admin"] }, client: "demo-spa", times: 1 },
        { name: "token.claims", claims: { a: 1 }, tenant: "nobody" },
        { name: "token.changed" },
        { name: "token.changed", sett: {} },
        { name: "jwks.full" },
        { name: "jwks.empty", times: 0 },
      ],
      member: (lab, { body: { name, ...conditions } }) => lab.fault(name, conditions),
    },
    "GET /faults": { member: (lab) => lab.faults.list() },
    "DELETE /faults": { member: (lab) => lab.faults.clear() },
    "GET /faults/:id": {
      segments: ["fault-2"],
      member: (lab, { segment }) => lab.faults.list().find(({ id }) => id === segment),
    },
    "DELETE /faults/:id": {
      segments: ["fault-2", "fault-9"],
      member: (lab, { segment }) => lab.faults.remove(segment),
    },
    "POST /break": {
      bodies: [
        { fault: "expired id token", client: "demo-spa", times: 2 },
        { fault: "expired" },
        { fault: "zebra" },
        { fault: "id token", off: true },
        {},
      ],
      member: (lab, { body }) => misbehave(lab, body),
    },
    "POST /responses": {
      bodies: [
        { at: "jwks", status: 503, headers: { "X-A": "b" }, times: 2 },
        { at: "jwks", body: { error: "down" }, client: "demo-spa", mayStayIdle: true },
        { at: "nowhere" },
        { at: "token", status: "x" },
        { at: "token", sttus: 1 },
      ],
      member: (lab, { body: { at, ...response } }) => lab.next(at, response),
    },
  },
  async use(lab) {
    lab.fault("metadata.wrong_issuer", { client: "web" });
    lab.fault("metadata.wrong_issuer", { times: 1 });
    await lab.fetch(new Request(`${lab.issuer}/.well-known/openid-configuration`));
  },
  stateOf: (lab) => lab.faults.list(),
};
