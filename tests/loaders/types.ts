// What an editor sees, with each compiler and each way to resolve modules.
import { createServer } from "hallpass";
import { protectedResource } from "hallpass/resource";
import { serve } from "hallpass/serve";
import { sqliteStore } from "hallpass/sqlite";
import { hallpass, type TestLab } from "hallpass/testing";

export async function token(): Promise<string> {
  const lab: TestLab = await hallpass({ listen: true });
  return (await lab.mint({ sub: "alice" })).access_token;
}

export const entries: unknown[] = [createServer, protectedResource, serve, sqliteStore];

// @ts-expect-error: there is no such setting
void hallpass({ algorithm: "RS256" });
