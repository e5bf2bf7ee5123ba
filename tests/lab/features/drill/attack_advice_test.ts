import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { describe, it } from "node:test";
import {
  classOf,
  describeVariant,
  severityOf,
} from "../../../../src/lab/features/drill/variants/attack_advice.ts";
import type { ObservedLogin } from "../../../../src/lab/features/drill/variants/readers.ts";
import { drillVariants } from "../../../../src/lab/features/drill/variants/variants.ts";
import { gradesOf } from "../../../../src/lab/findings/grade.ts";

function variantOf(name: string) {
  return drillVariants.find(({ fault }) => fault === name) ?? drillVariants[0]!;
}

const accepted: ObservedLogin = {
  succeeded: true,
  isLate: false,
  isDisturbed: false,
  lacksUsers: false,
  visited: true,
  fired: 1,
  idTokenBytes: 0,
  usesToken: false,
  verifies: false,
  requests: [],
  logoutStatuses: [],
};

describe("What a drill says about an attack", () => {
  it("ranks what a link suffices for above what takes a forged token", () => {
    const ranks = ["callback.wrong_state", "callback.without_state", "id_token.alg_none"]
      .map((fault) => severityOf(variantOf(fault)));
    assertEquals(ranks, [0, 0, 1]);
  });

  it("tells a wrong state from none, and holds no second one against an application", () => {
    const [wrong, none] = ["callback.wrong_state", "callback.without_state"]
      .map((fault) => describeVariant(variantOf(fault)));
    assertEquals([wrong?.title === none?.title, wrong?.fix === none?.fix], [false, false]);
    for (const fault of ["callback.doubled_state", "callback.doubled_iss"]) {
      const { reads, expectation } = variantOf(fault);
      assertEquals([reads(accepted).did, expectation], ["accepted", "either"]);
    }
  });

  it("warns of a mix-up for each iss that a callback must not have", () => {
    for (const name of ["wrong_iss", "without_iss", "iss_with_slash"]) {
      assertMatch(describeVariant(variantOf(`callback.${name}`)).gain, /mix-up/, name);
    }
  });

  it("calls no attack what is only an invalid response", () => {
    const row = classOf(variantOf("token.malformed_json"));
    assertEquals(gradesOf(row), ["C"]);
  });

  it("does not meet an application without keys with an unsigned ID token", () => {
    const { reads } = variantOf("id_token.alg_none");
    assertStringIncludes(reads(accepted).skipped ?? "", "TLS may vouch");
    assertEquals(reads({ ...accepted, verifies: true }).did, "accepted");
  });

  it("says that an application without assertions has none to lose", () => {
    const { skipped = "" } = variantOf("metadata.foreign_token_endpoint").reads(accepted);
    assertStringIncludes(skipped, "uses no client assertion");
  });
});
