import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { answerDevice, beginDevice, pollDevice } from "../../../support/device.ts";
import { openLabKit } from "../../../support/kit.ts";
import { lastToken } from "./last_token.ts";

/** A device that has asked for its tokens, after its user decided. */
async function openPolled(decision: "allow" | "deny") {
  const kit = openLabKit();
  const { body: { device_code, user_code } } = await beginDevice(kit);
  await answerDevice(kit, user_code, { decision });
  const { status } = await pollDevice(kit, device_code);
  return { ...kit, status, id: lastToken(kit.lab) };
}

describe("A replay of the token request of a device (RFC 8628, section 3.4)", () => {
  it("sends a fresh device code, with what its user decided", async () => {
    const { lab, status, id } = await openPolled("allow");
    const { replay, renewed, summary } = await lab.replay(id);
    assertEquals([status, replay.refusal], [200, undefined], summary);
    assertEquals(renewed, ["The device code was spent: a fresh one was sent in its place."]);
    const spent = await lab.replay(id, { spent: true });
    assertEquals([spent.replay.refusal?.rule, spent.renewed], ["device_code.unused", []]);
  });

  it("sends the recorded one if its user has denied it", async () => {
    const { lab, clock, id } = await openPolled("deny");
    clock.advance(60 * 60);
    const { renewed } = await lab.replay(id);
    assertEquals(renewed, ["The device code is the recorded one: its user denied the request."]);
  });

  it("sends the recorded one while it is good", async () => {
    const kit = openLabKit();
    const { body: { device_code } } = await beginDevice(kit);
    await pollDevice(kit, device_code);
    kit.clock.advance(10);
    const { replay, renewed } = await kit.lab.replay(lastToken(kit.lab));
    assertEquals([replay.refusal?.rule, renewed], ["device_code.decided", []]);
  });

  it("says what it does not know", async () => {
    const kit = openLabKit();
    await pollDevice(kit, "unknown");
    const { renewed } = await kit.lab.replay(lastToken(kit.lab));
    assertEquals(renewed, ["The device code is the recorded one: the lab does not know it."]);
  });
});
