import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import type { Lab } from "../../../src/lab/lab.ts";
import { openLab } from "../../../src/lab/open_lab.ts";
import { createBrowser } from "../../support/browser.ts";
import { answerDevice, deviceGrant } from "../../support/device.ts";
import type { Kit } from "../../support/kit.ts";
import { flowIssuer, storyIn, tokenIn } from "../../support/lab_flow.ts";
import { needs } from "../../support/where_feature.ts";

const client = { client_id: "demo-cli" };

async function beginIn(lab: Lab): Promise<{ device_code: string; user_code: string }> {
  const body = new URLSearchParams({ ...client, scope: "openid read" });
  const url = `${lab.issuer}/oauth2/device_authorization`;
  return await (await lab.fetch(new Request(url, { method: "POST", body }))).json();
}

/** What the helpers for devices need of a kit. */
function asKit(lab: Lab): Kit {
  const isExternal = (url: string) => !url.startsWith(`${lab.issuer}/oauth2/`);
  const browser = () => createBrowser((request) => lab.fetch(request), isExternal);
  return { issuer: lab.issuer, browser } as Kit;
}

describe("The flow of a device", () => {
  const itsPages = "has the pages on which its user decides, and the polls before and after";
  it(itsPages, needs("device flow"), async () => {
    await using lab = openLab({ issuer: flowIssuer });
    const { device_code, user_code } = await beginIn(lab);
    await tokenIn(lab, { ...client, grant_type: deviceGrant, device_code });
    await answerDevice(asKit(lab), user_code);
    lab.clock.advance("10s");
    await tokenIn(lab, { ...client, grant_type: deviceGrant, device_code });
    const { user, outcome, arrows } = storyIn(lab);
    const lines = arrows.map(({ from, to, title, note }) =>
      `${from} ${to} ${title}${note === undefined ? "" : `: ${note}`}`
    );
    assertEquals([user, outcome.title], ["alice", "Tokens issued"]);
    assertEquals(lines, [
      "client hallpass POST /oauth2/device_authorization: openid read",
      "hallpass client 200: device_code, user_code",
      "client browser Shows the user code: verification_uri, user_code",
      "client hallpass POST /oauth2/token: device_code",
      "hallpass client 400 authorization_pending",
      "browser hallpass POST /device: the user code",
      "hallpass browser 200 page: Sign in",
      "browser hallpass Submits the sign-in form: alice signs in",
      "hallpass browser 200 page: Allow access",
      "browser hallpass Submits the consent form: alice allows",
      "hallpass browser 200 page: Device connected",
      "client hallpass POST /oauth2/token: device_code",
      "hallpass client 200: access token, ID token, refresh token",
    ]);
  });
});
