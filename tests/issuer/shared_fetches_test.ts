import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { createSharedFetches } from "../../src/server/issuer/limits/shared_fetches.ts";

const item = "https://app.example/jwks";

/** Two senders fetch the same item; the second one belongs to no known network. */
function twoFetches() {
  const fetches = createSharedFetches<string>();
  fetches.add(item, "192.0.2.1", "first");
  fetches.add(item, undefined, "second");
  return fetches;
}

describe("Fetches in progress", () => {
  it("has a queue for each sender", () => {
    const fetches = twoFetches();
    assertEquals(fetches.find(item, "192.0.2.1"), "first");
    assertEquals(fetches.find(item, undefined), "second");
    assertEquals(fetches.find(item, "192.0.2.2"), undefined);
    assertEquals(fetches.find("https://other.example/jwks", "192.0.2.1"), undefined);
  });

  it("lists the fetches of all senders, the oldest first", () => {
    const fetches = twoFetches();
    assertEquals(fetches.list(item), ["first", "second"]);
    assertEquals(fetches.list("https://other.example/jwks"), []);
  });

  it("removes the fetch of one sender alone", () => {
    const fetches = twoFetches();
    fetches.delete(item, "192.0.2.1");
    assertEquals(fetches.list(item), ["second"]);
    fetches.delete(item, "192.0.2.1");
    fetches.delete(item, undefined);
    assertEquals(fetches.list(item), []);
  });
});
