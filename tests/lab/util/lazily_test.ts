import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { lazily } from "../../../src/server/util/values/memoize.ts";

describe("lazily", () => {
  it("makes its value when it is first needed, and once", () => {
    let made = 0;
    const read = lazily(() => ({ made: ++made }));
    assertEquals(made, 0);
    assertEquals([read(), read()], [{ made: 1 }, { made: 1 }]);
  });
});
