import { assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "node:test";
import { answerDevice, beginDevice } from "../../../support/device.ts";
import { type Kit, openLabKit } from "../../../support/kit.ts";

async function noticeOf(kit: Kit): Promise<string> {
  const { html } = await kit.browser().open(`${kit.issuer}/device`);
  return /id="notice"[^>]*>([^<]*)</.exec(html)?.[1] ?? "";
}

describe("U6: The page for the codes of devices, in a lab", () => {
  it("says what it is, and how to get a code", async () => {
    assertMatch(
      await noticeOf(openLabKit()),
      /Users of a real server enter the code here that a device shows\. The page of a client has/,
    );
  });

  it("names the codes that wait for their user, the newest first, until they expire", async () => {
    const kit = openLabKit();
    const codes: string[] = [];
    for (const _ of [1, 2, 3]) codes.push(String((await beginDevice(kit)).body.user_code));
    const [allowed = "", denied = "", waiting = ""] = codes;
    assertMatch(
      await noticeOf(kit),
      new RegExp(`Waiting now: ${waiting} for demo-cli, ${denied} for demo-cli, ${allowed} for`),
    );
    await answerDevice(kit, allowed);
    await answerDevice(kit, denied, { decision: "deny" });
    assertMatch(await noticeOf(kit), new RegExp(`Waiting now: ${waiting} for demo-cli\\.$`));
    kit.clock.advance(3600);
    assertMatch(await noticeOf(kit), /has the command that gets one\.$/);
  });

  it("names none where a token guards what belongs to the lab", async () => {
    const kit = openLabKit({ labToken: "t".repeat(40) } as object);
    assertEquals((await beginDevice(kit)).status, 200);
    assertMatch(await noticeOf(kit), /has the command that gets one\.$/);
  });
});
