import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { describe } from "node:test";
import { itWith } from "../../../support/it_with.ts";
import { freshUrl } from "../../../support/login.ts";
import { callAgentTool, openAgentLab } from "./agent_client.ts";

const it = itWith({ inLab: openAgentLab });

describe("break", () => {
  const names: Array<[words: string, name: string]> = [
    ["id_token.expired", "id_token.expired"],
    ["expired ID token", "id_token.expired"],
    ["token server error", "token.server_error"],
  ];
  for (const [words, name] of names) {
    it.inLab(`finds ${name} by '${words}'`, async (lab) => {
      const { text, value } = await callAgentTool(lab, "break", { fault: words });
      assertEquals(value.faults.map((each: { name: string }) => each.name), [name]);
      assertStringIncludes(text, `${name} is on: `);
    });
  }

  it.inLab("is for one client, and once", async (lab) => {
    await callAgentTool(lab, "break", {
      fault: "token.server_error",
      client: "demo-spa",
      times: 1,
    });
    const [fault] = lab.faults.list();
    assertEquals([fault?.client, fault?.times], ["demo-spa", 1]);
  });

  const mistakes: Array<[title: string, args: object, says: RegExp]> = [
    ["words that fit several", { fault: "expired" }, /'expired' fits \d+ faults, so nothing has/],
    ["a misspelled name", { fault: "id_token.expird" }, /Did you mean 'id_token.expired'/],
    ["words that fit none", { fault: "zebra" }, /There is no fault 'zebra'/],
    ["no words", { fault: "…" }, /There is no fault/],
    ["an unknown client", { fault: "id_token.expired", client: "eve" }, /no client 'eve'/],
    ["a fault that is off", { fault: "id_token.expired", off: true }, /No fault .* is on/],
  ];
  for (const [title, args, says] of mistakes) {
    it.inLab(`changes nothing for ${title}`, async (lab) => {
      const { text, isError } = await callAgentTool(lab, "break", args);
      assertEquals([isError, lab.faults.list().length], [true, 0]);
      assertMatch(text, says);
    });
  }

  it.inLab("switches one fault off, or all", async (lab) => {
    for (const fault of ["id_token.expired", "token.server_error", "id_token.wrong_aud"]) {
      await callAgentTool(lab, "break", { fault });
    }
    const { value } = await callAgentTool(lab, "break", { fault: "expired", off: true });
    assertEquals(value.faults.length, 2);
    const { text } = await callAgentTool(lab, "break", { off: true });
    assertMatch(text, /"faults": \[\]/);
  });

  it.inLab("is named by explain where it fired", async (lab) => {
    await callAgentTool(lab, "break", { fault: "callback.wrong_state" });
    await lab.authorize(freshUrl(lab), { user: "alice" });
    assertStringIncludes(
      (await callAgentTool(lab, "explain")).text,
      "Faults fired: callback.wrong",
    );
    assertStringIncludes((await callAgentTool(lab, "break")).text, '"fired": 1');
  });
});
