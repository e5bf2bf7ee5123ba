import { assertEquals } from "@std/assert";
import { describe } from "node:test";
import { hallpass } from "../../../../src/lab/testing/mod.ts";
import { itWith } from "../../../support/it_with.ts";
import { testClient } from "../../../support/test_client.ts";

const it = itWith({ inLab: () => hallpass() });

const client = testClient();

describe("A value that a test chose", () => {
  it.inLab("is not used up by an evaluation", async (lab) => {
    lab.values({ code: ["abc"], accessToken: ["first"], refreshToken: ["R1"] });
    for (const grant of ["authorization_code", "refresh_token"] as const) {
      await lab.evaluate({ user: "alice", client: "demo-spa", scope: "openid", grant });
    }
    assertEquals(await client.code(lab), "abc");
  });
});
