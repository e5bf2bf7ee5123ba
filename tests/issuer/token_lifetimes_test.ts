import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { maxTokenLifetime } from "../../src/server/issuer/keys/published_keys.ts";
import { openKit } from "../support/kit.ts";

describe("How long a key is published after it stopped signing", () => {
  for (const [accessToken, idToken] of [["2m", "1h"], ["1h", "2m"]] as const) {
    it(`is the longer of ${accessToken} (access tokens) and ${idToken} (ID tokens)`, () => {
      const { server } = openKit({ lifetimes: { accessToken, idToken } });
      assertEquals(maxTokenLifetime(server.context.settings), 3600 * 1000);
    });
  }
});
