import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { describe } from "node:test";
import { toCurl } from "../../../src/lab/flows/curl.ts";
import type { FlowOutcome } from "../../../src/lab/flows/flow_story.ts";
import { toMermaid } from "../../../src/lab/flows/mermaid.ts";
import { toTextDiagram } from "../../../src/lab/flows/text_diagram.ts";
import type { Lab } from "../../../src/lab/lab.ts";
import { openLab } from "../../../src/lab/open_lab.ts";
import type { WireRequest } from "../../../src/lab/recording/exchange.ts";
import { LabError } from "../../../src/lab/util/lab_error.ts";
import { itWith } from "../../support/it_with.ts";
import {
  authorizationUrlIn,
  flowCode,
  flowIssuer,
  redeemIn,
  refreshIn,
  storyIn,
} from "../../support/lab_flow.ts";
import { featuresOf, needs } from "../../support/where_feature.ts";

const it = itWith({ inLab: () => openLab({ issuer: flowIssuer }) });

const wrongVerifier = { code_verifier: "w".repeat(43) };

/** A flow whose code is redeemed with a wrong verifier, and then, later, with the right one. */
async function playMistakenFlow(lab: Lab): Promise<void> {
  const code = await flowCode(lab);
  await redeemIn(lab, code, wrongVerifier);
  lab.clock.advance("2m");
  await redeemIn(lab, code);
}

describe("A flow drawn with characters", () => {
  it.inLab("shows who sent what, what is inferred, how much later, and why something failed", async (lab) => {
    await playMistakenFlow(lab);
    assertEquals(toTextDiagram(storyIn(lab)).split("\n"), [
      "flow-1 · demo-spa · Tokens issued",
      "",
      " Browser                                         Client                                         Hallpass",
      "    │                                               │                                               │",
      "    │<╌ Redirect to Hallpass: state, code_challe… ╌╌│                                               │",
      "    │───────────────────────────── GET /oauth2/authorize: openid read ─────────────────────────────>│",
      "    │<───────────────────────────────────── 200 page: Sign in ──────────────────────────────────────│",
      "    │────────────────────────── Submits the sign-in form: alice signs in ──────────────────────────>│",
      "    │<─────────────────────────────────── 200 page: Allow access ───────────────────────────────────│",
      "    │─────────────────────────── Submits the consent form: alice allows ───────────────────────────>│",
      "    │<──────────────────────────── 303 to the client: code, state, iss ─────────────────────────────│",
      "    │╌╌╌╌╌ GET /authorized: code, state, iss ╌╌╌╌╌╌>│                                               │",
      "    │                                               │─── POST /oauth2/token: authorization_code ───>│",
      "    │                                               │<───────────── 400 invalid_grant ──────────────│ ✗",
      "    │                                               │                                               │  … 2 minutes later",
      "    │                                               │─── POST /oauth2/token: authorization_code ───>│",
      "    │                                               │<─ 200: access token, ID token, refresh tok… ──│",
      "    │                                               │                                               │",
      "",
      "✗ 400 invalid_grant: The code_verifier must match the code_challenge. " +
      "Received: the SHA-256 kxR_lMiyp4tyeni4Ddrqn5DNPwlbiu5liDPc5hTIciI. " +
      "Expected: the SHA-256 E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM. " +
      "See OAuth 2.1, section 4.1.3.",
    ]);
  });
});

describe("The outcome of a flow", () => {
  const outcomes: ReadonlyArray<
    readonly [what: string, play: (lab: Lab) => Promise<unknown>, outcome: FlowOutcome]
  > = [
    ["that got tokens", async (lab) => await redeemIn(lab, await flowCode(lab)), {
      kind: "good",
      title: "Tokens issued",
    }],
    ["that refreshed", async (lab) => {
      const { refresh_token } = await redeemIn(lab, await flowCode(lab));
      await refreshIn(lab, refresh_token);
    }, { kind: "good", title: "Refreshed" }],
    ["that used a refresh token twice", async (lab) => {
      const { refresh_token } = await redeemIn(lab, await flowCode(lab));
      const next = await refreshIn(lab, refresh_token);
      await refreshIn(lab, refresh_token);
      await refreshIn(lab, next.refresh_token);
    }, { kind: "bad", title: "Revoked: its refresh token was used twice" }],
    ["with a wrong verifier", async (lab) => {
      await redeemIn(lab, await flowCode(lab), wrongVerifier);
    }, { kind: "bad", title: "Refused: invalid_grant" }],
    ["whose code waits", (lab) => flowCode(lab), { kind: "neutral", title: "Code issued" }],
    ["whose user denied", (lab) => {
      return lab.authorize(authorizationUrlIn(lab), { user: "alice", decision: "deny" });
    }, { kind: "neutral", title: "Denied" }],
    ["that leads to the sign-in page", (lab) => lab.fetch(new Request(authorizationUrlIn(lab))), {
      kind: "neutral",
      title: "Waiting for the user",
    }],
    ["of an unknown client", (lab) => {
      return lab.fetch(new Request(authorizationUrlIn(lab, { client_id: "who" })));
    }, { kind: "bad", title: "Refused: invalid_request" }],
    ["without a response", (lab) => {
      lab.fault("authorize.dropped");
      return lab.fetch(new Request(authorizationUrlIn(lab)));
    }, { kind: "bad", title: "No response" }],
  ];

  for (const [what, play, outcome] of outcomes) {
    it.inLab(
      `is '${outcome.title}' for a flow ${what}`,
      needs(...featuresOf(play)),
      async (lab) => {
        await play(lab);
        const { kind, title } = storyIn(lab).outcome;
        assertEquals({ kind, title }, outcome);
      },
    );
  }
});

describe("A flow drawn with Mermaid", () => {
  it.inLab("has solid arrows for what was seen, dashed ones for what is inferred, crosses for failures", async (lab) => {
    await playMistakenFlow(lab);
    assertEquals(toMermaid(storyIn(lab)).split("\n"), [
      "sequenceDiagram",
      "  participant browser as Browser",
      "  participant client as Client",
      "  participant hallpass as Hallpass",
      "  client-->>browser: Redirect to Hallpass<br/>state, code_challenge, nonce",
      "  browser->>hallpass: GET /oauth2/authorize<br/>openid read",
      "  hallpass->>browser: 200 page<br/>Sign in",
      "  browser->>hallpass: Submits the sign-in form<br/>alice signs in",
      "  hallpass->>browser: 200 page<br/>Allow access",
      "  browser->>hallpass: Submits the consent form<br/>alice allows",
      "  hallpass->>browser: 303 to the client<br/>code, state, iss",
      "  browser-->>client: GET /authorized<br/>code, state, iss",
      "  client->>hallpass: POST /oauth2/token<br/>authorization_code",
      "  hallpass-xclient: 400 invalid_grant",
      "  Note over browser,hallpass: 2 minutes later",
      "  client->>hallpass: POST /oauth2/token<br/>authorization_code",
      "  hallpass->>client: 200<br/>access token, ID token, refresh token",
      "",
    ]);
  });

  it.inLab("escapes what would end a line", async (lab) => {
    await lab.fetch(new Request(authorizationUrlIn(lab, { scope: "a;b\n#c<br>" })));
    assertStringIncludes(toMermaid(storyIn(lab)), "a#59;b #35;c#60;br#62;");
  });
});

describe("The message of a failed authorization", () => {
  it.inLab("draws how far the flow came", async (lab) => {
    const url = authorizationUrlIn(lab, { client_id: "who" });
    const { message } = await assertRejects(() => lab.authorize(url), LabError);
    assertStringIncludes(message, "400 invalid_request");
    assertStringIncludes(message, "flow-1 · who · Refused: invalid_request");
  });

  for (const mark of ["\u2028", "\u2029", "\u0085", "\u202e", "\u200b"]) {
    const code = mark.charCodeAt(0).toString(16).padStart(4, "0");
    it.inLab(`has no U+${code} of a client, which could begin a line or hide one`, async (lab) => {
      const scope = `openid${mark}faked`;
      const url = authorizationUrlIn(lab, { client_id: `who${mark}faked`, scope });
      const { message } = await assertRejects(() => lab.authorize(url), LabError);
      assertEquals(message.includes(mark), false);
    });
  }

  it.inLab("has no diagram if the request never reached the lab", async (lab) => {
    const attempt = () => lab.authorize(authorizationUrlIn(lab), { user: "who" });
    const { message } = await assertRejects(attempt, LabError);
    assertEquals(message.includes("flow-"), false);
  });
});

const url = "http://localhost:9000/oauth2/token";
const formType = { "content-type": "application/x-www-form-urlencoded" };

const request: WireRequest = {
  method: "POST",
  url,
  path: "/oauth2/token",
  headers: {},
  body: "",
  query: new URLSearchParams(),
  form: new URLSearchParams(),
};

function formRequest(body: string): Partial<WireRequest> {
  return { headers: formType, body, form: new URLSearchParams(body) };
}

const commands: ReadonlyArray<
  readonly [what: string, changes: Partial<WireRequest>, lines: readonly string[]]
> = [
  ["a page", { method: "GET", url: `${url}?a=b&c=d` }, [`curl '${url}?a=b&c=d'`]],
  ["a POST without a body", {}, [`curl ${url}`, "-X POST"]],
  ["a method that attacks the shell", { method: "A`id`|B" }, [`curl ${url}`, "-X 'A`id`|B'"]],
  ["a form", formRequest("code=c-1&redirect_uri=https%3A%2F%2Fa.test%2F%3Fx%3D1"), [
    `curl ${url}`,
    "--data-urlencode code=c-1",
    "--data-urlencode 'redirect_uri=https://a.test/?x=1'",
  ]],
  ["a form that attacks the shell", formRequest("code=%27%3B%20rm%20-rf%20%24HOME%20%23"), [
    `curl ${url}`,
    "--data-urlencode 'code='\\''; rm -rf $HOME #'",
  ]],
  ["JSON", { headers: { "content-type": "application/json" }, body: `{"it's":1}` }, [
    `curl ${url}`,
    "-H 'content-type: application/json'",
    `--data-raw '{"it'\\''s":1}'`,
  ]],
  ["the headers that a client sends on purpose", {
    method: "GET",
    headers: { authorization: "Bearer t-1", host: "localhost", "user-agent": "x", accept: "*/*" },
  }, [`curl ${url}`, "-H 'authorization: Bearer t-1'"]],
];

describe("A request as a curl command", () => {
  for (const [what, changes, lines] of commands) {
    it(`is right for ${what}`, () => {
      assertEquals(toCurl({ ...request, ...changes }), lines.join(" \\\n  "));
    });
  }
});
