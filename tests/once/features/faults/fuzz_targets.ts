import { assert } from "@std/assert";
import { catalogue } from "../../../../src/lab/features/faults/catalogue.ts";
import { openLab } from "../../../../src/lab/open_lab.ts";
import { assertDescription, type FuzzTarget, fuzzTarget } from "../../fuzz/fuzz_target.ts";
import { anyText } from "../../fuzz/generators/texts.ts";

const issuer = "https://hallpass.test";

/** What a lab can be told to do. */
export const faultNames: readonly string[] = [...catalogue.keys()];

/** Faults by any name. */
export const faultTargets: readonly FuzzTarget[] = [
  fuzzTarget("the error of a lab names what it refuses", anyText, async (name) => {
    const lab = openLab({ issuer });
    const body = JSON.stringify({ name });
    const headers = { "Content-Type": "application/json" };
    const request = new Request(`${issuer}/lab/faults`, { method: "POST", headers, body });
    const response = await lab.fetch(request);
    if (response.status < 400) return void response.body?.cancel();
    const { error, error_description: description } = await response.json();
    assertDescription(error);
    assert(description.length > 0);
  }),
];
