import { assert, assertEquals } from "@std/assert";
import { readdirSync } from "node:fs";
import { describe, it } from "node:test";
import { providerNames } from "../../../../src/lab/features/providers/config.ts";
import {
  differingMembers,
  exactlyDifferingMembers,
  playPublished,
  readPublishedMetadata,
} from "./published_metadata.ts";

interface StoredCopy {
  name: string;
  /** What a lab publishes beyond the copy. */
  differences?: string[];
  /** Whether the provider has the document of RFC 8414 as well. */
  hasOther?: boolean;
  keys?: string[];
}

const rows: Array<[facts: string, copy: StoredCopy]> = [
  ["apple.metadata apple.hosts", { name: "apple" }],
  // Tenants that were made after the day of the copy publish it.
  ["auth0.metadata auth0.end_session", {
    name: "auth0",
    differences: ["end_session_endpoint"],
    hasOther: true,
  }],
  ["cognito.metadata", { name: "cognito", keys: ["RS256", "RS256"] }],
  ["entra.tenantid entra.hosts entra.rs256", { name: "entra_common" }],
  ["entra.tenantid entra.hosts entra.rs256", { name: "entra_organizations" }],
  ["gitlab.metadata gitlab.paths gitlab.rs256", { name: "gitlab", hasOther: true }],
  ["gitlab.metadata gitlab.paths gitlab.rs256", { name: "gitlab_oauth", hasOther: true }],
  // Google began to send it after the day of the copy.
  ["google.metadata google.hosts google.rs256", {
    name: "google",
    differences: ["authorization_response_iss_parameter_supported"],
  }],
  ["linkedin.metadata linkedin.issuer linkedin.paths linkedin.rs256", { name: "linkedin" }],
  ["okta.metadata okta.paths okta.rs256", { name: "okta", hasOther: true }],
  ["slack.metadata slack.paths slack.rs256", { name: "slack" }],
];

describe("A preset and the stored copy of its provider's metadata", () => {
  it("are compared for each copy", () => {
    const files = readdirSync("tests/lab/features/providers/metadata");
    assertEquals(files.sort(), rows.map(([, { name }]) => `${name}.json`));
  });

  for (const [facts, { name, differences = [], hasOther = false, keys = ["RS256"] }] of rows) {
    it(`${facts}: are the same, member by member, and so are hosts and keys: ${name}`, async () => {
      const provider = providerNames.find((each) => name.startsWith(each));
      assert(provider, `There is no preset for ${name}`);
      const published = readPublishedMetadata(name);
      const { document, hasHosts, ...played } = await playPublished(provider, published);
      assertEquals(differingMembers(published, document), differences);
      if (hasHosts) assertEquals(exactlyDifferingMembers(published, document), []);
      assertEquals(played, { keys, hasOther });
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
