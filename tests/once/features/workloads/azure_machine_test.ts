import { ManagedIdentityCredential } from "@azure/identity";
import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { describe, it } from "node:test";
import { exchange, openLab, restoreVariables, setForTest, tokenEndpoint } from "./workload_lab.ts";

restoreVariables();

// The library remembers the service that it found, for as long as its process runs.
describe("@azure/identity at the metadata service of a virtual machine of a lab", () => {
  it("gets a token that the lab takes, and none for another identity", async () => {
    await using lab = await openLab("azure");
    for (const name of ["IDENTITY_ENDPOINT", "IDENTITY_HEADER"]) setForTest(name, undefined);
    const credential = new ManagedIdentityCredential();
    const { token, expiresOnTimestamp } = await credential.getToken(tokenEndpoint(lab));
    assertEquals(Math.round((expiresOnTimestamp - Date.now()) / 60_000), 60);
    assertEquals(await exchange(lab, token), "workload:azure:22222222-2222-4222-8222-222222222222");
    const clientId = "00000000-0000-4000-8000-000000000000";
    const other = new ManagedIdentityCredential({ clientId });
    const { message } = await assertRejects(() => other.getToken(tokenEndpoint(lab)), Error);
    assertStringIncludes(message, "Identity not found");
  });
});
