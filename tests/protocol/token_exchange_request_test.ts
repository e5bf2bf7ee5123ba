import { assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "node:test";
import { exchangeRules } from "../../src/server/grants/token_exchange_rules.ts";
import { readTokenId, type TokenOrigin } from "../../src/server/issuer/tokens/token_ids.ts";
import { toParameters } from "../../src/server/protocol/form_parameters.ts";
import { OAuthError } from "../../src/server/protocol/oauth_error.ts";
import { applyRule } from "../../src/server/protocol/rule.ts";
import {
  addActor,
  readTokenExchangeRequest,
} from "../../src/server/protocol/token_exchange_request.ts";

const type = (name: string) => `urn:ietf:params:oauth:token-type:${name}`;

describe("readTokenExchangeRequest (RFC 8693, section 2.1)", () => {
  it("reads a JWT as an access token, and requests an access token by default", () => {
    const request = readTokenExchangeRequest(
      applyRule,
      toParameters([["subject_token", "x"], ["subject_token_type", type("jwt")]]),
    );
    assertEquals(request.subject, { parameter: "subject_token", token: "x", type: "access_token" });
    assertEquals([request.actor, request.issuedType], [undefined, type("access_token")]);
  });

  it("names the parameter with an unknown type", () => {
    const parameters = toParameters([
      ["subject_token", "x"],
      ["subject_token_type", type("access_token")],
      ["actor_token", "y"],
      ["actor_token_type", type("saml1")],
    ]);
    assertThrows(
      () => readTokenExchangeRequest(applyRule, parameters),
      OAuthError,
      "actor_token_type",
    );
  });
});

describe("addActor (RFC 8693, section 4.1)", () => {
  it("puts the new actor first and keeps the previous ones", () => {
    assertEquals(addActor(applyRule, { sub: "one" }, "two"), { sub: "two", act: { sub: "one" } });
  });

  it("changes nothing without a new actor", () => {
    assertEquals(addActor(applyRule, { sub: "one" }, undefined), { sub: "one" });
    assertEquals(addActor(applyRule, undefined, undefined), undefined);
  });
});

describe("exchange.may_act (RFC 8693, section 4.4)", () => {
  it("requires every member to match the actor", () => {
    const acting = { sub: "one", iss: "https://id.example", client_id: "one" };
    applyRule(exchangeRules.may_act, { mayAct: undefined, actor: acting });
    applyRule(exchangeRules.may_act, {
      mayAct: { sub: "one", iss: "https://id.example" },
      actor: acting,
    });
    for (
      const mayAct of [{ sub: "two" }, { sub: "one", iss: "https://other.example" }, {
        sub: "one",
        email: "x",
      }]
    ) {
      const act = () => applyRule(exchangeRules.may_act, { mayAct, actor: acting });
      assertThrows(act, OAuthError, "must be the one that the 'may_act'");
    }
  });
});

describe("The id of a token", () => {
  const ids: Array<[jti: string, origin: TokenOrigin]> = [
    ["own", { chain: ["own"] }],
    [".own.next", { chain: ["own", ".own.next"] }],
    [".own.next.last", { chain: ["own", ".own.next", ".own.next.last"] }],
    ["@epoch.own", { clientEpoch: "epoch", chain: ["@epoch.own"] }],
    ["@epoch.own.next", { clientEpoch: "epoch", chain: ["@epoch.own", "@epoch.own.next"] }],
    ["parent.token", { authorizationId: "parent", chain: ["parent.token"] }],
    ["parent.token.next", {
      authorizationId: "parent",
      chain: ["parent.token", "parent.token.next"],
    }],
    ["parent.token.next.last", {
      authorizationId: "parent",
      chain: ["parent.token", "parent.token.next", "parent.token.next.last"],
    }],
  ];
  for (const [jti, origin] of ids) {
    it(`contains the origin of ${jti}`, () => assertEquals(readTokenId(jti), origin));
  }
});
