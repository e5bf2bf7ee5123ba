import { assertEquals, assertStringIncludes } from "@std/assert";
import { describe } from "node:test";
import type { FlowOutcome } from "../../../src/lab/flows/flow_story.ts";
import { toMermaid } from "../../../src/lab/flows/mermaid.ts";
import { toTextDiagram } from "../../../src/lab/flows/text_diagram.ts";
import type { Lab } from "../../../src/lab/lab.ts";
import { openLab } from "../../../src/lab/open_lab.ts";
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
