import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { decodeJwt } from "jose";
import { describe, it } from "node:test";
import type { ReplayChanges } from "../../../src/lab/flows/replay/replay_changes.ts";
import type { LabConfig } from "../../../src/lab/lab_server/lab_config.ts";
import { type Kit, openLabKit } from "../../support/kit.ts";
import { present } from "../../support/present.ts";

const issuer = "http://localhost:9000";
const secret = "web-secret-of-at-least-32-characters";
const ownClients: LabConfig["clients"] = [
  { id: "web", secret, redirectUris: ["https://app.example/callback"] },
];

interface PlayedFlow {
  kit: ReturnType<typeof openLabKit>;
  /** Returns the number of the last exchange of an endpoint that no replay made. */
  idOf(endpoint: string): number;
}

/** Starts a flow of the lab in a browser, and redeems its code. */
async function play(query: string, config: Partial<LabConfig>): Promise<PlayedFlow> {
  const kit = openLabKit({ issuer, ...config });
  const browser = kit.browser();
  const callback = await browser.authorize(`${issuer}/start?${query}`);
  await browser.submit(await loadPage(kit, browser, callback), "send-exchange");
  return {
    kit,
    idOf: (endpoint) =>
      present(
        kit.lab.exchanges().findLast(({ request, replayOf }) =>
          request.endpoint === endpoint && replayOf === undefined
        ),
      ).id,
  };
}

async function loadPage(_kit: Kit, browser: ReturnType<Kit["browser"]>, url: string) {
  const response = await browser.request(url);
  const { status, headers } = response;
  return { url, status, headers, html: await response.text() };
}

describe("The proofs of a replayed request of fapi-2.0", () => {
  const open = () => play("client_id=demo-web", { profile: "fapi-2.0" });

  it("are refused as they were, and the summary names the one that was spent", async () => {
    const { kit, idOf } = await open();
    const { summary, repeated } = await kit.lab.replay(idOf("token"));
    assertEquals(repeated.map(({ name }) => name), ["code", "client_assertion", "dpop"]);
    assertStringIncludes(summary, "Its client assertion works once");
  });

  const steps: Array<[fresh: ReplayChanges["fresh"], rule: string | undefined]> = [
    [["client_assertion"], "dpop.unused"],
    [["client_assertion", "dpop"], "code.unused"],
    [["client_assertion", "dpop", "code"], undefined],
    [true, undefined],
  ];
  for (const [fresh, rule] of steps) {
    it(`get as far as the next spent one: fresh ${JSON.stringify(fresh)}`, async () => {
      const { kit, idOf } = await open();
      const { replay, summary } = await kit.lab.replay(idOf("token"), { fresh });
      assertEquals(replay.refusal?.rule, rule, summary);
      assertEquals(replay.response?.status, rule === undefined ? 200 : 400);
    });
  }

  it("stay as wrong as they were when the lab signs them again", async () => {
    const { kit, idOf } = await open();
    const id = idOf("token");
    const exchange = present(kit.lab.exchanges().find((each) => each.id === id));
    kit.lab.clock.advance("30s");
    const { replay } = await kit.lab.replay(id, { fresh: true, secrets: true });
    const before = decodeJwt(present(exchange.request.form.get("client_assertion")));
    const after = decodeJwt(present(replay.parameters.client_assertion));
    assertEquals([after.aud, after.sub], [before.aud, before.sub]);
    assertEquals(present(after.exp) - present(before.exp), 30);
    assert(after.jti !== before.jti);
  });

  it("have the hash of the access token, and the method, that are sent", async () => {
    const { kit, idOf } = await open();
    const tokenId = idOf("token");
    const { replay } = await kit.lab.replay(tokenId, { fresh: true, secrets: true });
    const other = JSON.parse(present(replay.response).body).access_token;
    const { access_token } = JSON.parse(
      present(kit.lab.exchanges().find(({ id }) => id === tokenId)?.response).body,
    );
    const { signDpopProof } = await import("../../../src/lab/client_role/signed_proofs.ts");
    const url = `${issuer}/oauth2/userinfo`;
    const dpop = await signDpopProof(kit.lab.context, {
      method: "GET",
      url,
      accessToken: access_token,
    });
    await kit.lab.fetch(
      new Request(url, { headers: { authorization: `DPoP ${access_token}`, dpop } }),
    );
    const result = await kit.lab.replay(idOf("userinfo"), {
      headers: { authorization: `DPoP ${other}` },
      fresh: true,
    });
    assertEquals(result.replay.response?.status, 200, result.summary);
    const posted = await kit.lab.replay(idOf("userinfo"), { method: "POST", fresh: true });
    assertEquals(posted.replay.response?.status, 200, posted.summary);
  });

  it("push a request again for a fresh request_uri", async () => {
    const { kit, idOf } = await open();
    const id = idOf("authorize");
    const spent = await kit.lab.replay(id);
    assertEquals(spent.replay.refusal?.rule, "request_uri.usable");
    assertStringIncludes(spent.summary, "Its request_uri works once");
    const fresh = await kit.lab.replay(id, { fresh: true });
    assertEquals(fresh.replay.refusal, undefined, fresh.summary);
    assertEquals(present(kit.lab.exchanges().at(-2)).request.endpoint, "par");
  });
});

describe("A flow that ends at the lab without a redirect URI of its client", () => {
  it("is vouched for again in a fresh replay only, and keeps its challenge", async () => {
    const { kit, idOf } = await play("client_id=web", { clients: ownClients });
    const id = idOf("authorize");
    assertEquals((await kit.lab.replay(id)).replay.refusal?.rule, "redirect_uri.registered");
    const { replay, summary } = await kit.lab.replay(id, { fresh: true });
    assertEquals(replay.refusal, undefined, summary);
    assertEquals((await kit.lab.replay(id)).replay.refusal?.rule, "redirect_uri.registered");
  });

  it("gets a fresh code for its token request", async () => {
    const { kit, idOf } = await play("client_id=web", { clients: ownClients });
    const { replay, summary } = await kit.lab.replay(idOf("token"), { fresh: true });
    assertEquals(replay.response?.status, 200, summary);
  });

  for (const name of ["client_id", "redirect_uri", "state"]) {
    it(`is not vouched for any longer when a replay is refused: '${name}' twice`, async () => {
      const { kit, idOf } = await play("client_id=web", { clients: ownClients });
      const id = idOf("authorize");
      const sent = present(kit.lab.exchanges().find((each) => each.id === id)).request.query;
      const twice = { [name]: [present(sent.get(name)), "another"] };
      const { replay } = await kit.lab.replay(id, { parameters: twice, fresh: true });
      assertEquals(replay.refusal?.rule, "form.unique");
      assertEquals((await kit.lab.replay(id)).replay.refusal?.rule, "redirect_uri.registered");
    });
  }

  it("never ends at another redirect URI than the one that it began with", async () => {
    const { kit, idOf } = await play("client_id=web", { clients: ownClients });
    const id = idOf("authorize");
    const { replay } = await kit.lab.replay(id, {
      parameters: { redirect_uri: `${issuer}/callback` },
      fresh: true,
    });
    assertEquals(replay.refusal?.rule, "redirect_uri.registered");
    // Nothing is left that would let the flow end at the lab without being asked again.
    assertEquals((await kit.lab.replay(id)).replay.refusal?.rule, "redirect_uri.registered");
  });
});
