import { assertEquals, assertMatch, assertRejects, assertStringIncludes } from "@std/assert";
import { describe } from "node:test";
import type { ApproveOptions } from "../../../../src/lab/features/ciba/calls.ts";
import type { LabConfig } from "../../../../src/lab/lab_config.ts";
import { textOf } from "../../../support/browser.ts";
import {
  agent,
  beginCiba,
  openRequest,
  otherAgent,
  pingToken,
  receivePings,
  withPings,
} from "../../../support/ciba.ts";
import { itWith } from "../../../support/it_with.ts";
import { claimsOf, type Fields, openLabKit } from "../../../support/kit.ts";
import { callLab } from "../../../support/lab_call.ts";
import { openTab } from "../../../support/lab_tab.ts";
import { needs } from "../../../support/where_feature.ts";

const it = itWith({ inLab: openInLab });

/** Opens a lab, in which clients ask users. */
function openInLab(settings?: Partial<LabConfig>) {
  const kit = openLabKit(settings);
  const begin = async (fields?: Fields) => {
    const request = await openRequest(kit, fields);
    return {
      ...request,
      /** Returns what the client gets when it polls: the `sub` of its ID token, or an error. */
      async result(): Promise<unknown> {
        const { body } = await request.poll();
        return body.error ?? claimsOf(body.id_token).sub;
      },
    };
  };
  return {
    kit,
    lab: kit.lab,
    begin,
    next: async (fields?: Fields) => (await begin(fields)).result(),
  };
}

describe("lab.approve", () => {
  it.inLab("allows what a client asks a user", async ({ lab, begin }) => {
    const { result } = await begin({ binding_message: "W4SCT" });
    assertEquals(await lab.approve("alice"), [
      { client: "demo-agent", bindingMessage: "W4SCT", decision: "allow" },
    ]);
    assertEquals(await result(), "alice");
  });

  it.inLab("denies it, also over HTTP", async ({ lab, begin }) => {
    const { result } = await begin();
    const { json } = await callLab(lab, "POST /approvals", { user: "alice", deny: true });
    assertEquals(json, [{ client: "demo-agent", decision: "deny" }]);
    assertEquals(await result(), "access_denied");
  });

  it("decides about the next request if none is open, once, for its user and client", async () => {
    const { lab, next } = openInLab({ clients: [agent(), otherAgent] });
    assertEquals(await lab.approve("alice", { client: "other-agent" }), []);
    assertEquals(await lab.approve("alice"), []);
    assertEquals(await next({ login_hint: "bob" }), "authorization_pending");
    assertEquals([await next(), await next()], ["alice", "authorization_pending"]);
  });

  for (const isFrozen of [false, true]) {
    it.inLab(`takes time on the clock of the lab${isFrozen ? ", which is stopped" : ""}`, async ({ lab, begin }) => {
      if (isFrozen) lab.clock.freeze();
      const { result } = await begin();
      await lab.approve("alice", { after: "7s" });
      assertEquals(await result(), "authorization_pending");
      for (const expected of ["authorization_pending", "alice"]) {
        lab.clock.advance("6s");
        assertEquals(await result(), expected);
      }
    });
  }

  it("sends the ping when the time has come", async () => {
    const { pings, fetch } = receivePings();
    const { kit, lab, begin } = openInLab({ clients: [agent(withPings)], fetch });
    const { result } = await begin(pingToken);
    await lab.approve("alice", { after: "5s" });
    lab.clock.advance("5s");
    assertEquals(await result(), "alice");
    await kit.server.context.background.idle();
    assertEquals(pings.length, 1);
  });

  it("signs in as strongly as the client wants, and obeys the scope policy of the server", async () => {
    const policies = { scope: () => ["openid"] };
    const acrValues = ["one", "two", "three"];
    const { lab, begin } = openInLab({ acrValues, policies } as Partial<LabConfig>);
    const { poll } = await begin({ acr_values: "two" });
    await lab.approve("alice");
    const { scope, id_token } = (await poll()).body;
    assertEquals([scope, claimsOf(id_token).acr], ["openid", "two"]);
  });

  it.inLab("is as good as hands-free sign-in, a login_hint that signs in, and the pages", async ({ lab, begin, next }) => {
    lab.signIn("alice", { times: 1 });
    assertEquals(await next(), "alice");
    lab.signIn("alice", { times: 1, decision: "deny" });
    assertEquals(await next(), "access_denied");
    lab.configure({ signInByHint: true });
    assertEquals(await next(), "alice");
    lab.configure({ signInByHint: false });
    const { answer, result } = await begin();
    await lab.approve("alice", { after: "1h" });
    await answer({ decision: "deny" });
    assertEquals(await result(), "access_denied");
    await lab.close();
  });

  it.inLab(
    "is forgotten at a reset, and restored with a snapshot",
    needs("snapshots"),
    async ({ lab, next }) => {
      await lab.approve("alice");
      const snapshot = await lab.snapshot();
      await lab.reset();
      assertEquals(await next(), "authorization_pending");
      await lab.restore(snapshot);
      assertEquals(await next(), "alice");
    },
  );

  it.inLab("refuses an unknown user, and a time that is none", async ({ lab }) => {
    await assertRejects(() => lab.approve("nobody"), Error, "no user");
    await assertRejects(() => lab.approve("alice", { after: "soon" as never }), Error, "duration");
  });

  it("makes a user known where any name signs in", needs("any_user"), async () => {
    const { lab, begin } = openInLab({ anyUser: true });
    const { result } = await begin({ login_hint: "zoe" });
    await lab.approve("zoe");
    assertEquals(await result(), "zoe");
  });
});

describe("The page of the requests that wait for users", () => {
  it.inLab("has a button that denies one, and comes back", async ({ lab, begin }) => {
    const { result } = await begin();
    const tab = await openTab(lab);
    assertMatch(textOf(await tab.html("/lab/approvals")), /alice demo-agent .*Allow Deny/);
    const fields = { user: "alice", client: "demo-agent", deny: "true", back: "/lab/approvals" };
    const { headers } = await tab.post("/lab/call/approve", fields);
    assertEquals(headers.get("Location"), "/lab/approvals");
    assertEquals(await result(), "access_denied");
    assertMatch(textOf(await tab.html("/lab/approvals")), /There are none yet/);
  });
});

describe("A flow that waits for a user elsewhere", () => {
  it.inLab("leads to the decision, on its page and on the home page, until it is made", async ({ lab, begin }) => {
    const tab = await openTab(lab);
    const link =
      /<a [^>]*id="decide" href="\/lab\/approvals"[^>]*>Decide as <bdi>alice<\/bdi><\/a>/;
    const areLinked = async () => {
      const pages = [await tab.html("/"), await tab.html("/lab/flows/flow-1")];
      return pages.map((html) => link.test(html));
    };
    const { poll, result } = await begin();
    assertEquals(await areLinked(), [true, true]);
    await poll();
    assertEquals(await areLinked(), [true, true]);
    await lab.approve("alice");
    assertEquals(await result(), "alice");
    assertEquals(await areLinked(), [false, false]);
  });

  const decisions: Array<[options: ApproveOptions, outcome: string]> = [
    [{}, "Allowed by alice, not redeemed yet"],
    [{ deny: true }, "Denied, not polled yet"],
  ];
  for (const [options, outcome] of decisions) {
    for (const isPlanned of [false, true]) {
      it.inLab(`then says '${outcome}'${isPlanned ? ", as was planned" : ""}`, async (opened) => {
        const steps = [opened.begin, () => opened.lab.approve("alice", options)];
        for (const step of isPlanned ? steps.toReversed() : steps) await step();
        const html = await (await openTab(opened.lab)).html("/lab/flows/flow-1");
        assertStringIncludes(html, outcome);
        assertEquals(html.includes('id="decide"'), false);
      });
    }
  }

  it.inLab("names, in the refusal of an unknown user, what came and the users of the lab", async ({ kit, lab }) => {
    const { text } = await beginCiba(kit, { login_hint: "zoe" });
    assertEquals(text.includes("alice"), false);
    const { received, expected = "" } = lab.requests().at(-1)?.refusal ?? {};
    assertEquals(received, "zoe");
    assertStringIncludes(expected, "alice");
  });
});
