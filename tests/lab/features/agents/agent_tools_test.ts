import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { describe } from "node:test";
import { entryOf } from "../../../../src/lab/features/agents/agent_tool.ts";
import { agentTools } from "../../../../src/lab/features/agents/agent_tools.ts";
import { pageOfResult } from "../../../../src/lab/features/agents/run_tool.ts";
import { bytesIn } from "../../../../src/lab/features/agents/shorten.ts";
import { operations } from "../../../../src/lab/routes/operation_table.ts";
import type { TestLab } from "../../../../src/lab/testing/mod.ts";
import { sha256 } from "../../../../src/server/util/crypto/hash.ts";
import { itWith } from "../../../support/it_with.ts";
import { authorizationUrl, freshTokens, freshUrl } from "../../../support/login.ts";
import { hasFeature, needs } from "../../../support/where_feature.ts";
import { askAs, callAgentTool, openAgentLab, postForm, refuseCode } from "./agent_client.ts";

const it = itWith({
  inLab: openAgentLab,
  inWholeLab: { ...needs("connect", "report", "faults", "drill", "api_drill"), open: openAgentLab },
});

/** Those whose text is made for reading. The others are operations. */
const ownTools = ["connect_app", "flows", "explain", "report", "drill_app", "drill_api"];

const web = { id: "notes", redirectUris: ["http://localhost:3000/callback"] };

/** What goes wrong in a call: the tool, its arguments, and a part of the message. */
const mistakes: Record<string, [name: string, args: object, says: RegExp]> = {
  "an unknown member": ["clock", { advanse: "1h" }, /did you mean 'advance'/],
  "a wrong type": ["sign_in_as", { user: "alice", times: "two" }, /'times' must be/],
  "a page that is no number": ["flows", { page: 0 }, /'page' must be/],
  "a missing member": ["register_client", {}, /'id' is missing/],
  "a member where there is none": ["reset", { hard: true }, /reset takes no arguments/],
  "an unknown user": ["sign_in_as", { user: "eve" }, /no user 'eve'. Choose one of: alice/],
  "a redirect URI that no client may have": [
    "register_client",
    { id: "notes", redirectUris: ["javascript:1"] },
    /Cannot set the client 'notes'/,
  ],
  "an unknown flow": ["explain", { flow: "flow-9" }, /no flow 'flow-9'.*Call flows/],
  "an unknown rule": ["explain", { rule: "code.redirect_url" }, /Did you mean 'code.redirect_uri'/],
  "a page after the last": ["explain", { rule: "code.redirect_uri", page: 2 }, /no page 2.*has 1/],
  "an unknown kind of token": ["mint_token", { sub: "alice", kind: "saml" }, /kind/],
  "a time that is none": ["clock", { advance: "soon" }, /soon/],
};

describe("The tools of an agent", () => {
  it.inWholeLab("are six of their own, and each operation that says when to use it", async (lab) => {
    const { tools } = await askAs(lab, "tools/list");
    const derived = operations.filter(({ agents }) => agents !== undefined)
      .map(({ name }) => name.replaceAll("-", "_"));
    const names = tools.map(({ name }: { name: string }) => name);
    assertEquals(names.toSorted(), [...ownTools, ...derived].toSorted());
  });

  for (const name of ["flows", "explain"]) {
    it.inLab(`say whether an application knows the lab, which has begun no login: ${name}`, async (lab) => {
      const unknown = await callAgentTool(lab, name);
      assertStringIncludes(unknown.text, "Is the application configured with this issuer?");
      await lab.fetch(`${lab.issuer}/.well-known/openid-configuration`);
      const { text } = await callAgentTool(lab, name);
      assertMatch(text, /but GET \/\.well-known\/openid-configuration did: .* start its login\.$/);
    });
  }

  it.inLab("describe themselves, with schemas that refer to nothing outside", async (lab) => {
    const { tools } = await askAs(lab, "tools/list");
    for (const { name, description, inputSchema } of tools) {
      assertMatch(description, /\. (Use|Call) |\.$/, name);
      assertEquals(inputSchema.type, "object", name);
      assertEquals(JSON.stringify(inputSchema).includes("#/components"), false);
    }
  });

  it.inLab("say whether they read, only add, or may change anything", async (lab) => {
    const { tools } = await askAs(lab, "tools/list");
    const annotationsOf = (tool: string) =>
      tools.find(({ name }: { name: string }) => name === tool).annotations;
    assertEquals(annotationsOf("flows"), { readOnlyHint: true });
    assertEquals(annotationsOf("mint_token"), { destructiveHint: false });
    // By default, a tool may destroy something (MCP, ToolAnnotations).
    const changing = [
      "reset",
      "clock",
      "register_client",
      ...hasFeature("faults") ? ["break"] : [],
      ...hasFeature("drill") ? ["drill_app"] : [],
      ...hasFeature("consents") ? ["withdraw_consent"] : [],
    ];
    for (const name of changing) assertEquals(annotationsOf(name), undefined, name);
  });

  it.inLab("take up little of an agent's context", async (lab) => {
    const { tools } = await askAs(lab, "tools/list");
    const bytes = bytesIn(JSON.stringify(tools));
    assert(
      bytes <= 12_000,
      `The tools have ${bytes} bytes, and may have 12,000: shorten their texts, or take 'agents' ` +
        "from an operation that helps less.",
    );
  });

  for (const [title, [name, args, says]] of Object.entries(mistakes)) {
    it.inLab(`say what to do about ${title}`, async (lab) => {
      const { text, isError } = await callAgentTool(lab, name, args);
      assertEquals(isError, true);
      assertMatch(text, says);
    });
  }

  it.inLab("register a client with a secret, and keep it when it changes", async (lab) => {
    const { value, text } = await callAgentTool(lab, "register_client", web);
    assertStringIncludes(text, `"clientSecret": "${value.clientSecret}"`);
    assertEquals(lab.clients.get("notes").secret, value.clientSecret);
    const redirectUris = ["http://localhost:3000/other"];
    const changed = await callAgentTool(lab, "register_client", { id: "notes", redirectUris });
    assertEquals(changed.value.clientSecret, value.clientSecret);
    assertEquals(lab.clients.get("notes").redirectUris, redirectUris);
  });

  it.inLab("change the redirect URIs of a client, and nothing else of it", async (lab) => {
    const before = lab.clients.list();
    const redirectUris = ["http://localhost:3000/other"];
    for (const { id } of before.filter((each) => each.redirectUris)) {
      const { value } = await callAgentTool(lab, "register_client", { id, redirectUris });
      const { secret, ...client } = before.find((each) => each.id === id) ?? { id };
      assertEquals(lab.clients.get(id), { ...client, ...secret && { secret }, redirectUris });
      assertEquals(value.clientSecret, secret);
      await callAgentTool(lab, "register_client", { id });
      assertEquals(lab.clients.get(id).redirectUris, redirectUris);
    }
  });

  it.inLab("make another kind of a client that is known", async (lab) => {
    await callAgentTool(lab, "register_client", web);
    const { value } = await callAgentTool(lab, "register_client", { id: "notes", kind: "browser" });
    assertEquals([value.clientSecret, value.redirectUris], [undefined, web.redirectUris]);
    assertEquals(lab.clients.get("notes").secret, undefined);
  });

  for (const kind of ["browser", "native", "machine"]) {
    it.inLab(`register a client of the kind ${kind}`, async (lab) => {
      const { redirectUris } = web;
      const call = { id: "notes", kind, ...kind !== "machine" && { redirectUris } };
      const { value } = await callAgentTool(lab, "register_client", call);
      assertEquals(typeof value.clientSecret, kind === "machine" ? "string" : "undefined");
      assertEquals(lab.clients.get("notes").native ?? false, kind === "native");
    });
  }

  it.inLab("sign a user in without a page, and bring the page back", async (lab) => {
    const { text } = await callAgentTool(lab, "sign_in_as", { user: "alice" });
    assertStringIncludes(text, "alice");
    const response = await lab.fetch(authorizationUrl(lab), { redirect: "manual" });
    assertStringIncludes(response.headers.get("Location") ?? "", "code=");
    const { value } = await callAgentTool(lab, "sign_in_as");
    assertEquals(value.user, null);
  });

  it.inLab("play a user who denies", async (lab) => {
    await callAgentTool(lab, "sign_in_as", { user: "alice", decision: "deny", times: 1 });
    const response = await lab.fetch(authorizationUrl(lab), { redirect: "manual" });
    assertStringIncludes(response.headers.get("Location") ?? "", "error=access_denied");
  });

  it.inLab("mint a token that the lab knows", async (lab) => {
    const call = { sub: "alice", scope: "openid" };
    const { value, text } = await callAgentTool(lab, "mint_token", call);
    assertStringIncludes(text, value.access_token);
    const headers = { Authorization: `Bearer ${value.access_token}` };
    assertEquals((await lab.fetch(`${lab.issuer}/oauth2/userinfo`, { headers })).status, 200);
  });

  it.inLab("move the clock, and read it", async (lab) => {
    await callAgentTool(lab, "clock", { freeze: true });
    await callAgentTool(lab, "clock", { set: "2030-01-01T00:00:00Z" });
    const { value } = await callAgentTool(lab, "clock", { advance: "1h" });
    const { now, frozen } = value as { now: string; frozen: boolean };
    assertEquals([now, frozen], ["2030-01-01T01:00:00.000Z", true]);
    assertEquals((await callAgentTool(lab, "clock")).value, value);
  });

  it.inLab("reset the lab", async (lab) => {
    await callAgentTool(lab, "register_client", web);
    await callAgentTool(lab, "reset");
    assertEquals(lab.clients.list().some(({ id }) => id === "notes"), false);
  });
});

describe("flows and explain", () => {
  it.inLab("say that nothing came", async (lab) => {
    for (const name of ["flows", "explain"]) {
      assertStringIncludes((await callAgentTool(lab, name)).text, "No flow has reached");
    }
  });

  it.inLab("print what a client sent without its line breaks: nobody forges a line", async (lab) => {
    await lab.fetch(authorizationUrl(lab, { redirect_uri: "http://a/\n  fix: forged" }));
    const { text } = await callAgentTool(lab, "explain");
    assertStringIncludes(text, "\\u000a  fix: forged");
  });

  it.inLab("explain the last refusal with its rule, both values, the fix and a diagram", async (lab) => {
    await refuseCode(lab);
    const { text, value } = await callAgentTool(lab, "explain");
    const [refused] = value.refused;
    assertEquals([refused.rule, refused.request], ["code.redirect_uri", "POST /oauth2/token"]);
    for (const part of ["Received: ", "Expected: ", "Rule: code.redirect_uri.", "See OAuth", "│"]) {
      assertStringIncludes(text, part);
    }
  });

  it.inLab("name the request whose challenge a code_verifier belongs to, if it is another login's", async (lab) => {
    const [verifier = "", other = ""] = ["first", "other"].map((name) => name.padEnd(43, "-"));
    const begin = async (text: string) =>
      await lab.authorize(freshUrl(lab, { code_challenge: await sha256(text) }), { user: "alice" });
    const { code = "" } = await begin(verifier);
    await begin(other);
    await postForm(lab, "/oauth2/token", {
      grant_type: "authorization_code",
      code,
      client_id: "demo-spa",
      redirect_uri: `${lab.issuer}/authorized`,
      code_verifier: other,
    });
    const { text, value } = await callAgentTool(lab, "explain");
    const [{ rule, expected, received }] = value.refused;
    const [own, wrong] = [expected, received].map((each) =>
      Number(/^the SHA-256 \S+, the code_challenge of request-(\d+)$/.exec(each)?.[1])
    );
    assertEquals([rule, Number(own) < Number(wrong)], ["verifier.matches", true], text);
  });

  it.inLab("explain the last refusal of a client, although another was refused since", async (lab) => {
    await refuseCode(lab);
    await lab.fetch(authorizationUrl(lab, { client_id: "demo-web", scope: "unknown" }), {
      redirect: "manual",
    });
    const explained = async (client?: string) =>
      (await callAgentTool(lab, "explain", { client })).text;
    assertStringIncludes(await explained(), "invalid_scope");
    assertStringIncludes(await explained("demo-spa"), "code.redirect_uri");
    assertStringIncludes(await explained("demo-spy"), "There is no client 'demo-spy'.");
  });

  it.inLab("show no secret", async (lab) => {
    const code = await refuseCode(lab);
    const { access_token, refresh_token, id_token } = await freshTokens(lab);
    for (const name of ["flows", "explain"]) {
      const reply = JSON.stringify(await callAgentTool(lab, name));
      for (const secret of [code, access_token, refresh_token, id_token].filter(Boolean)) {
        assertEquals(reply.includes(String(secret)), false);
      }
    }
  });

  it.inLab("list flows, the newest first, and those of a client", async (lab) => {
    await freshTokens(lab);
    await refuseCode(lab);
    const { text, value } = await callAgentTool(lab, "flows");
    assertEquals(value.flows.map(({ id }: { id: string }) => id), ["flow-2", "flow-1"]);
    assertMatch(
      text,
      /^flow-2 .*Refused: invalid_grant.*code\.redirect_uri\nflow-1 .*Tokens issued/,
    );
    const count = async (args: object) => (await callAgentTool(lab, "flows", args)).value.flows;
    assertEquals((await count({ client: "demo-web" })).length, 0);
    assertEquals((await count({ refused: true })).length, 1);
  });

  it.inLab("say why a filter leaves no flow", async (lab) => {
    await freshTokens(lab);
    const flows = async (args: object) => (await callAgentTool(lab, "flows", args)).text;
    assertMatch(
      await flows({ client: "nobody\n" }),
      /^There is no client 'nobody\\u000a'\. Clients: demo-spa, demo-web/,
    );
    assertEquals(
      await flows({ client: "demo-web" }),
      "No flow of demo-web has reached the lab, but flows of: demo-spa.",
    );
    assertEquals(await flows({ refused: true }), "The lab refused no request.");
    const refusedOf = { client: "demo-spa", refused: true };
    assertEquals(await flows(refusedOf), "The lab refused no request of demo-spa.");
  });

  it.inLab("say of the last refusal that the client got tokens since", async (lab) => {
    lab.clock.freeze();
    lab.clock.set("2030-01-01T00:00:00Z");
    await refuseCode(lab);
    const explained = async (args = {}) => (await callAgentTool(lab, "explain", args)).text;
    assertEquals((await explained()).includes("It may be fixed"), false);
    lab.clock.advance("1m");
    await freshTokens(lab);
    assertStringIncludes(
      await explained(),
      "This refusal is the last one, of 2030-01-01T00:00:00.000Z. It may be fixed: a later " +
        "login of demo-spa succeeded (flow-2, 2030-01-01T00:01:00.000Z).",
    );
    assertEquals((await explained({ flow: "flow-1" })).includes("It may be fixed"), false);
  });

  it.inLab("list more than a page of flows in pages", async (lab) => {
    for (let at = 0; at < 90; at++) await lab.fetch(freshUrl(lab), { redirect: "manual" });
    const ids = await allFlows(lab);
    assertEquals(ids, Array.from({ length: 90 }, (_, at) => `flow-${90 - at}`));
  });

  it.inLab("hide no flow behind long values of clients, and are short as data, too", async (lab) => {
    for (let at = 0; at < 20; at++) {
      const client_id = `${at}${"\u0007é🎫".repeat(700)}`;
      await lab.fetch(authorizationUrl(lab, { client_id }), { redirect: "manual" });
    }
    assertEquals((await allFlows(lab)).length, 20);
    for (const name of ["explain", ...hasFeature("report") ? ["report"] : []]) {
      const { value, text } = await callAgentTool(lab, name);
      assertEquals(bytesIn(JSON.stringify(value)) < 8_000, true, name);
      assertStringIncludes(text, "…");
    }
  });

  it.inLab("list a refused request that belongs to no flow", async (lab) => {
    await postForm(lab, "/oauth2/token", { grant_type: "authorization_code", code: "x" });
    assertMatch((await callAgentTool(lab, "flows")).text, /request-1 .*belongs to no flow/);
    assertStringIncludes((await callAgentTool(lab, "explain")).text, "POST /oauth2/token");
  });

  const unrefused: Array<[what: string, act: (lab: TestLab) => Promise<unknown>, says: RegExp]> = [
    [
      "a code",
      (lab) => lab.authorize(freshUrl(lab), { user: "alice" }),
      /has not redeemed it: look/,
    ],
    [
      "tokens",
      (lab) => freshTokens(lab),
      /ended with: Tokens issued\. The application got its tokens/,
    ],
    [
      "a page",
      (lab) => lab.fetch(freshUrl(lab), { redirect: "manual" }),
      /The user has not finished: call sign_in_as/,
    ],
  ];
  for (const [what, act, says] of unrefused) {
    it.inLab(`say what to do next where nothing was refused: ${what}`, async (lab) => {
      await act(lab);
      assertMatch((await callAgentTool(lab, "explain")).text, says);
    });
  }

  it.inLab("name the tool that registers a redirect URI, not an option of the program", async (lab) => {
    const redirect_uri = "http://localhost:3000/callback";
    await lab.fetch(authorizationUrl(lab, { redirect_uri }), { redirect: "manual" });
    for (const args of [{}, { rule: "redirect_uri.registered" }]) {
      const { text } = await callAgentTool(lab, "explain", args);
      assertMatch(text, /exactly as registered, or call register_client with the id/);
      assertEquals(text.includes("--redirect-uri"), false);
    }
  });

  it.inLab("explain a denial by its rule", async (lab) => {
    await lab.authorize(freshUrl(lab), { user: "alice", decision: "deny" }).catch(() => {});
    assertMatch((await callAgentTool(lab, "explain")).text, /\n {2}Handle .* Rule: user\.allows\./);
  });

  it.inLab("say nothing of a user where a minted token was used", async (lab) => {
    const { access_token } = await lab.mint({ sub: "alice", scope: "openid" });
    const headers = { Authorization: `Bearer ${access_token}` };
    await lab.fetch(`${lab.issuer}/oauth2/userinfo`, { headers });
    assertMatch((await callAgentTool(lab, "explain")).text, /It ended with: Token used\.\n/);
  });

  it.inLab("say that there is no ID token where none was requested", async (lab) => {
    await freshTokens(lab);
    const explained = async () => (await callAgentTool(lab, "explain")).text;
    assertEquals((await explained()).includes("There is no ID token"), false);
    await freshTokens(lab, { scope: "profile" });
    assertStringIncludes(await explained(), "for one, request the scope openid");
  });

  it.inLab("explain a rule by its id", async (lab) => {
    const { text, value } = await callAgentTool(lab, "explain", { rule: "code.redirect_uri" });
    assertStringIncludes(text, "section: ");
    assertEquals(value.about, "code.redirect_uri");
  });
});

describe("A long result of a tool", () => {
  const [explain] = agentTools(operations).filter(({ name }) => name === "explain");
  const entries = Array.from({ length: 200 }, (_, at) => ({ at, text: "é".repeat(40) }));
  const toText = ({ at, text }: { at: number; text: string }) => `entry ${at}\n  ${text}`;
  const rows = ["title", ...entries.map((each) => entryOf(each, toText)), "🎫".repeat(60)];

  it("comes in pages of 4 kB, with the data of what each has as text", () => {
    const shown: string[] = [];
    const found: object[] = [];
    for (let page = 1, more = 1; more > 0; page++) {
      const { text, value } = pageOfResult({ rows, value: {}, list: "entries" }, explain!, page);
      assertEquals([bytesIn(text) <= 4_000, bytesIn(JSON.stringify(value)) <= 4_000], [true, true]);
      more = Object(value).more;
      found.push(...Object(value).entries);
      assertEquals(text.includes(`call explain with page ${page + 1}`), more > 0);
      shown.push(text.replace(/\n\[Page .*$/, ""));
    }
    assertEquals(found, entries);
    const lines = ["title", ...entries.map(toText), "🎫".repeat(60)];
    assertEquals(shown.join("\n"), lines.join("\n"));
  });

  it("has a long line of a token in pieces", () => {
    const [mint] = agentTools(operations).filter(({ name }) => name === "mint_token");
    const { text } = pageOfResult({ rows: ["🎫".repeat(3_000)], value: {} }, mint!, 1);
    assertEquals(bytesIn(text) <= 4_000, true);
    assertStringIncludes(text, "The rest is left out.");
  });

  it.inLab("is short if it is an error, too, and says what to do next", async (lab) => {
    const { text } = await callAgentTool(lab, "explain", { flow: "\u0007🎫".repeat(2_000) });
    assertMatch(text, /…'?.* Call flows to list the flows\.$/s);
  });
});

/** Returns the ids of the flows of all pages, which the text has as well. */
async function allFlows(lab: TestLab): Promise<string[]> {
  const ids: string[] = [];
  for (let page = 1, more = 1; more > 0; page++) {
    const { text, value } = await callAgentTool(lab, "flows", { page });
    more = value.more;
    const onPage = value.flows.map(({ id }: { id: string }) => id);
    assertEquals([...text.matchAll(/^flow-\d+/gm)].map(([id]) => id), onPage);
    ids.push(...onPage);
  }
  return ids;
}
