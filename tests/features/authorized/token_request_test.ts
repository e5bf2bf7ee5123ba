import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { tokenRequestExamples } from "../../../src/server/features/authorized/token_request.ts";
import type { Client } from "../../../src/server/model/client.ts";

describe("The examples of a token request", () => {
  const known = { tokenEndpoint: "https://id.example/token", code: "a", redirectUri: "https://a/" };
  for (const dpop of ["required", "optional"] as const) {
    it(`have a proof for each kind of client only if the code needs one: ${dpop}`, () => {
      // The rest of a client does not matter here.
      const client = { id: "app", authentication: ["none"], dpop } as unknown as Client;
      const examples = tokenRequestExamples({ ...known, client });
      const proofs = examples.map(({ kind, command }) => [kind, command.includes("DPoP: ")]);
      const isNeeded = dpop === "required";
      assertEquals(proofs, [["public", isNeeded], ["confidential", isNeeded]]);
    });
  }
});
