import { jwtBearerGrantType } from "../../../src/server/protocol/grant_types.ts";
import { type AssertionChanges, demoAssertion, idJagType } from "../assertions.ts";
import { type Fields, service } from "../kit.ts";
import { type Play, token } from "../refusals.ts";
import type { BrokenRules, RuleLab } from "./rule_lab.ts";

/** Presents an assertion of the demo issuer, with changes to its claims. */
function bring(changes: AssertionChanges, fields: Fields = {}): Play<RuleLab> {
  return async (kit) => {
    const assertion = await demoAssertion(kit, changes);
    return await token({ grant_type: jwtBearerGrantType, assertion, ...fields }, service)(kit);
  };
}

/** Presents an ID-JAG of the demo issuer for demo-service. */
function bringIdJag(claims: object, fields: Fields = {}): Play<RuleLab> {
  const changes = { claims: { client_id: "demo-service", ...claims }, typ: idJagType };
  return bring(changes, fields);
}

/** The rules of the JWT bearer grant, in their order. */
export const assertionRows: BrokenRules = {
  "assertion.confidential": {
    settings: { anyClient: true },
    play: token({ grant_type: jwtBearerGrantType, client_id: "any" }),
  },
  "assertion.present": bring({}, { assertion: undefined }),
  "assertion.foreign": async (kit) => await bring({ claims: { iss: kit.issuer } })(kit),
  "assertion.issuer": bring({ claims: { iss: "https://elsewhere.example" } }),
  "assertion.signature": bring({ typ: "at+jwt" }),
  "assertion.sub": bring({ claims: { sub: undefined } }),
  "assertion.audience": bring({ claims: { aud: "https://other.test" } }),
  "assertion.jti": bring({ claims: { jti: undefined } }),
  "assertion.client": bringIdJag({ client_id: "demo-web" }),
  "assertion.scope_form": bring({ claims: { scope: ["read"] } }),
  "assertion.resource_form": bring({ claims: { resource: [] } }),
  "assertion.times": bringIdJag({ iat: undefined }),
  "assertion.key": bringIdJag({ cnf: { jkt: "a" } }),
  "assertion.user": bring({ claims: { sub: "nobody" } }),
  "id_jag.tenant": bringIdJag({ tenant: "acme" }),
  "id_jag.no_details": bringIdJag({ authorization_details: [] }),
  "id_jag.resource": bringIdJag({ resource: "not a uri" }),
  "id_jag.scope": bringIdJag({ scope: "unheard-of" }),
  "id_jag.scope_allowed": bringIdJag({ scope: "openid" }),
  "assertion.unused": async (kit) => {
    await bringIdJag({ jti: "a" })(kit);
    await bringIdJag({ jti: "a" })(kit);
  },
};

/** Token requests with assertions that succeed. */
export const assertionSuccesses: BrokenRules = {
  "assertion": bring({}, { scope: "read" }),
  "id_jag": bringIdJag({ scope: "read" }, { scope: "read" }),
};
