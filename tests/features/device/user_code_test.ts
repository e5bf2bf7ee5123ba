import { assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "node:test";
import { recordPoll } from "../../../src/server/features/device/polling_rules.ts";
import {
  formatUserCode,
  makeUserCode,
  readUserCode,
  userCodeBytes,
} from "../../../src/server/features/device/user_code.ts";

describe("User codes (RFC 8628, section 6.1)", () => {
  it("contain no vowels and no look-alike letters", () => {
    for (let round = 0; round < 100; round++) {
      const code = makeUserCode(crypto.getRandomValues(new Uint8Array(userCodeBytes)));
      assertMatch(code, /^[BCDFGHJKLMNPQRSTVWXZ]{8}$/);
      assertEquals(readUserCode(formatUserCode(code)), code);
    }
  });

  it("depend on all given bytes and no others", () => {
    const bytes = (last: number) =>
      new Uint8Array(2 * userCodeBytes).map((_, at) => at === userCodeBytes - 1 ? last : 0)
        .subarray(0, userCodeBytes);
    assertEquals([makeUserCode(bytes(0)), makeUserCode(bytes(1))], ["BBBBBBBB", "BBBBBBBC"]);
  });

  for (
    const typed of [
      "BCDF-GHJK",
      "bcdfghjk",
      " bcdf  ghjk ",
      "b-c-d-f-g-h-j-k",
      "BCDF\u2013GHJK",
      "BCDF_GHJK",
    ]
  ) {
    it(`are read from '${typed}'`, () => assertEquals(readUserCode(typed), "BCDFGHJK"));
  }

  for (const typed of ["", "BCDF-GHJ", "BCDF-GHJKL", "BCDF-GHJA", "BCDF-GHJ1", "ÄCDF-GHJK"]) {
    it(`are not read from '${typed}'`, () => assertEquals(readUserCode(typed), undefined));
  }
});

describe("The polling rate of a device (RFC 8628, section 3.5)", () => {
  it("is unlimited for the first poll, then five seconds, and slower after each early poll", () => {
    const first = recordPoll(undefined, 1000);
    assertEquals(first, { tooEarly: false, polling: { lastAt: 1000, interval: 5 } });
    assertEquals(recordPoll(first.polling, 6000), {
      tooEarly: false,
      polling: { lastAt: 6000, interval: 5 },
    });
    const hasty = recordPoll(first.polling, 5999);
    assertEquals(hasty, { tooEarly: true, polling: { lastAt: 5999, interval: 10 } });
    assertEquals(recordPoll(hasty.polling, 15_999), {
      tooEarly: false,
      polling: { lastAt: 15_999, interval: 10 },
    });
  });
});
