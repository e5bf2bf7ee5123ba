import { assert, assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { memberValues } from "../registration/member_types.ts";
import { described, openAs, openDocuments, openWeb } from "./document_kit.ts";

describe("A member of a client metadata document (RFC 7591, section 2)", () => {
  for (const [name, values] of memberValues) {
    it(`is refused if it has another type of JSON: ${name}`, async () => {
      for (const { value, isWrong } of values) {
        const kit = openDocuments({}, openWeb(described({ [name]: value })));
        const what = `${name}: ${JSON.stringify(value)?.slice(0, 100)}`;
        const { status } = await openAs(kit, "https://app.example/client.json");
        assert(status === 400 || (!isWrong && status === 200), `${what}: ${status}`);
        const failed = kit.events.filter(({ type }) => type === "outbound.failed");
        if (isWrong) assertEquals(failed.length, 1, what);
      }
    });
  }
});
