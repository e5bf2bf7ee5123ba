import { assertEquals } from "@std/assert";
import { describe } from "node:test";
import { itWith } from "./it_with.ts";
import { openKit } from "./kit.ts";

const it = itWith({ inLab: openKit });

describe("Authorization codes (RFC 6749, section 4.1.2)", () => {
  it.inLab("work once", async (kit) => {
    const code = await kit.code();
    assertEquals((await kit.redeem(code)).status, 200);
    assertEquals((await kit.redeem(code)).status, 400);
  });
});
