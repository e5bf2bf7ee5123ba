import { assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "node:test";
import { type ProviderName, providerNames } from "../../../../src/lab/features/providers/config.ts";
import { brokenApplications, sourceOf } from "../../../../src/playground/broken_applications.ts";
import { reportedOf } from "../../../support/playground_application.ts";
import { hasFeature } from "../../../support/where_feature.ts";

/** Those without metadata of OpenID Connect, which the application needs. */
const withoutMetadata: readonly ProviderName[] = ["discord", "github"];

/** What cannot be seen at a provider: one has no userinfo, the tokens of another have no end. */
const unseen: Readonly<Record<string, readonly string[]>> = {
  apple: ["no-nonce", "expired-token"],
  slack: ["expired-token"],
};

/** What an application accepts, a report knows by the faults that it met, as a drill has them. */
const seen = hasFeature("drill") ? brokenApplications : [];

describe("The application of the playground at a provider", () => {
  for (const provider of providerNames) {
    if (withoutMetadata.includes(provider)) {
      it(`says that ${provider} has no metadata`, async () => {
        const { text } = await reportedOf(sourceOf("correct"), { provider });
        assertEquals(text, "Stopped: This server has no metadata of OpenID Connect.");
      });
      continue;
    }
    it(`signs a user in at ${provider}, and is reported there when it is broken`, async () => {
      const { text, ids } = await reportedOf(sourceOf("correct"), { provider });
      assertMatch(text, /^Hello, /);
      assertEquals(ids, []);
      for (const { name, finding } of seen) {
        const { ids } = await reportedOf(sourceOf(name), { provider });
        assertEquals(ids.includes(finding), !unseen[provider]?.includes(name), `${name}: ${ids}`);
      }
    });
  }
});
