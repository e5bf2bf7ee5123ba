import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import type { Lab } from "../../src/lab/lab.ts";
import type { RecordedExchange } from "../../src/lab/lab_event.ts";
import { openLab } from "../../src/lab/open_lab.ts";

describe("A recorded exchange", () => {
  it("is reported with its flow, its status and why it was refused", async () => {
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
        reason: "The client_id is unknown.",
        hint:
          "Received: 'nobody'. Expected: one of demo-spa, demo-web, demo-cli, demo-jwt, demo-service.",
      },
      {
        exchange: 2,
        flow: undefined,
        method: "POST",
        path: "/oauth2/token",
        client: "demo-spa",
        status: 400,
        error: "invalid_grant",
        reason: "The code is unknown, expired, revoked, or another client's.",
        hint: "Received: an unknown one. Expected: a code that this server issued.",
      },
    ]);
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

function redeemUnknownCode(lab: Lab): Promise<Response> {
  const body = new URLSearchParams({
    grant_type: "authorization_code",
    client_id: "demo-spa",
    code: "unknown",
  });
  return lab.fetch(new Request(`${lab.issuer}/oauth2/token`, { method: "POST", body }));
}
