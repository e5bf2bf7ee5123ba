import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import type { Config } from "../../../src/server/features.ts";
import { problemsOf } from "../../support/config_problems.ts";

const issuer = "https://id.example";
const token = "an-initial-access-token-of-32-characters";

describe("The configuration of registration", () => {
  const good: Array<[what: string, config: Config]> = [
    ["registration with every leniency", {
      issuer,
      registration: {
        initialAccessToken: token,
        trusted: true,
        pkce: "optional",
        assertionAudience: "token-endpoint",
        allow: { scopes: "any" },
      },
    }],
    ["allowances without registration, for metadata documents", {
      issuer,
      registration: { allow: { scopes: ["openid"], resources: "any" } },
    }],
    ["explicit strict settings", {
      issuer,
      registration: { open: true, trusted: false, pkce: "required", assertionAudience: "issuer" },
    }],
    ["any resources, and an allowance of some", {
      issuer,
      resources: "any",
      registration: { open: true, allow: { resources: ["urn:b"] } },
    }],
  ];
  for (const [what, config] of good) {
    it(`accepts ${what}`, () => assertEquals(problemsOf(config), []));
  }

  const bad: Array<[config: unknown, problems: string[]]> = [
    [{ issuer, registration: { open: true, initialAccessToken: token } }, [
      "registration.open cannot be combined with initialAccessToken",
    ]],
    [{
      issuer,
      registration: {
        open: true,
        trusted: true,
        pkce: "optional",
        assertionAudience: "token-endpoint",
      },
    }, [
      "registration.trusted needs initialAccessToken, which shows that you let the client in",
      "registration.pkce needs initialAccessToken, which shows that you let the client in",
      "registration.assertionAudience needs initialAccessToken, which shows that you let the client in",
    ]],
    [{
      issuer,
      resources: ["urn:a"],
      registration: {
        allow: { scopes: ["x"], resources: ["urn:a", "urn:b"], authorizationDetailsTypes: ["pay"] },
      },
    }, [
      "registration.allow.scopes contains 'x', which is not a scope of the server",
      "registration.allow.resources contains 'urn:b', which is not a resource of the server",
      "registration.allow.authorizationDetailsTypes contains 'pay', which is not a type of authorization details of the server",
    ]],
    [{ issuer, registration: { initialAccessToken: "short" } }, [
      "registration.initialAccessToken must have at least 32 characters; create one with: openssl rand -base64 32",
    ]],
    [{ issuer, registration: "closed" }, ["registration must be 'open' or an object"]],
  ];
  for (const [config, problems] of bad) {
    it(`reports: ${problems.join("; ")}`, () => assertEquals(problemsOf(config), problems));
  }
});
