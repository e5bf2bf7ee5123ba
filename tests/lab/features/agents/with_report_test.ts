import { assertEquals, assertStringIncludes } from "@std/assert";
import { describe } from "node:test";
import { itWith } from "../../../support/it_with.ts";
import { freshTokens, freshUrl } from "../../../support/login.ts";
import { callAgentTool, openAgentLab, postForm, refuseCode } from "./agent_client.ts";

const it = itWith({ inLab: openAgentLab });

describe("The report of an agent", () => {
  it.inLab("says that nothing has reached the lab", async (lab) => {
    const { text, value } = await callAgentTool(lab, "report");
    assertEquals([value.tried, value.findings], [0, []]);
    assertStringIncludes(text, "No request reached this lab");
  });

  it.inLab("is no all-clear before a login has finished, and leads to explain", async (lab) => {
    await lab.fetch(freshUrl(lab));
    const { text, value } = await callAgentTool(lab, "report");
    assertEquals(value.tried, 0);
    assertStringIncludes(text, "No login has finished yet, so nothing has been examined.");
    assertStringIncludes(text, "If the login fails, explain says why.");
  });

  it.inLab("says that a login proves nothing about what the application accepts", async (lab) => {
    await freshTokens(lab);
    const { text } = await callAgentTool(lab, "report");
    assertStringIncludes(text, "What it accepts, only drill_app shows.");
    await refuseCode(lab);
    await callAgentTool(lab, "reset");
    const later = await callAgentTool(lab, "report");
    assertEquals(later.value.clean, true);
    assertStringIncludes(later.text, "What was found before a reset may be fixed.");
    assertStringIncludes(later.text, "choose Start over on the page /lab/report.");
  });

  it.inLab("has what was refused, with the rule", async (lab) => {
    await refuseCode(lab);
    const { text, value } = await callAgentTool(lab, "report");
    assertEquals(value.findings[0].id, "code.redirect_uri");
    assertStringIncludes(text, "refused code.redirect_uri (client demo-spa)");
  });

  it.inLab("advises a tool, where a terminal has an option of the program", async (lab) => {
    const redirect_uri = "http://localhost:3000/other";
    await lab.fetch(freshUrl(lab, { redirect_uri }));
    const { text, value } = await callAgentTool(lab, "report");
    assertStringIncludes(value.findings[0].fix, "call register_client");
    assertEquals(text.includes("--redirect-uri"), false);
  });

  it.inLab("says that a client ended a later flow well, so that it may be fixed", async (lab) => {
    const code = { grant_type: "authorization_code", code: "none", client_id: "demo-spa" };
    await postForm(lab, "/oauth2/token", code);
    assertEquals((await callAgentTool(lab, "report")).text.includes("may be fixed"), false);
    await freshTokens(lab);
    const { text } = await callAgentTool(lab, "report");
    assertStringIncludes(
      text,
      "What is wrong with demo-spa may be fixed: a later login of this client succeeded (flow-1).",
    );
    await postForm(lab, "/oauth2/token", code);
    assertEquals((await callAgentTool(lab, "report")).text.includes("may be fixed"), false);
  });

  it.inLab("has what is about one client", async (lab) => {
    await refuseCode(lab);
    lab.clients.put({ id: "other", redirectUris: ["http://localhost:3000/cb"] });
    await freshTokens(lab, { client_id: "other", redirect_uri: "http://localhost:3000/cb" });
    const reportOf = (client: string) => callAgentTool(lab, "report", { client });
    const refused = await reportOf("demo-spa");
    assertStringIncludes(refused.text, "refused code.redirect_uri");
    assertEquals(refused.text.includes("Client other"), false);
    const { text, value } = await reportOf("other");
    assertEquals([text.includes("demo-spa"), value.clean], [false, true]);
    assertStringIncludes(
      (await reportOf("nobody")).text,
      "There is no client in the report 'nobody'. Choose one of: demo-spa, other.",
    );
  });

  it.inLab("has a broken rule, which explain knows", async (lab) => {
    for (let at = 0; at < 2; at++) await freshTokens(lab, { state: "the-same", nonce: "one" });
    const { value } = await callAgentTool(lab, "report");
    assertEquals(value.clean, false);
    const { text } = await callAgentTool(lab, "explain", { rule: value.findings[0].id });
    assertStringIncludes(text, "fix: ");
  });
});
