import type { TestLab } from "../../src/lab/testing/mod.ts";
import { type Fields, testClient } from "./test_client.ts";

/** A client that asks for an ID token. */
export const client = testClient({ scope: "openid profile" });

/** Sends an authorization request with a nonce as alice, and returns its response. */
export async function authorizeAsAlice(lab: TestLab, changes: Fields = {}) {
  const nonce = crypto.randomUUID();
  return { nonce, ...await client.authorize(lab, { nonce, ...changes }) };
}
