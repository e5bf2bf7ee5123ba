import { assertEquals, assertMatch, assertRejects, assertStringIncludes } from "@std/assert";
import { describe, it } from "node:test";
import type { ApproveOptions } from "../../../../src/lab/features/ciba/calls.ts";
import type { LabConfig } from "../../../../src/lab/lab_config.ts";
import { textOf } from "../../../support/browser.ts";
import { agent, answerCiba, beginCiba, pollCiba } from "../../../support/ciba.ts";
import { claimsOf, type Kit, openLabKit } from "../../../support/kit.ts";
import { callLab } from "../../../support/lab_call.ts";
import { openTab } from "../../../support/lab_tab.ts";

/** What the client gets when it polls: the `sub` of its ID token, or an error. */
async function resultOf(kit: Kit, authReqId: string): Promise<unknown> {
  const { body } = await pollCiba(kit, authReqId);
  return body.error ?? claimsOf(body.id_token).sub;
}

async function begin(kit: Kit, fields = {}): Promise<string> {
  return (await beginCiba(kit, fields)).body.auth_req_id;
}

describe("lab.approve", () => {
  it("allows what a client asks a user", async () => {
    const kit = openLabKit();
    const id = await begin(kit, { binding_message: "W4SCT" });
    assertEquals(await kit.lab.approve("alice"), [
      { client: "demo-agent", bindingMessage: "W4SCT", decision: "allow" },
    ]);
    assertEquals(await resultOf(kit, id), "alice");
  });

  it("denies it", async () => {
    const kit = openLabKit();
    const id = await begin(kit);
    await kit.lab.approve("alice", { deny: true });
    assertEquals(await resultOf(kit, id), "access_denied");
  });

  it("decides about the next request if none is open, once, for its user and client", async () => {
    const clients = [agent(), agent({ id: "other", secret: "s" })];
    const kit = openLabKit({ clients });
    assertEquals(await kit.lab.approve("alice", { client: "other" }), []);
    assertEquals(await kit.lab.approve("alice"), []);
    assertEquals(
      await resultOf(kit, await begin(kit, { login_hint: "bob" })),
      "authorization_pending",
    );
    assertEquals(await resultOf(kit, await begin(kit)), "alice");
    assertEquals(await resultOf(kit, await begin(kit)), "authorization_pending");
  });

  for (const isFrozen of [false, true]) {
    it(`takes time on the clock of the lab${isFrozen ? ", which is stopped" : ""}`, async () => {
      const kit = openLabKit();
      if (isFrozen) kit.lab.clock.freeze();
      const id = await begin(kit);
      await kit.lab.approve("alice", { after: "7s" });
      assertEquals(await resultOf(kit, id), "authorization_pending");
      kit.lab.clock.advance("6s");
      assertEquals(await resultOf(kit, id), "authorization_pending");
      kit.lab.clock.advance("6s");
      assertEquals(await resultOf(kit, id), "alice");
    });
  }

  it("sends the ping when the time has come", async () => {
    const sent: string[] = [];
    const kit = openLabKit({
      clients: [agent({
        backchannelDeliveryMode: "ping",
        backchannelNotificationEndpoint: "https://agent.example/ping",
      })],
      fetch: (url) => {
        sent.push(url);
        return Promise.resolve(new Response(null, { status: 204 }));
      },
    });
    const id = await begin(kit, { client_notification_token: "x".repeat(30) });
    await kit.lab.approve("alice", { after: "5s" });
    kit.lab.clock.advance("5s");
    assertEquals(await resultOf(kit, id), "alice");
    await kit.server.context.background.idle();
    assertEquals(sent, ["https://agent.example/ping"]);
  });

  it("signs in as strongly as the client wants", async () => {
    const kit = openLabKit({ acrValues: ["one", "two", "three"] });
    const id = await begin(kit, { acr_values: "two" });
    await kit.lab.approve("alice");
    const { body } = await pollCiba(kit, id);
    assertEquals(claimsOf(body.id_token).acr, "two");
  });

  it("obeys the scope policy of the server", async () => {
    const policies = { scope: () => ["openid"] };
    const kit = openLabKit({ policies } as Partial<LabConfig>);
    const id = await begin(kit);
    await kit.lab.approve("alice");
    assertEquals((await pollCiba(kit, id)).body.scope, "openid");
  });

  it("is as good as hands-free sign-in, a login_hint that signs in, and the pages", async () => {
    const kit = openLabKit();
    kit.lab.signIn("alice", { times: 1 });
    assertEquals(await resultOf(kit, await begin(kit)), "alice");
    kit.lab.signIn("alice", { times: 1, decision: "deny" });
    assertEquals(await resultOf(kit, await begin(kit)), "access_denied");
    kit.lab.configure({ signInByHint: true });
    assertEquals(await resultOf(kit, await begin(kit)), "alice");
    kit.lab.configure({ signInByHint: false });
    const id = await begin(kit);
    await kit.lab.approve("alice", { after: "1h" });
    await answerCiba(kit, { decision: "deny" });
    assertEquals(await resultOf(kit, id), "access_denied");
    await kit.lab.close();
  });

  it("is forgotten at a reset, and restored with a snapshot", async () => {
    const kit = openLabKit();
    await kit.lab.approve("alice");
    const snapshot = await kit.lab.snapshot();
    await kit.lab.reset();
    assertEquals(await resultOf(kit, await begin(kit)), "authorization_pending");
    await kit.lab.restore(snapshot);
    assertEquals(await resultOf(kit, await begin(kit)), "alice");
  });

  it("refuses an unknown user, and a time that is none", async () => {
    const { lab } = openLabKit();
    await assertRejects(() => lab.approve("nobody"), Error, "no user");
    await assertRejects(() => lab.approve("alice", { after: "soon" as never }), Error, "duration");
  });

  it("makes a user known where any name signs in", async () => {
    const kit = openLabKit({ anyUser: true });
    const id = await begin(kit, { login_hint: "zoe" });
    await kit.lab.approve("zoe");
    assertEquals(await resultOf(kit, id), "zoe");
  });

  it("does the same over HTTP", async () => {
    const kit = openLabKit();
    const id = await begin(kit);
    const { json } = await callLab(kit.lab, "POST /approvals", { user: "alice", deny: true });
    assertEquals(json, [{ client: "demo-agent", decision: "deny" }]);
    assertEquals(await resultOf(kit, id), "access_denied");
  });
});

describe("The page of the requests that wait for users", () => {
  it("has a button that denies one, and comes back", async () => {
    const kit = openLabKit();
    const id = await begin(kit);
    const tab = await openTab(kit.lab);
    const page = await tab.html("/lab/approvals");
    assertMatch(textOf(page), /alice demo-agent .*Allow Deny/);
    const fields = { user: "alice", client: "demo-agent", deny: "true", back: "/lab/approvals" };
    const { headers } = await tab.post("/lab/call/approve", fields);
    assertEquals(headers.get("Location"), "/lab/approvals");
    assertEquals(await resultOf(kit, id), "access_denied");
    assertMatch(textOf(await tab.html("/lab/approvals")), /There are none yet/);
  });
});

describe("A flow that waits for a user elsewhere", () => {
  it("leads to the decision, on its page and on the home page, until it is made", async () => {
    const kit = openLabKit();
    const pages = async () => {
      const texts = ["/", "/lab/flows/flow-1"].map(async (path) => {
        const request = new Request(kit.issuer + path, { headers: { Accept: "text/html" } });
        return await (await kit.lab.fetch(request)).text();
      });
      return (await Promise.all(texts)).map((html) =>
        /<a [^>]*id="decide" href="([^"]*)"[^>]*>(.*?)<\/a>/.exec(html)?.slice(1)
      );
    };
    const link = ["/lab/approvals", "Decide as <bdi>alice</bdi>"];
    const id = await begin(kit);
    assertEquals(await pages(), [link, link]);
    await pollCiba(kit, id);
    assertEquals(await pages(), [link, link]);
    await kit.lab.approve("alice");
    assertEquals(await resultOf(kit, id), "alice");
    assertEquals(await pages(), [undefined, undefined]);
  });

  const decisions: Array<[options: ApproveOptions, outcome: string]> = [
    [{}, "Allowed by alice, not redeemed yet"],
    [{ deny: true }, "Denied, not polled yet"],
  ];
  for (const [options, outcome] of decisions) {
    for (const isPlanned of [false, true]) {
      it(`then says '${outcome}'${isPlanned ? ", as was planned" : ""}`, async () => {
        const kit = openLabKit();
        if (isPlanned) await kit.lab.approve("alice", options);
        await begin(kit);
        if (!isPlanned) await kit.lab.approve("alice", options);
        const request = new Request(`${kit.issuer}/lab/flows/flow-1`, {
          headers: { Accept: "text/html" },
        });
        const html = await (await kit.lab.fetch(request)).text();
        assertStringIncludes(html, outcome);
        assertEquals(html.includes('id="decide"'), false);
      });
    }
  }

  it("names, in the refusal of an unknown user, what came and the users of the lab", async () => {
    const kit = openLabKit();
    const { body } = await beginCiba(kit, { login_hint: "zoe" });
    assertEquals(JSON.stringify(body).includes("alice"), false);
    const { received, expected = "" } = kit.lab.requests().at(-1)?.refusal ?? {};
    assertEquals(received, "zoe");
    assertStringIncludes(expected, "alice");
  });
});
