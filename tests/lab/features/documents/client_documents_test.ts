import { assertEquals, assertMatch, assertRejects, assertThrows } from "@std/assert";
import { describe } from "node:test";
import { hallpass, LabError, type TestLab } from "../../../../src/lab/testing/mod.ts";
import { ConfigError } from "../../../../src/server/mod.ts";
import { itWith } from "../../../support/it_with.ts";
import { openLabKit } from "../../../support/kit.ts";
import { callLab } from "../../../support/lab_call.ts";
import { assertClean } from "../../../support/reported.ts";
import { testClient } from "../../../support/test_client.ts";

const it = itWith({ inLab: () => hallpass({ issuer }) });

const issuer = "http://localhost:9000";
const redirectUri = "http://localhost:3000/callback";
const metadata = { client_name: "Notes", redirect_uris: [redirectUri] };

function authorizeUrl(lab: TestLab, client_id: string): string {
  const client = testClient({ client_id, redirect_uri: redirectUri, scope: "read" });
  return client.authorizationUrl(lab, { resource: `${lab.issuer}/mcp` });
}

async function metadataOf(lab: TestLab): Promise<Record<string, unknown>> {
  return await (await lab.fetch(`${lab.issuer}/.well-known/oauth-authorization-server`)).json();
}

describe("lab.clientDocument (OAuth Client ID Metadata Document)", () => {
  it.inLab("makes its URL a client, even with http and without any fetch", async (lab) => {
    const { url, document } = lab.clientDocument(metadata);
    assertEquals(document, { ...metadata, client_id: url });
    assertEquals(await (await lab.fetch(url)).json(), document);
    const { code } = await lab.authorize(authorizeUrl(lab, url), { user: "alice" });
    assertEquals(typeof code, "string");
    assertClean(lab);
  });

  it("needs no setting, which the error of a lab without fetchUntrusted says", async () => {
    const words = /clientMetadataDocuments needs fetchUntrusted.*clientDocument\(\)/;
    const settings = { issuer, clientMetadataDocuments: true };
    assertMatch((await assertRejects(() => hallpass(settings), ConfigError)).message, words);
    await using lab = await hallpass({ issuer });
    const change = () => lab.configure({ clientMetadataDocuments: true });
    assertMatch(assertThrows(change, LabError).message, words);
  });

  it("has the document of a real client, in place of a fetch", async () => {
    const fetchUntrusted = () => Promise.reject(new Error("A document was fetched."));
    await using lab = await hallpass({ issuer, fetchUntrusted });
    const url = "https://app.example/client.json";
    lab.clientDocument({ ...metadata, client_id: url });
    const { code } = await lab.authorize(authorizeUrl(lab, url), { user: "alice" });
    assertEquals(typeof code, "string");
  });

  it.inLab("announces documents as soon as there is one", async (lab) => {
    const name = "client_id_metadata_document_supported";
    assertEquals((await metadataOf(lab))[name], undefined);
    lab.clientDocument(metadata);
    const announced = await metadataOf(lab);
    assertEquals(announced[name], true);
    // Known clients look for both before they use a document.
    const methods = announced.token_endpoint_auth_methods_supported as string[];
    assertEquals(methods.includes("none"), true);
  });

  for (
    const other of [
      "http://localhost:9000/client-documents/2",
      "http://localhost:9000/client-documents/1?a",
      "http://localhost:9000/client-documents/1/",
      "http://127.0.0.1:9000/client-documents/1",
      "https://localhost:9000/client-documents/1",
      "http://localhost:3000/client.json",
      "http://10.0.0.1/client.json",
      "https://app.example/other.json",
    ]
  ) {
    it.inLab(`makes no client of ${other}`, async (lab) => {
      lab.clientDocument(metadata);
      lab.clientDocument({ ...metadata, client_id: "https://app.example/client.json" });
      lab.clientDocument(metadata);
      await callLab(lab, "DELETE /client-documents/2");
      await callLab(lab, "DELETE /client-documents/3");
      const response = await lab.fetch(authorizeUrl(lab, other), { redirect: "manual" });
      assertEquals(response.status, 400);
    });
  }

  const broken: Array<[title: string, members: Record<string, unknown>]> = [
    ["has a secret", { ...metadata, client_secret: "secret" }],
    ["has no redirect URI", { client_name: "Notes" }],
    ["has another redirect URI", { redirect_uris: ["http://localhost:3000/other"] }],
  ];
  for (const [title, members] of broken) {
    it.inLab(`is refused by the server as any other document if it ${title}`, async (lab) => {
      const { url } = lab.clientDocument(members);
      await assertRejects(() => lab.authorize(authorizeUrl(lab, url), { user: "alice" }), LabError);
    });
  }

  it.inLab("ends with its removal, and all of them with a reset", async (lab) => {
    const { url, id } = lab.clientDocument(metadata);
    await lab.authorize(authorizeUrl(lab, url), { user: "alice" });
    assertEquals((await callLab(lab, `DELETE /client-documents/${id}`)).status, 200);
    assertEquals((await lab.fetch(authorizeUrl(lab, url))).status, 400);
    assertEquals((await lab.fetch(url)).status, 404);
    lab.clientDocument(metadata);
    await lab.reset();
    assertEquals((await callLab(lab, "GET /client-documents")).json, []);
  });

  it("is among what a lab returns to", async () => {
    const { lab } = openLabKit();
    const { url } = lab.clientDocument(metadata);
    const restore = await lab.capture();
    const later = lab.clientDocument(metadata);
    lab.documents.remove("1");
    await restore();
    assertEquals(lab.documents.list().map((each) => each.url), [url]);
    assertEquals((await lab.fetch(new Request(later.url))).status, 404);
    assertEquals(lab.clientDocument(metadata).url, later.url);
  });

  const refused: Array<[members: Record<string, unknown>, message: string]> = [
    [{ client_id: "http://10.0.0.1/client.json" }, "https URL with a path"],
    [{ client_id: "http://localhost:3000/client.json" }, "https URL with a path"],
    [{ client_id: "https://app.example" }, "https URL with a path"],
    [{ client_id: 7 }, "https URL with a path"],
    [{ client_name: "x".repeat(11_000) }, "10 kB"],
  ];
  for (const [members, message] of refused) {
    it.inLab(`hosts no ${JSON.stringify(members).slice(0, 60)}`, async (lab) => {
      assertThrows(() => lab.clientDocument(members), LabError, message);
    });
  }

  it.inLab("hosts one document per URL, and a limited number", async (lab) => {
    const client_id = "https://app.example/client.json";
    lab.clientDocument({ client_id });
    assertThrows(() => lab.clientDocument({ client_id }), LabError, "already");
    for (let count = 1; count < 1000; count++) lab.clientDocument({});
    assertThrows(() => lab.clientDocument({}), LabError, "1000 client documents");
  });
});
