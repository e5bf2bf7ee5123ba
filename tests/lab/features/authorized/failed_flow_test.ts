import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { findSender } from "../../../../src/lab/features/authorized/received_callback.ts";
import { drawFlowOfUrl } from "../../../../src/lab/flows/text_diagram.ts";
import type { Lab } from "../../../../src/lab/lab.ts";
import { openLab } from "../../../../src/lab/open_lab.ts";
import { authorizationUrlIn, flowCode, flowIssuer } from "../../../support/lab_flow.ts";
import { present } from "../../../support/present.ts";

const error = { hasError: true, error: "invalid_scope", code: "", state: "a-state" };

/** Returns a lab whose exchanges count how often a response is read. */
function counting(lab: Lab): { lab: Lab; reads: () => number } {
  let reads = 0;
  const exchanges = lab.exchanges().map((exchange) =>
    Object.defineProperty({ ...exchange }, "response", {
      get() {
        reads++;
        return exchange.response;
      },
    })
  );
  return { lab: { ...lab, issuer: lab.issuer, exchanges: () => exchanges }, reads: () => reads };
}

describe("The flow that an error response comes from", () => {
  it("I8: is found without reading the responses of other flows", async () => {
    await using lab = openLab({ issuer: flowIssuer });
    for (let count = 0; count < 20; count++) await flowCode(lab);
    const { lab: busy, reads } = counting(lab);
    assertEquals([findSender(busy, error), reads()], [undefined, 0]);
  });

  it("is the one that was refused", async () => {
    await using lab = openLab({ issuer: flowIssuer });
    const url = authorizationUrlIn(lab, { scope: "openid unknown" });
    const { headers } = await lab.fetch(new Request(url, { redirect: "manual" }));
    const { searchParams } = new URL(headers.get("Location") ?? "");
    const errorDescription = searchParams.get("error_description") ?? "";
    const found = findSender(lab, { ...error, errorDescription });
    assertEquals(present(found).id, 1);
  });
});

describe("The diagram of an authorization URL", () => {
  it("is that of its own flow, even if another client sent the same state and challenge", async () => {
    await using lab = openLab({ issuer: flowIssuer });
    const url = authorizationUrlIn(lab, { scope: "openid read profile" });
    for (const each of [url, authorizationUrlIn(lab)]) {
      await lab.fetch(new Request(each));
    }
    const recorded = { issuer: lab.issuer, exchanges: lab.exchanges(), flows: lab.flows() };
    assertEquals(drawFlowOfUrl(url, recorded)?.split("\n")[0]?.slice(0, 6), "flow-1");
  });
});
