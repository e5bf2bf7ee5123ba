import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { describe } from "node:test";
import { itWith } from "../../../support/it_with.ts";
import { callAgentTool, openAgentLab } from "./agent_client.ts";

const it = itWith({ inLab: openAgentLab });

describe("connect_app", () => {
  it.inLab("returns environment variables by itself", async (lab) => {
    const { text, value } = await callAgentTool(lab, "connect_app");
    assertStringIncludes(text, `ISSUER=${lab.issuer}\nCLIENT_ID=${value.clientId}`);
    assertEquals(value.clientSecret, lab.clients.get(value.clientId).secret);
  });

  for (const library of ["Auth.js", "authjs", "spring boot", "rails", "oidc-client-ts"]) {
    it.inLab(`knows the library ${library}`, async (lab) => {
      const { text, value } = await callAgentTool(lab, "connect_app", { library });
      assertStringIncludes(text, lab.issuer);
      assertStringIncludes(text, `call register_client with the id ${value.clientId}`);
    });
  }

  it.inLab("takes a registered client, and is content with its redirect URI", async (lab) => {
    const redirectUris = ["http://localhost:3000/api/auth/callback/hallpass"];
    await callAgentTool(lab, "register_client", { id: "notes", redirectUris });
    const call = { library: "Auth.js", client: "notes" };
    const { text, value } = await callAgentTool(lab, "connect_app", call);
    assertEquals([value.clientId, text.includes("register_client")], ["notes", false]);
  });

  const mistakes: Array<[args: object, says: RegExp]> = [
    [{ library: "Cobol" }, /no library 'Cobol'. Choose one of: Environment variables, Auth\.js/],
    [{ client: "nobody" }, /no client 'nobody'/],
    [{ library: "Django", client: "demo-spa" }, /with a secret .*'demo-spa' is none/],
  ];
  for (const [args, says] of mistakes) {
    it.inLab(`says what to do about ${JSON.stringify(args)}`, async (lab) => {
      const { text, isError } = await callAgentTool(lab, "connect_app", args);
      assertEquals(isError, true);
      assertMatch(text, says);
    });
  }
});
