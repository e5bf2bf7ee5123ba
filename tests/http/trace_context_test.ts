import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { parseTraceparent } from "../../src/server/http/trace_context.ts";

const traceId = "0af7651916cd43dd8448eb211c80319c";
const parentId = "b7ad6b7169203331";
const valid = `00-${traceId}-${parentId}-01`;

/** Headers that a server must ignore (W3C Trace Context, sections 3.2.2 and 4.3). */
const invalid: Record<string, string | null> = {
  "no header": null,
  "an empty header": "",
  "two headers": `${valid}, ${valid}`,
  "capital letters": valid.toUpperCase(),
  "a trace of zeros": `00-${"0".repeat(32)}-${parentId}-01`,
  "a parent of zeros": `00-${traceId}-${"0".repeat(16)}-01`,
  "a short trace": `00-${traceId.slice(1)}-${parentId}-01`,
  "a long parent": `00-${traceId}-${parentId}0-01`,
  "no flags": `00-${traceId}-${parentId}`,
  "the version ff": `ff-${traceId}-${parentId}-01`,
  "more fields than its version has": `${valid}-more`,
  "text after a later version": `01-${traceId}-${parentId}-01more`,
};

describe("parseTraceparent (W3C Trace Context, section 3.2)", () => {
  it("reads the trace, the parent and the flags", () => {
    assertEquals(parseTraceparent(valid), { traceId, parentId, flags: 1 });
    assertEquals(parseTraceparent(` ${valid} `), { traceId, parentId, flags: 1 });
  });

  it("reads the fields that it knows of a later version", () => {
    const flags = 0x21;
    for (const later of [`01-${traceId}-${parentId}-21`, `cc-${traceId}-${parentId}-21-more`]) {
      assertEquals(parseTraceparent(later), { traceId, parentId, flags });
    }
  });

  for (const [what, header] of Object.entries(invalid)) {
    it(`ignores ${what}`, () => assertEquals(parseTraceparent(header), undefined));
  }
});
