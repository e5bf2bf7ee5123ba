import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { jwtBearerGrantType } from "../../../src/server/protocol/grant_types.ts";
import { assertion, type ClientKey, makeClientKey } from "../../support/client_key.ts";
import { chat, type Enterprise, mcp, openEnterprise } from "../../support/enterprise.ts";
import { claimsOf, type ReadResponse } from "../../support/kit.ts";

const id = "https://agent.example/client.json";

/** What a test changes. */
interface DocumentChanges {
  /** Members of the document. */
  document?: object;
  /** The clients that the trusted issuer lists. */
  clients?: string[];
}

/** A chat that knows the client by its document, and what the client does. */
interface DocumentClient {
  enterprise: Enterprise;
  redeem(): Promise<ReadResponse>;
}

async function openDocumentClient(
  { document = {}, clients = [id] }: DocumentChanges = {},
): Promise<DocumentClient> {
  const key = await makeClientKey("ES256", "k");
  const metadata = { ...documentOf(key), ...document };
  const enterprise = openEnterprise({
    clientId: id,
    chat: {
      profile: "mcp",
      grantTypes: ["authorization_code", jwtBearerGrantType],
      fetchUntrusted: () => Promise.resolve(Response.json(metadata)),
    },
    trust: { clients },
  });
  return {
    enterprise,
    async redeem() {
      const jwt = await enterprise.idJag();
      const proof = await assertion(enterprise.chat, id, key);
      return await enterprise.redeem(jwt, { ...proof, client_id: id }, {});
    },
  };
}

function documentOf({ publicJwk }: ClientKey): object {
  return {
    client_id: id,
    client_name: "Agent",
    redirect_uris: ["https://agent.example/cb"],
    grant_types: ["authorization_code", jwtBearerGrantType],
    token_endpoint_auth_method: "private_key_jwt",
    jwks: { keys: [publicJwk] },
  };
}

describe("A client that is known by its metadata document", () => {
  it("J26 redeems an ID-JAG, if it authenticates with its key and the trusted issuer lists it", async () => {
    const { redeem } = await openDocumentClient();
    const { status, body } = await redeem();
    assertEquals([status, body.error_description], [200, undefined]);
    const { iss, aud, client_id } = claimsOf(body.access_token);
    assertEquals([iss, aud, client_id], [chat, mcp, id]);
  });

  const refusals: Array<[what: string, changes: DocumentChanges, error: string]> = [
    ["that the issuer does not list", { clients: ["other"] }, "unauthorized_client"],
    [
      "that lists other grants",
      { document: { grant_types: ["authorization_code"] } },
      "unauthorized_client",
    ],
    ["without a key", { document: { token_endpoint_auth_method: "none" } }, "invalid_client"],
    ["that names another client", { document: { client_id: `${id}2` } }, "invalid_client"],
    ["with another key", { document: { jwks: { keys: [] } } }, "invalid_client"],
  ];
  for (const [what, changes, error] of refusals) {
    it(`J26 redeems none with a document ${what}`, async () => {
      const { redeem } = await openDocumentClient(changes);
      assertEquals((await redeem()).body.error, error);
    });
  }
});
