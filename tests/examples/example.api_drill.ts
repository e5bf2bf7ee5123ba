import { hallpass } from "hallpass/testing";
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createApi } from "./apps/api.ts";

describe("Our API", () => {
  it("refuses what an API must refuse", async () => {
    await using lab = await hallpass();
    using _ = lab.intercept();
    const audience = "https://api.example/orders";
    const { findings } = await lab.drillApi({
      request: createApi(lab.issuer, audience),
      url: audience,
      audience,
    });
    const violations = findings.filter(({ level }) => level === "violation");
    assert.deepEqual(violations, []);
  });
});
