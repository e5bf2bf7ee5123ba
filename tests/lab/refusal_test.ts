import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import type { Lab } from "../../src/lab/lab.ts";
import { openLab } from "../../src/lab/open_lab.ts";
import type { RecordedExchange } from "../../src/lab/recording/lab_event.ts";
import { redactRefusal } from "../../src/lab/recording/refusal.ts";
import { comparisonHint } from "../../src/server/protocol/oauth_error.ts";
import { demoClientIds } from "../support/demo_client_ids.ts";
import { type ReadResponse, testClient } from "../support/test_client.ts";

const client = testClient();

describe("A recorded exchange", () => {
  it("is reported with its flow, its status, why it was refused, how to fix it and the rule", async () => {
    await using lab = openLab({ issuer: "https://hallpass.test" });
    const reported = recordedExchanges(lab);
    await lab.fetch(new Request(`${lab.issuer}/oauth2/authorize?client_id=nobody`));
    await redeemUnknownCode(lab);
    assertEquals(reported, [
      {
        exchange: 1,
        flow: "flow-1",
        method: "GET",
        path: "/oauth2/authorize",
        client: "nobody",
        status: 400,
        error: "invalid_request",
        refusal: {
          error: "invalid_request",
          rule: "client.known",
          parameter: "client_id",
          description: "The client_id must be that of a known client.",
          see: "OAuth 2.1, section 4.1.2.1",
          received: "'nobody'",
          expected: `one of ${demoClientIds.join(", ")}`,
          fix: "Send the client_id of a configured client, or register one.",
        },
      },
      {
        exchange: 2,
        flow: undefined,
        method: "POST",
        path: "/oauth2/token",
        client: "demo-spa",
        status: 400,
        error: "invalid_grant",
        refusal: {
          error: "invalid_grant",
          rule: "code.known",
          parameter: "code",
          description: "The code is unknown, expired, revoked, or another client's.",
          see: "OAuth 2.1, section 3.2.4",
          received: "an unknown one",
          expected: "a code that this server issued",
          fix: "Send the code unchanged, to the server that issued it.",
        },
      },
    ]);
  });

  for (
    const [what, path, parameters, hint] of [
      [
        "a scope",
        "/oauth2/authorize",
        { client_id: "demo-spa", response_type: "code", scope: "reed" },
        "Received: reed. Expected: scopes that the client may have.",
      ],
      [
        "a grant type",
        "/oauth2/token",
        { client_id: "demo-spa", grant_type: "password" },
        "Received: password. Expected: a grant type that the server supports.",
      ],
      [
        "a secret of a client that has none",
        "/oauth2/token",
        { client_id: "demo-spa", client_secret: "x", grant_type: "refresh_token" },
        "Received: client_secret_post. Expected: no client authentication.",
      ],
      [
        "an unknown client",
        "/oauth2/token",
        { client_id: "demo-spy", grant_type: "refresh_token" },
        "Received: the client_id 'demo-spy'. Expected: a known client, such as 'demo-spa'.",
      ],
      [
        "a wrong secret",
        "/oauth2/token",
        { client_id: "demo-web", client_secret: "wrong", grant_type: "refresh_token" },
        "Received: client_secret_post, wrong secret of 5 characters. " +
        "Expected: the secret of the client 'demo-web'.",
      ],
    ] as const
  ) {
    it(`says once what came and what was expected: ${what}`, async () => {
      await using lab = openLab({ issuer: "https://hallpass.test" });
      const reported = recordedExchanges(lab);
      if (path === "/oauth2/token") await client.token(lab, parameters);
      else await lab.fetch(new Request(client.authorizationUrl(lab, parameters)));
      assertEquals(reported.map(({ refusal }) => comparisonHint(refusal ?? {})), [hint]);
    });
  }

  it("has no secret that came in a URL, nor have the event of the refusal and the record", async () => {
    await using lab = openLab({ issuer: "https://hallpass.test" });
    const seen: unknown[] = [];
    lab.subscribe((event) => void seen.push(event));
    const redirect_uri = "https://app.example/cb?code=sesame";
    await lab.fetch(new Request(client.authorizationUrl(lab, { redirect_uri })));
    const texts = [...seen, lab.requests()[0]?.refusal].map((each) => JSON.stringify(each));
    const found = texts.map((text) => [/cb\?code=\[redacted\]/.test(text), /sesame/.test(text)]);
    assertEquals(found, Array(3).fill([true, false]));
  });

  it("has no secret in any of the sentences that explain a refusal", () => {
    const explainedWith = (code: string) => {
      const text = `https://app.example/?code=${code}`;
      return { error: "x", description: text, received: text, expected: text, fix: text };
    };
    assertEquals(redactRefusal(explainedWith("sesame")), explainedWith("[redacted]"));
  });

  it("has the events of its own request, also when requests run in parallel", async () => {
    await using lab = openLab({ issuer: "https://hallpass.test" });
    const reported = recordedExchanges(lab);
    await Promise.all([
      redeemUnknownCode(lab),
      lab.fetch(new Request(`${lab.issuer}/oauth2/userinfo`)),
      lab.fetch(new Request(`${lab.issuer}/oauth2/nowhere`)),
    ]);
    const errors = reported.map(({ path, error }) => `${path} ${error}`);
    assertEquals(errors.toSorted(), [
      "/oauth2/nowhere not_found",
      "/oauth2/token invalid_grant",
      "/oauth2/userinfo invalid_token",
    ]);
  });
});

function recordedExchanges(lab: Lab): RecordedExchange[] {
  const reported: RecordedExchange[] = [];
  lab.subscribe((event) => {
    if (event.type !== "exchange.recorded") return;
    const { type: _, ...exchange } = event;
    reported.push(exchange);
  });
  return reported;
}

function redeemUnknownCode(lab: Lab): Promise<ReadResponse> {
  return client.token(lab, { grant_type: "authorization_code", code: "unknown" });
}
