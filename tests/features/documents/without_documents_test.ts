import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { openStrictKit } from "../../support/kit.ts";
import { openWithAndWithout } from "../../support/without_feature.ts";
import { documentOf, documentUrl as client_id, redirectUriOf } from "./document_kit.ts";

const feature = "metadata documents";
const redirect_uri = redirectUriOf(client_id);
const document = documentOf(client_id, { id_token_signed_response_alg: undefined });
const asked = { client_id, redirect_uri, scope: "openid" };

/** Opens both servers. The whole one has issued a token to the client of a document. */
async function openKits() {
  const fetchUntrusted = () => Promise.resolve(Response.json(document));
  const kits = openWithAndWithout(feature, { fetchUntrusted }, { clientMetadataDocuments: true });
  const { body } = await kits.whole.redeem(await kits.whole.code(asked), asked);
  return { ...kits, access_token: body.access_token };
}

describe("A server without metadata documents, on the store of one that reads them", () => {
  it("knows no client whose id is a URL, although its document is stored", async () => {
    const { without } = await openKits();
    const response = await without.ask({ ...asked, prompt: "none" });
    assertEquals([response.status, response.headers.get("Location")], [400, null]);
  });

  it("redeems nothing for it, and what it has is not active", async () => {
    const { whole, without, access_token } = await openKits();
    const { body } = await without.redeem(await whole.code(asked), asked);
    assertEquals(body.error, "invalid_client");
    const statuses = [await whole.userinfo(access_token), await without.userinfo(access_token)];
    assertEquals(statuses.map(({ status }) => status), [200, 401]);
  });

  it("does not advertise them", async () => {
    const { client_id_metadata_document_supported } = await openStrictKit({}, feature).metadata();
    assertEquals(client_id_metadata_document_supported, undefined);
  });
});
