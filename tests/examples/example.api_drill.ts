import { hallpass } from "hallpass/testing";
import { describe, it } from "node:test";
import { createApi } from "./apps/api.ts";

describe("Our API", () => {
  it("refuses what an API must refuse", async () => {
    await using lab = await hallpass();
    using _ = lab.intercept();
    const audience = "https://api.example/orders";
    await lab.drillApi({
      request: createApi(lab.issuer, audience),
      url: audience,
      audience,
    });
    lab.assertClean();
  });
});
