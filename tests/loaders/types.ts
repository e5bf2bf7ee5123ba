// What an editor sees, with each compiler and each way to resolve modules.
import { createServer } from "hallpass";
import { protectedResource } from "hallpass/resource";
import { serve } from "hallpass/serve";
import { sqliteStore } from "hallpass/sqlite";
import { hallpass, type TestLab } from "hallpass/testing";
import { collectTests, type VetTestResult } from "hallpass/vet";

export async function token(): Promise<string> {
  const lab: TestLab = await hallpass({ listen: true });
  return (await lab.mint({ sub: "alice" })).access_token;
}

export const entries: unknown[] = [createServer, protectedResource, serve, sqliteStore];

export function vetFile(run: (title: string, test: () => unknown) => void): void {
  const { test, vet } = collectTests({ test: run });
  test("a test", () => {});
  vet({ failUnder: 90, onResult: ({ report }: VetTestResult) => report.variants[0]?.gain });
}

// @ts-expect-error: there is no such setting
void hallpass({ algorithm: "RS256" });
