import { assert, assertEquals } from "@std/assert";
import { readdirSync } from "node:fs";
import { describe, it } from "node:test";
import { providerNames } from "../../../src/lab/lab_server/provider_names.ts";
import {
  differingMembers,
  exactlyDifferingMembers,
  playPublished,
  readPublishedMetadata,
} from "../../support/published_metadata.ts";

/** What a lab publishes beyond the stored copy of its provider, by the name of the copy. */
const knownDifferences: Readonly<Record<string, string[]>> = {
  // Google began to send it after the day of the copy.
  google: ["authorization_response_iss_parameter_supported"],
  // Tenants that were made after the day of the copy publish it.
  auth0: ["end_session_endpoint"],
};

const copies = readdirSync("tests/lab/providers/metadata").map((file) => file.replace(".json", ""));

describe("A preset and the stored copy of its provider's metadata", () => {
  for (const copy of copies) {
    it(`are the same, member by member, and so are the hosts: ${copy}`, async () => {
      const name = providerNames.find((each) => copy === each || copy.startsWith(`${each}_`));
      assert(name, `There is no preset for ${copy}`);
      const published = readPublishedMetadata(copy);
      const { document, hasHosts } = await playPublished(name, published);
      assertEquals(differingMembers(published, document), knownDifferences[copy] ?? []);
      if (hasHosts) assertEquals(exactlyDifferingMembers(published, document), []);
    });
  }

  it("have a difference if any member of the copy changes", async () => {
    const published = readPublishedMetadata("slack");
    const { document: played } = await playPublished("slack", published);
    for (const [member, value] of Object.entries(published.document)) {
      const changed = Array.isArray(value) ? value.slice(1) : `${value}/other`;
      const document = { ...published.document, [member]: changed };
      assertEquals(differingMembers({ ...published, document }, played), [member]);
    }
  });
});
