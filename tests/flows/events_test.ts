import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import type { ServerEvent } from "../../src/server/config/events.ts";
import { type Kit, openKit } from "../support/kit.ts";
import { register, sendJson } from "../support/registration.ts";
import { hasFeature } from "../support/where_feature.ts";

type Act = (kit: Kit) => Promise<unknown>;

/** What an event has to contain, besides ids that are random. */
type ExpectedEvent = { type: ServerEvent["type"] } & Record<string, unknown>;

/** Registers a client, changes its registration and deletes it. */
async function registerAndDelete(kit: Kit): Promise<void> {
  const { body } = await register(kit);
  const { registration_client_uri: url, registration_access_token: token } = body;
  const metadata = { client_id: body.client_id, redirect_uris: ["https://app.example/other"] };
  const { body: changed } = await sendJson(kit, "PUT", url, metadata, token);
  await kit.server.fetch(
    new Request(url, {
      method: "DELETE",
      headers: { Authorization: `Bearer ${changed.registration_access_token ?? token}` },
    }),
  );
}

async function cancel(kit: Kit): Promise<void> {
  const browser = kit.browser();
  await browser.submit(await browser.open(kit.authorizationUrl()), "sign-in", {
    decision: "cancel",
  });
}

const spa = { client: "demo-spa" };
const scope = ["openid", "profile", "read"];

describe("An event", () => {
  const cases: Array<[what: string, act: Act, expected: ExpectedEvent[]]> = [
    ["a consent that was given", (kit) => kit.tokens(), [
      { type: "consent.given", user: "alice", ...spa, scope },
      { type: "code.issued", user: "alice", ...spa, scope },
      { type: "token.issued", ...spa, grantType: "authorization_code", scope },
    ]],
    ["one that was denied", (kit) => kit.authorize({}, { decision: "deny" }), [
      { type: "consent.denied", user: "alice", ...spa },
    ]],
    ["a request that was canceled", cancel, [{ type: "request.canceled", ...spa }]],
  ];
  if (hasFeature("registration")) {
    cases.push(["a registration", registerAndDelete, [
      { type: "client.registered" },
      { type: "client.changed" },
      { type: "client.deleted" },
    ]]);
  }
  for (const [what, act, expected] of cases) {
    it(`reports ${what}`, async () => {
      const kit = openKit();
      await act(kit);
      const types = new Set(expected.map(({ type }) => type));
      const events = kit.events.filter(({ type }) => types.has(type));
      const found = events.map((event, at) => membersOf(event, expected[at]));
      assertEquals(found, expected);
    });
  }

  it("has the failure where a page of the operator fails, at the path of the request", async () => {
    const cause = new Error("The template is broken.");
    const kit = openKit({
      pages: {
        error: () => {
          throw cause;
        },
      },
    });
    const response = await kit.get("/oauth2/authorize?client_id=unknown");
    const path = "/oauth2/authorize";
    const expected = [
      { type: "request.refused", path, status: 400, rule: "client.known" },
      { type: "server.failed", path, cause },
      { type: "request.refused", path, status: 500, error: "server_error" },
      { type: "request.handled", path, status: 500 },
    ] as const;
    assertEquals([response.status, (await response.json()).error], [500, "server_error"]);
    assertEquals(kit.events.map((event, at) => membersOf(event, expected[at])), [...expected]);
  });

  it("has the status of the response where an error is redirected to the client", async () => {
    const kit = openKit();
    const url = kit.authorizationUrl({ response_type: "token" });
    const { status } = await kit.server.fetch(new Request(url));
    const refusal = kit.events.find((event) => event.type === "request.refused");
    assertEquals([status, refusal?.status], [303, 303]);
  });

  it("reports no failure of the server where a body breaks off, which has a cause as well", async () => {
    const kit = openKit();
    const body = new ReadableStream({ start: (stream) => stream.error(new Error("reset")) });
    const headers = { "Content-Type": "application/x-www-form-urlencoded" };
    const init = { method: "POST", headers, body, duplex: "half" };
    const { status } = await kit.request("/oauth2/token", init);
    assertEquals(status, 400);
    const types = kit.events.map(({ type }) => type);
    assertEquals(types.includes("request.refused"), true);
    assertEquals(types.includes("server.failed"), false);
  });

  function membersOf(event: ServerEvent, expected: object = {}): Record<string, unknown> {
    const names = Object.keys(expected);
    return Object.fromEntries(Object.entries(event).filter(([name]) => names.includes(name)));
  }
});
