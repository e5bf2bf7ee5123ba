import { assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import { readBytes } from "../../src/server/util/bytes/read_stream.ts";

describe("A stream that is longer than it may be", () => {
  it("is refused at once, though its other half is not read yet", async () => {
    const [half] = new Blob(["x".repeat(100)]).stream().tee();
    await assertRejects(() => readBytes(half, 50, () => new RangeError("too large")), RangeError);
  });
});
