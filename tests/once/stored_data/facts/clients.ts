import { assertEquals } from "@std/assert";
import { addSecret as addClientSecret } from "../../../../src/server/issuer/admin/client_secrets.ts";
import {
  add as addClient,
  disable as disableClient,
  enable as enableClient,
  remove as removeClient,
} from "../../../../src/server/issuer/admin/clients.ts";
import { assertionClaims, assertionType, signWithSecret } from "../../../support/client_key.ts";
import { basic } from "../../../support/kit.ts";
import { register, sendJson } from "../../../support/registration.ts";
import { isActive, refreshOf, storeUser, tokensOf, withoutPage } from "../steps.ts";
import { fact, type StoredFact } from "../stored_fact.ts";
import { documentClient, redirectUri, type StoredKit } from "../stored_server.ts";

const clientCredentials = { grant_type: "client_credentials" };

/** The status of a token request with a secret. */
async function statusWith(kit: StoredKit, id: string, secret: string): Promise<number> {
  return (await kit.token(clientCredentials, basic(id, secret))).status;
}

/** Adds a client with a secret, and a second one. */
async function storeClient(kit: StoredKit, id: string, isKey = false) {
  const secret = `the-first-secret-of-${id}-with-many-characters`;
  const authentication = isKey ? ["client_secret_jwt" as const] : undefined;
  await addClient(kit.server.context, {
    id,
    secret,
    grantTypes: ["client_credentials"],
    ...authentication && { authentication },
  });
  return { id, secrets: [secret, await addClientSecret(kit.server.context, id)] };
}

async function assertionOf(kit: StoredKit, id: string, secret: string) {
  const claims = { ...assertionClaims(kit, id), jti: crypto.randomUUID() };
  const client_assertion = await signWithSecret(secret, claims);
  return { ...clientCredentials, client_assertion_type: assertionType, client_assertion };
}

/** What is stored about clients. */
export const clientFacts: readonly StoredFact[] = [
  fact(
    "both secrets of a client work",
    (kit) => storeClient(kit, "shop"),
    async (kit, { id, secrets }) => {
      for (const secret of secrets) assertEquals(await statusWith(kit, id, secret), 200);
      assertEquals(await statusWith(kit, id, "another secret"), 401);
    },
  ),
  fact(
    "both secrets of a client sign its assertions",
    (kit) => storeClient(kit, "signing-shop", true),
    async (kit, { id, secrets }) => {
      for (const secret of secrets) {
        assertEquals((await kit.token(await assertionOf(kit, id, secret))).status, 200);
      }
    },
  ),
  fact(
    "an assertion that was used stays used",
    async (kit) => {
      const { id, secrets: [secret = ""] } = await storeClient(kit, "asserting-shop", true);
      const fields = await assertionOf(kit, id, secret);
      assertEquals((await kit.token(fields)).status, 200);
      return fields;
    },
    async (kit, fields) => assertEquals((await kit.token(fields)).body.error, "invalid_client"),
  ),
  fact(
    "a disabled client stays out, and enabling it brings nothing back",
    async (kit) => {
      const { id, secrets: [secret = ""] } = await storeClient(kit, "closed-shop");
      const { access_token } = (await kit.token(clientCredentials, basic(id, secret))).body;
      await disableClient(kit.server.context, id);
      return { id, secret, access_token };
    },
    async (kit, { id, secret, access_token }) => {
      assertEquals(await statusWith(kit, id, secret), 401);
      await enableClient(kit.server.context, id);
      assertEquals(await isActive(kit, access_token), false);
      assertEquals(await statusWith(kit, id, secret), 200);
    },
  ),
  fact(
    "a removed client is gone, with its tokens",
    async (kit) => {
      const { id, secrets: [secret = ""] } = await storeClient(kit, "former-shop");
      const { access_token } = (await kit.token(clientCredentials, basic(id, secret))).body;
      await removeClient(kit.server.context, id);
      return { id, secret, access_token };
    },
    async (kit, { id, secret, access_token }) => {
      assertEquals(await statusWith(kit, id, secret), 401);
      assertEquals(await isActive(kit, access_token), false);
    },
  ),
  fact(
    "a registered client reads and replaces its registration, and its secret works",
    async (kit) => {
      const { body } = await register(kit, {
        redirect_uris: [redirectUri],
        token_endpoint_auth_method: "client_secret_basic",
      });
      return body;
    },
    async (kit, { registration_client_uri: uri, registration_access_token: token, ...held }) => {
      const auth = { Authorization: `Bearer ${token}` };
      const response = await kit.server.fetch(new Request(uri, { headers: auth }));
      const { client_id, client_name } = await response.json();
      assertEquals([client_id, client_name], [held.client_id, held.client_name]);
      const headers = basic(held.client_id, held.client_secret);
      const code = { grant_type: "authorization_code", code: "unknown", redirect_uri: redirectUri };
      const { body } = await kit.token({ ...code, code_verifier: "v".repeat(43) }, headers);
      assertEquals(body.error, "invalid_grant");
      const replacement = { client_id, redirect_uris: [redirectUri], client_name: "Another name" };
      const replaced = await sendJson(kit, "PUT", uri, replacement, token);
      assertEquals([replaced.status, replaced.body.client_name], [200, "Another name"]);
    },
  ),
  fact(
    "a remembered consent is not asked for again",
    async (kit) => {
      const { body } = await register(kit, { redirect_uris: [redirectUri] });
      const user = await storeUser(kit, "judy");
      const fields = { client_id: body.client_id, scope: "openid profile" };
      const actions = { user, password: `the password of ${user}` };
      await kit.authorize(fields, actions);
      return { user, fields };
    },
    async (kit, { user, fields }) => {
      const browser = kit.browser();
      await tokensOf(kit, { user }, browser);
      assertEquals((await withoutPage(kit, browser, fields)).get("error"), null);
    },
  ),
  fact(
    "the client of a document refreshes its tokens",
    async (kit) => {
      const user = await storeUser(kit, "kurt");
      return (await tokensOf(kit, { user, client: documentClient })).refresh_token;
    },
    async (kit, token) => {
      assertEquals((await refreshOf(kit, token, documentClient)).status, 200);
    },
  ),
];
