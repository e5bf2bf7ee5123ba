import { assertEquals, assertMatch, assertStringIncludes, assertThrows } from "@std/assert";
import { describe, it } from "node:test";
import { formatEvent } from "../../src/cli/log.ts";
import type { ServerEventListener } from "../../src/config/events.ts";
import type { Lab } from "../../src/lab/lab.ts";
import { openLab } from "../../src/lab/open_lab.ts";
import {
  authorizationUrlIn,
  flowCode,
  flowIssuer,
  redeemIn,
  refreshIn,
  tokenIn,
  userinfoIn,
} from "../support/lab_flow.ts";
import { present } from "../support/present.ts";

/** A request that breaks a rule, as its last one. */
interface BrokenRule {
  play: (lab: Lab) => Promise<unknown>;
  parameter: string | undefined;
  advice: RegExp;
}

const ask = (lab: Lab, changes: Record<string, string>) =>
  lab.fetch(new Request(authorizationUrlIn(lab, changes)));

const form = { method: "POST", headers: { "Content-Type": "application/x-www-form-urlencoded" } };

const brokenRules: Readonly<Record<string, BrokenRule>> = {
  "client.known": {
    play: (lab) => ask(lab, { client_id: "who" }),
    parameter: "client_id",
    advice: /a configured client, or register one/,
  },
  "redirect_uri.registered": {
    play: (lab) => ask(lab, { redirect_uri: "https://evil.test/" }),
    parameter: "redirect_uri",
    advice: /add this one to the client/,
  },
  "response_type.code": {
    play: (lab) => ask(lab, { response_type: "token" }),
    parameter: "response_type",
    advice: /response_type=code/,
  },
  "challenge.method": {
    play: (lab) => ask(lab, { code_challenge_method: "plain" }),
    parameter: "code_challenge_method",
    advice: /code_challenge_method=S256/,
  },
  "scope.allowed": {
    play: (lab) => ask(lab, { scope: "openid everything" }),
    parameter: "scope",
    advice: /scopes that the server knows/,
  },
  "prompt.known": {
    play: (lab) => ask(lab, { prompt: "maybe" }),
    parameter: "prompt",
    advice: /known values/,
  },
  "client.authenticated": {
    play: (lab) =>
      tokenIn(lab, {
        grant_type: "client_credentials",
        client_id: "demo-service",
        client_secret: "wrong",
      }),
    parameter: "client_secret",
    advice: /the method it is registered for/,
  },
  "client.no_secret": {
    play: (lab) => tokenIn(lab, { client_id: "demo-spa", client_secret: "guess" }),
    parameter: "client_secret",
    advice: /Leave the secret out/,
  },
  "grant_type.supported": {
    play: (lab) => tokenIn(lab, { grant_type: "password" }),
    parameter: "grant_type",
    advice: /authorization code grant with PKCE/,
  },
  "grant_type.allowed": {
    play: (lab) => tokenIn(lab, { grant_type: "client_credentials" }),
    parameter: "grant_type",
    advice: /add this one to the client's grant types/,
  },
  "code.known": {
    play: (lab) => redeemIn(lab, "unknown"),
    parameter: "code",
    advice: /to the server that issued it/,
  },
  "code.fresh": {
    play: async (lab) => {
      const code = await flowCode(lab);
      lab.clock.advance("6m");
      await redeemIn(lab, code);
    },
    parameter: "code",
    advice: /before it expires/,
  },
  "code.redirect_uri": {
    play: async (lab) =>
      await redeemIn(lab, await flowCode(lab), { redirect_uri: "https://other.test/" }),
    parameter: "redirect_uri",
    advice: /redirect_uri of the authorization request again, unchanged/,
  },
  "verifier.matches": {
    play: async (lab) =>
      await redeemIn(lab, await flowCode(lab), { code_verifier: "w".repeat(43) }),
    parameter: "code_verifier",
    advice: /of the same request/,
  },
  "code.unused": {
    play: async (lab) => {
      const code = await flowCode(lab);
      await redeemIn(lab, code);
      await redeemIn(lab, code);
    },
    parameter: "code",
    advice: /Use each code once/,
  },
  "refresh_token.known": {
    play: (lab) => refreshIn(lab, "unknown"),
    parameter: "refresh_token",
    advice: /to the server that issued it/,
  },
  "token.active": {
    play: (lab) => userinfoIn(lab, "unknown"),
    parameter: "Authorization",
    advice: /Refresh the token/,
  },
  "body.form": {
    play: (lab) =>
      lab.fetch(
        new Request(`${flowIssuer}/oauth2/token`, {
          ...form,
          headers: { "Content-Type": "application/json" },
          body: "{}",
        }),
      ),
    parameter: "Content-Type",
    advice: /application\/x-www-form-urlencoded/,
  },
  "form.unique": {
    play: (lab) =>
      lab.fetch(
        new Request(`${flowIssuer}/oauth2/token`, { ...form, body: "code=a&code=b" }),
      ),
    parameter: "code",
    advice: /each parameter once/,
  },
};

describe("The log, a recorded request, its page, the report and assertClean name the same rule", () => {
  for (const [id, { play, parameter, advice }] of Object.entries(brokenRules)) {
    it(`where a request breaks ${id}`, async () => {
      const lines: string[] = [];
      const onEvent: ServerEventListener = (event) =>
        void lines.push(formatEvent(event, new Date(0)));
      await using lab = openLab({ issuer: flowIssuer, onEvent });
      await play(lab);
      const request = present(lab.requests().at(-1));
      assertEquals([request.refusal?.rule, request.refusal?.parameter], [id, parameter]);
      assertMatch(present(request.refusal?.fix), advice);
      const [refused] = lab.report().refused.filter(({ exchange }) => exchange === request.id);
      assertEquals([refused?.rule, refused?.parameter], [id, parameter]);
      assertStringIncludes(lines.find((line) => line.includes("request.refused")) ?? "", id);
      assertThrows(() => lab.assertClean({ refused: true }), Error, `(${id})`);
      const page = await pageOf(lab, request.id);
      assertStringIncludes(page, present(request.refusal?.fix).slice(0, 20));
    });
  }
});

async function pageOf(lab: Lab, exchange: number): Promise<string> {
  const flow = lab.flows().find(({ steps }) => steps.some((step) => step.exchange === exchange));
  const path = `/lab/flows/${flow?.id ?? `request-${exchange}`}?exchange=${exchange}`;
  const headers = { Accept: "text/html" };
  return await (await lab.fetch(new Request(`${flowIssuer}${path}`, { headers }))).text();
}
