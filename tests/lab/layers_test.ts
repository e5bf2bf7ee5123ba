import { assert, assertEquals, assertRejects } from "@std/assert";
import { decodeJwt } from "jose";
import { describe, it } from "node:test";
import type { LabParts } from "../../src/lab/handling/lab_parts.ts";
import { createPipeline } from "../../src/lab/handling/pipeline.ts";
import { type Layer, nest, type RequestLayers, unless } from "../../src/lab/layers/layer.ts";
import type { PendingExchange } from "../../src/lab/layers/pending_exchange.ts";
import { openLab } from "../../src/lab/open_lab.ts";
import type { WireResponse } from "../../src/lab/recording/exchange.ts";
import { hallpass, type HallpassOptions, type TestLab } from "../../src/lab/testing/mod.ts";
import { nestChecked } from "../support/checked_layers.ts";
import { openLabKit } from "../support/kit.ts";
import { present } from "../support/present.ts";
import { callbackOf, clientAt, webClient } from "../support/provider_login.ts";
import { testClient } from "../support/test_client.ts";
import { needs, needsSettings } from "../support/where_feature.ts";

const empty: WireResponse = { status: 200, headers: [], body: "" };
const exchange = {} as PendingExchange;

describe("Layers", () => {
  const passes: Layer = (_, next) => next();
  const responds: Layer = () => Promise.resolve(empty);

  it("that take no part cost no promise", () => {
    const response = Promise.resolve(empty);
    const idle = unless(() => true, () => Promise.reject(new Error("takes part")));
    assert(nest([idle, passes, idle, () => response])(exchange) === response);
  });

  it("of which none responds reject", async () => {
    await assertRejects(() => nest([passes])(exchange), Error, "No layer responds.");
  });

  const broken: Array<[name: string, layer: Layer, message: string]> = [
    ["call the next one twice", async (_, next) => (await next(), await next()), "twice"],
    ["return before the next one", (_, next) => (next(), Promise.resolve(empty)), "before"],
  ];
  for (const [name, layer, message] of broken) {
    it(`that ${name} are found by the tests`, async () => {
      await assertRejects(() => nestChecked([layer, responds])(exchange), Error, message);
    });
  }
});

describe("The way of a request", () => {
  /** Returns the steps of a request through layers that take part at each place. */
  async function stepsOf(kind: PendingExchange["kind"]): Promise<string[]> {
    const steps: string[] = [];
    const layer = (name: string): Layer => async (_, next) => {
      steps.push(name);
      const response = await next();
      steps.push(`after ${name}`);
      return response;
    };
    const part: RequestLayers = {
      identify: () => void steps.push("identify"),
      admit: layer("admit"),
      misbehave: layer("misbehave"),
      change: layer("change"),
      permit: layer("permit"),
      choose: () => void steps.push("choose"),
      translate: layer("translate"),
    };
    const record = { add: () => void steps.push("recorded") };
    const respond = () => (steps.push("server"), Promise.resolve({ ...empty, body: null }));
    const server = { current: () => ({ respond }) };
    const clock = { now: () => 1 };
    const parts = { record, recorder: { mark: () => 1 }, clock, waits: {}, server };
    const way = createPipeline(parts as unknown as LabParts, [part], nest);
    await way({
      ...{ kind, labResponse: empty, labels: {} },
      ...{ fired: [], startMark: () => 1, request: {} },
      serverRequest: { signal: () => new AbortController().signal },
      learned: { events: [], concerns: { authorization: "a" } },
    } as unknown as PendingExchange);
    return steps;
  }

  const order: Array<[outer: string, inner: string, why: string]> = [
    ["identify", "admit", "who responds decides which layers take part"],
    ["admit", "recorded", "the record asks the server that knows the client"],
    ["after misbehave", "recorded", "the record has what the client got"],
    ["misbehave", "change", "nothing repairs what a fault broke"],
    ["change", "permit", "a dialect shapes what a leniency adds to a response"],
    ["change", "choose", "what responds in place of the server creates no credential"],
    ["choose", "translate", "who gets a value is decided by the request as the client sent it"],
    ["translate", "server", "the server never sees the words of another provider"],
    ["after translate", "after change", "a change is made to what the server responded"],
    ["after change", "after misbehave", "a fault breaks the response that the client would get"],
    ["recorded", "after admit", "a request is recorded before its response is sent"],
  ];
  for (const [first, second, why] of order) {
    it(`passes '${first}' before '${second}': ${why}`, async () => {
      const steps = await stepsOf("protocol");
      assert(steps.includes(first) && steps.indexOf(first) < steps.indexOf(second), `${steps}`);
    });
  }

  it("is shorter outside the protocol", async () => {
    const lab = ["identify", "misbehave", "after misbehave", "recorded"];
    assertEquals(await stepsOf("lab"), lab);
    assertEquals(await stepsOf("route"), ["identify", "server", "recorded"]);
    assertEquals(await stepsOf("page"), ["identify", "server"]);
  });
});

/** All of them make a lab less strict. */
const leniencies = ["any_client", "any_scope", "redirect_status", "response_types"];

describe("The layers of a lab", () => {
  const authorizeAt = (lab: TestLab, changes: Record<string, string> = {}) =>
    clientAt(lab).ask({ scope: "openid", ...changes });

  async function tokensOf(lab: TestLab) {
    const { code } = callbackOf(await authorizeAt(lab));
    return await clientAt(lab).redeem(code, {}, { Accept: "*/*" });
  }

  const order: Array<[why: string, HallpassOptions, (lab: TestLab) => Promise<void>]> = [
    ["a hook does not repair what a fault broke", {}, async (lab) => {
      lab.on("id_token", ({ claims }) => void (claims.aud = "a-hook"));
      lab.fault("id_token.wrong_aud");
      const { id_token } = (await tokensOf(lab)).body;
      assert(decodeJwt(id_token).aud !== "a-hook");
      const names = lab.requests().at(-1)?.faults;
      assertEquals(names, ["hook.id_token", "id_token.wrong_aud"]);
    }],
    ["a hook gets what the dialect made", { dialect: { tokenResponses: "form" } }, async (lab) => {
      let body = "";
      lab.on("response", (draft) => void (body = draft.body), { at: "token" });
      await tokensOf(lab);
      assert(body.startsWith("access_token="), body);
    }],
    [
      "the dialect shapes what a response type added",
      { responseTypes: ["code id_token"], dialect: { idToken: { set: { shape: "own" } } } },
      async (lab) => {
        const asked = { response_type: "code id_token", response_mode: "form_post", nonce: "n" };
        const page = await (await authorizeAt(lab, asked)).text();
        const [, token = ""] = /name="id_token" value="([^"]+)"/.exec(page) ?? [];
        assertEquals(decodeJwt(token).shape, "own");
      },
    ],
    [
      "an unknown client is known with the scopes that the lab has just admitted",
      { anyScope: true, anyClient: true, unknownClientPkce: "optional" },
      async (lab) => {
        const response = await authorizeAt(lab, { client_id: "unknown", scope: "openid new" });
        assert(callbackOf(response).code, await response.text());
      },
    ],
  ];
  for (const [why, options, act] of order) {
    const { skip } = why.startsWith("a hook") ? needs("hooks", "faults") : needsSettings(options);
    it(`are in this order: ${why}`, { skip }, async () => {
      const clients = [{ ...webClient, pkce: "optional" as const }];
      await using lab = await hallpass({ clients, signIn: "alice", ...options });
      await act(lab);
    });
  }

  it("of a tenant are nested as those of its lab", async () => {
    let nested = 0;
    const counting: typeof nest = (layers) => (nested++, nest(layers));
    await using lab = openLab({ issuer: "https://hallpass.test" }, { nest: counting });
    const ask = (issuer: string) =>
      lab.fetch(new Request(`${issuer}/.well-known/openid-configuration`));
    await ask(lab.issuer);
    const before = nested;
    await ask((await lab.tenant()).issuer);
    assertEquals([before > 0, nested], [true, 2 * before]);
  });

  it("keep the rules of layers, all at once", needs("hooks", "faults", ...leniencies), async () => {
    const client = testClient();
    const { lab } = openLabKit({
      ...{ anyScope: true, anyClient: true, redirectStatus: 302 },
      responseTypes: ["code", "code id_token"],
      dialect: { tokenResponses: "json", unknownScopes: "ignore" },
    });
    lab.fault("token.claims", { claims: { role: "admin" } });
    lab.fault("userinfo.slow", { delay: "1ms" });
    const { body } = await client.redeem(lab, await client.code(lab));
    assertEquals((await client.userinfo(lab, String(body.access_token))).status, 200);
    assert(present(lab.exchanges().at(-1)).faults.includes("userinfo.slow"));
  });
});
