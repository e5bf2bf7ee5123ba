import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { describe } from "node:test";
import { openLab } from "../../../src/lab/open_lab.ts";
import { LabError } from "../../../src/lab/util/lab_error.ts";
import { itWith } from "../../support/it_with.ts";
import { authorizationUrlIn, flowIssuer } from "../../support/lab_flow.ts";

const it = itWith({ inLab: () => openLab({ issuer: flowIssuer }) });

describe("The message of a failed authorization", () => {
  it.inLab("draws how far the flow came", async (lab) => {
    const url = authorizationUrlIn(lab, { client_id: "who" });
    const { message } = await assertRejects(() => lab.authorize(url), LabError);
    assertStringIncludes(message, "400 invalid_request");
    assertStringIncludes(message, "flow-1 · who · Refused: invalid_request");
  });

  for (const mark of ["\u2028", "\u2029", "\u0085", "\u202e", "\u200b"]) {
    const code = mark.charCodeAt(0).toString(16).padStart(4, "0");
    it.inLab(`has no U+${code} of a client, which could begin a line or hide one`, async (lab) => {
      const scope = `openid${mark}faked`;
      const url = authorizationUrlIn(lab, { client_id: `who${mark}faked`, scope });
      const { message } = await assertRejects(() => lab.authorize(url), LabError);
      assertEquals(message.includes(mark), false);
    });
  }

  it.inLab("has no diagram if the request never reached the lab", async (lab) => {
    const attempt = () => lab.authorize(authorizationUrlIn(lab), { user: "who" });
    const { message } = await assertRejects(attempt, LabError);
    assertEquals(message.includes("flow-"), false);
  });
});
