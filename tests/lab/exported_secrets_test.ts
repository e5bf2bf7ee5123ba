import { assert, assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { openLab } from "../../src/lab/open_lab.ts";
import type { LabEvent } from "../../src/lab/recording/lab_event.ts";
import { type CredentialLog, findCredentials, noteCredentials } from "../support/credentials.ts";
import { flowCode, flowIssuer, redeemIn, refreshIn } from "../support/lab_flow.ts";
import { present } from "../support/present.ts";
import { needs } from "../support/where_feature.ts";
import { labFixtures } from "./fixtures.ts";

/** What a lab gives to files and CI. Its pages show tokens: that is what they are for. */
const exports = [
  ...["/requests", "/flows", "/flows/FLOW/mermaid", "/flows/FLOW/text"],
  ...labFixtures.flatMap((each) => each.exports ?? []),
];

/** Opens a lab in which a client has done right and wrong things. */
async function openUsedLab() {
  const credentials: CredentialLog = new Map();
  const events: unknown[] = [];
  const onLabEvent = (event: LabEvent) => void events.push(event);
  const onEvent = (event: unknown) => void events.push(event);
  const lab = openLab({ issuer: flowIssuer, onEvent, onLabEvent });
  const fetch = noteCredentials(lab.fetch, credentials);
  const noting = { ...lab, fetch };
  const code = await flowCode(noting);
  credentials.set(code, "code");
  const { refresh_token } = await redeemIn(noting, code);
  await refreshIn(noting, refresh_token);
  await redeemIn(noting, code, { client_secret: "a-secret-that-is-wrong" });
  await redeemIn(noting, code, { redirect_uri: `${lab.issuer}/authorized?code=${code}` });
  await refreshIn(noting, refresh_token);
  const headers = { Authorization: `Bearer ${refresh_token}` };
  await fetch(new Request(`${lab.issuer}/oauth2/userinfo`, { headers }));
  await fetch(new Request(`${lab.issuer}/oauth2/userinfo?access_token=${refresh_token}`));
  return { lab, credentials, events };
}

const { lab, credentials, events } = await openUsedLab();

describe("What a lab exports", () => {
  for (const path of exports) {
    it(`contains no credential unless it is asked for: /lab${path}`, async () => {
      const url = `${lab.issuer}/lab${path.replace("FLOW", present(lab.flows()[0]).id)}`;
      const response = await lab.fetch(new Request(url));
      const text = await response.text();
      assertEquals([response.status, findCredentials(text, credentials)], [200, []]);
    });
  }

  it("contains them if it is asked for", async () => {
    const response = await lab.fetch(new Request(`${lab.issuer}/lab/requests?secrets=true`));
    const found = findCredentials(await response.text(), credentials);
    for (const name of ["code", "access_token", "refresh_token", "id_token"]) {
      assert(found.some((each) => each.startsWith(`${name} `)), name);
    }
  });

  it("is the id of a snapshot, not its content", needs("snapshots"), async () => {
    const request = new Request(`${lab.issuer}/lab/snapshots`, { method: "POST" });
    const snapshot = await (await lab.fetch(request)).text();
    assert(snapshot.length < 100, snapshot);
    assertEquals(findCredentials(snapshot, credentials), []);
  });

  it("is no credential as an event", () => {
    assert(events.length > 10);
    assertEquals(findCredentials(JSON.stringify(events), credentials), []);
  });
});
