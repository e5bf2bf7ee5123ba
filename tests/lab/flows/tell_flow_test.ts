import { assertEquals, assertStringIncludes } from "@std/assert";
import { describe } from "node:test";
import { describeFlow } from "../../../src/lab/flows/describe_flow.ts";
import type { FlowOutcome } from "../../../src/lab/flows/flow_story.ts";
import { toMermaid } from "../../../src/lab/flows/mermaid.ts";
import { toTextDiagram } from "../../../src/lab/flows/text_diagram.ts";
import type { Lab } from "../../../src/lab/lab.ts";
import { openLab } from "../../../src/lab/open_lab.ts";
import type { FlowTrace } from "../../../src/lab/recording/timeline.ts";
import { itWith } from "../../support/it_with.ts";
import {
  authorizationUrlIn,
  flowCode,
  flowIssuer,
  redeemIn,
  refreshIn,
  storyIn,
  userinfoIn,
} from "../../support/lab_flow.ts";
import { present } from "../../support/present.ts";
import { featuresOf, needs } from "../../support/where_feature.ts";

const it = itWith({ inLab: () => openLab({ issuer: flowIssuer }) });

const replayEnds = new Set(["replay hallpass", "hallpass replay"]);

const wrongVerifier = { code_verifier: "w".repeat(43) };

/** What a flow shows of what its client did. */
function clientPartIn(lab: Lab): unknown {
  const [{ uses, refreshes }] = lab.flows() as [FlowTrace];
  const { outcome, user } = storyIn(lab);
  return { outcome, user, uses, refreshes };
}

/** A flow whose code is redeemed with a wrong verifier, and then, later, with the right one. */
async function playMistakenFlow(lab: Lab): Promise<void> {
  const code = await flowCode(lab);
  await redeemIn(lab, code, wrongVerifier);
  lab.clock.advance("2m");
  await redeemIn(lab, code);
}

describe("A replay in a flow", () => {
  it.inLab(
    "comes from the person who sent it, and from no client and no browser",
    needs("replay"),
    async (lab) => {
      await redeemIn(lab, await flowCode(lab));
      const [first] = lab.exchanges();
      const last = lab.exchanges().at(-1)?.id ?? 0;
      await lab.replay(last);
      await lab.replay(first?.id ?? 0);
      const replayed = storyIn(lab).arrows.filter(({ exchange }) => exchange > last);
      assertEquals(new Set(replayed.map(({ from, to }) => `${from} ${to}`)), replayEnds);
      assertStringIncludes(toTextDiagram(storyIn(lab)), "You (replay)");
      assertStringIncludes(toMermaid(storyIn(lab)), "participant replay as You (replay)");
    },
  );

  it.inLab(
    "leaves the outcome, the user and the counts to the client",
    needs("replay"),
    async (lab) => {
      const { access_token, refresh_token } = await redeemIn(lab, await flowCode(lab));
      await userinfoIn(lab, access_token);
      await refreshIn(lab, refresh_token);
      const ids = lab.exchanges().map(({ id }) => id).slice(-3);
      const before = clientPartIn(lab);
      for (const id of ids) await lab.replay(id, { parameters: { client_id: "demo-cli" } });
      for (const id of ids) await lab.replay(id);
      assertEquals(clientPartIn(lab), before);
      const replayed = lab.flows()[0]?.steps.map(({ replayOf }) => replayOf);
      assertEquals(replayed?.slice(-7), [undefined, ...ids, ...ids]);
    },
  );

  it.inLab("decides a flow that it began itself", needs("replay"), async (lab) => {
    await lab.fetch(new Request(authorizationUrlIn(lab)));
    await lab.replay(1, { parameters: { response_type: null } });
    const [, flow] = lab.flows();
    const { outcome } = describeFlow(present(flow), lab.exchanges().slice(1), lab.issuer);
    assertEquals(outcome.title, "Refused: invalid_request");
  });
});

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
