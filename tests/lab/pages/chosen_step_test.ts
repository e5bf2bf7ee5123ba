import { assertEquals, assertMatch, assertNotMatch, assertStringIncludes } from "@std/assert";
import { describe } from "node:test";
import { toTextDiagram } from "../../../src/lab/flows/text_diagram.ts";
import type { Lab } from "../../../src/lab/lab.ts";
import { openLab } from "../../../src/lab/open_lab.ts";
import { answerPages, createBrowser, textOf } from "../../support/browser.ts";
import { itWith } from "../../support/it_with.ts";
import {
  authorizationUrlIn,
  flowCode,
  redeemIn,
  storyIn,
  userinfoIn,
} from "../../support/lab_flow.ts";
import { openTab } from "../../support/lab_tab.ts";
import { firstMatch, present } from "../../support/present.ts";
import { needs } from "../../support/where_feature.ts";

const it = itWith({
  inLab: () => open(),
  inLabWithFlowFiles: { ...needs("flow_files"), open: () => open() },
});

const issuer = "http://localhost:9000";
const wrongVerifier = { code_verifier: "w".repeat(43) };

function open(): Lab {
  return openLab({ issuer });
}

/** Returns the text of the chosen step, and of what stands above it. */
async function stepText(lab: Lab, query = ""): Promise<string> {
  const page = await (await openTab(lab)).html(`/lab/flows/flow-1${query}`);
  const outcome = textOf(firstMatch(page, /(<div id="outcome"[\s\S]*?)<div class="flow">/));
  return `${outcome} ${textOf(firstMatch(page, /(<section [^>]*id="step"[\s\S]*?<\/section>)/))}`;
}

/** Signs alice in at the second attempt, and returns her code. */
async function codeOfSecondAttempt(lab: Lab, first = { username: "alice", password: "alcie" }) {
  const browser = createBrowser(lab.fetch, (url) => url.includes("/authorized?"));
  const signIn = await browser.open(authorizationUrlIn(lab));
  const again = await browser.submit(signIn, "sign-in", first);
  assertEquals(again.status, 422);
  const { url } = await answerPages(browser, again);
  return present(new URL(url, issuer).searchParams.get("code"));
}

describe("The step on which a flow opens", () => {
  const flows: Record<string, [play: (lab: Lab) => Promise<unknown>, step: RegExp]> = {
    "the token response, after a mistyped password": [
      async (lab) => await redeemIn(lab, await codeOfSecondAttempt(lab)),
      /POST \/oauth2\/token 200/,
    ],
    "the token response, after a refused attempt": [async (lab) => {
      const code = await flowCode(lab);
      await redeemIn(lab, code, wrongVerifier);
      await redeemIn(lab, code);
    }, /POST \/oauth2\/token 200/],
    "the token response, before the userinfo request": [async (lab) => {
      const { access_token } = await redeemIn(lab, await flowCode(lab));
      await userinfoIn(lab, access_token);
    }, /POST \/oauth2\/token 200/],
    "the refusal, after a mistyped password": [
      async (lab) => await redeemIn(lab, await codeOfSecondAttempt(lab), wrongVerifier),
      /POST \/oauth2\/token 400/,
    ],
    "the callback, while the code waits after a mistyped password": [
      codeOfSecondAttempt,
      /POST \/oauth2\/interaction\/…\/consent 303/,
    ],
  };
  for (const [what, [play, step]] of Object.entries(flows)) {
    it.inLab(`is ${what}`, async (lab) => {
      await play(lab);
      assertMatch(await stepText(lab), step);
    });
  }
});

describe("A step whose form is shown again", () => {
  const forms: Array<[username: string, problem: string]> = [
    ["alice", "Wrong password for alice."],
    ["nina", "No user has this name."],
  ];
  for (const [username, problem] of forms) {
    it.inLab(`says '${problem}', in the step and in the diagram as text`, async (lab) => {
      await codeOfSecondAttempt(lab, { username, password: "alcie" });
      const step = await stepText(lab, "?step=5");
      assertMatch(step, /\/sign-in 422/);
      assertStringIncludes(step, problem);
      const diagram = toTextDiagram(storyIn(lab));
      assertStringIncludes(diagram, `✗ 422 page: ${problem}`);
      assertNotMatch(step + diagram, /alcie/);
    });
  }

  it.inLab("says that a user code is wrong", async (lab) => {
    const browser = createBrowser(lab.fetch, () => false);
    const form = await browser.open(`${issuer}/device`);
    await browser.submit(form, "device", { user_code: "BCDF-GHJK" });
    const { id } = present(lab.exchanges().at(-1));
    const page = await (await openTab(lab)).html(`/lab/flows/request-${id}`);
    assertStringIncludes(textOf(page), "The user code is unknown, expired or used.");
  });
});

describe("A refused step", () => {
  it.inLab("shows once what came and what was expected", async (lab) => {
    await redeemIn(lab, await flowCode(lab), { redirect_uri: "http://localhost:3000/cb" });
    const step = await stepText(lab);
    assertEquals(step.match(/Received http:\/\/localhost:3000\/cb Expected/g)?.length, 1);
    assertMatch(
      step,
      /Failed: The redirect_uri must be identical to [^✓]*? section 10\.2 \d+ checks passed/,
    );
  });

  it.inLabWithFlowFiles("shows once what came and what was expected in its file, too", async (lab) => {
    await redeemIn(lab, await flowCode(lab), { redirect_uri: "http://localhost:3000/cb" });
    const file = textOf(await (await openTab(lab)).html("/lab/flows/flow-1/html"));
    assertEquals(file.match(/Received http:\/\/localhost:3000\/cb Expected/g)?.length, 1);
  });

  it.inLab("keeps what a check adds to its refusal: when the code was used before", async (lab) => {
    const code = await flowCode(lab);
    await redeemIn(lab, code);
    await redeemIn(lab, code);
    assertMatch(await stepText(lab), /Failed: [^✓]*? Received used before, in step 9 Expected/);
  });
});
