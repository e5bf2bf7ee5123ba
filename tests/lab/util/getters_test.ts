import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { withGetters } from "../../../src/lab/util/getters.ts";
import { lazily } from "../../../src/server/util/values/memoize.ts";

interface Counter {
  count: number;
}

const doubled: { readonly twice: number } & ThisType<Counter> = {
  get twice() {
    return 2 * this.count;
  },
};

describe("withGetters", () => {
  it("reads the object that a getter belongs to", () => {
    const three = withGetters({ count: 3 }, doubled);
    const four = withGetters({ count: 4 }, doubled);
    const { twice } = three;
    assertEquals([twice, four.twice], [6, 8]);
  });
});

describe("lazily", () => {
  it("makes its value when it is first needed, and once", () => {
    let made = 0;
    const read = lazily(() => ({ made: ++made }));
    assertEquals(made, 0);
    assertEquals([read(), read()], [{ made: 1 }, { made: 1 }]);
  });
});
