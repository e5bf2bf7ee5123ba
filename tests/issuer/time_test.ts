import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { lastSessionExpiration, numericDate, secondsUntil } from "../../src/server/issuer/time.ts";
import { openKit } from "../support/kit.ts";

const at = (now: number) => ({ now: () => now });

describe("Times", () => {
  it("are whole seconds, and never less than none", () => {
    assertEquals(numericDate(at(1999)), 1);
    assertEquals([3000, 2999, 1000, 0].map((time) => secondsUntil(at(1000), time)), [2, 1, 0, 0]);
  });

  it("of a session last until its last token has expired, if that is later", () => {
    const endOf = (session: number) => {
      const lifetimes = { session, refreshToken: 7200, accessToken: 300 };
      const { server, clock } = openKit({ lifetimes });
      return (lastSessionExpiration(server.context) - clock.now) / 1000;
    };
    assertEquals([endOf(600), endOf(9000)], [7500, 9000]);
  });
});
