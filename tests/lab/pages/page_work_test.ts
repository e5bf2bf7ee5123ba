import { assert } from "@std/assert";
import { describe, it } from "node:test";
import type { Lab } from "../../../src/lab/lab.ts";
import { openLab } from "../../../src/lab/open_lab.ts";
import { flowCode, flowIssuer, redeemIn } from "../../support/lab_flow.ts";
import { openTab } from "../../support/lab_tab.ts";

/** The pages that read what was recorded. `LATEST` is the id of the latest flow. */
const pages = [
  "/",
  "/authorized?code=CODE&state=a-state",
  "/lab/flows",
  "/lab/flows?refused=on&q=redirect",
  "/lab/flows/LATEST",
  "/lab/report",
  "/lab/rules",
  "/lab/users",
  "/lab/faults",
];

/** A lab whose clients have done something. */
interface BusyLab {
  lab: Lab;
  /** The code that was issued last. */
  code: string;
  /** How often something of a recorded request was read. */
  reads: number;
}

async function openBusyLab(flows: number): Promise<BusyLab> {
  const lab = openLab({ issuer: flowIssuer });
  const busy: BusyLab = { lab, code: "", reads: 0 };
  for (let at = 0; at < flows; at++) {
    busy.code = await flowCode(lab);
    if (at % 2 === 0) await redeemIn(lab, busy.code);
    if (at % 4 === 0) await redeemIn(lab, "unknown");
  }
  for (const exchange of lab.exchanges()) {
    for (const name of ["request", "response", "events", "rules"] as const) {
      const value = exchange[name];
      Object.defineProperty(exchange, name, { get: () => (busy.reads++, value) });
    }
  }
  return busy;
}

/** Counts how often a page reads something of a recorded request. */
async function countReads(busy: BusyLab, page: string): Promise<number> {
  const { lab, code } = busy;
  const tab = await openTab(lab);
  busy.reads = 0;
  await tab.html(page.replace("LATEST", lab.flows().at(-1)?.id ?? "").replace("CODE", code));
  return busy.reads;
}

describe("A page of a busy lab", () => {
  it("reads each recorded request a few times at most, however many there are", async () => {
    const [few, many] = [await openBusyLab(10), await openBusyLab(40)];
    for (const page of pages) {
      const reads = [await countReads(few, page), await countReads(many, page)] as const;
      // Four times the flows may cost four times the work; a quadratic page costs sixteen times.
      assert(reads[1] <= 5 * reads[0], `${page}: ${reads[0]} reads became ${reads[1]}`);
      // The report has some forty rules, and most read each request once or twice.
      assert(reads[1] <= 100 * many.lab.exchanges().length, `${page}: ${reads[1]} reads`);
    }
    await few.lab.close();
    await many.lab.close();
  });
});
