import { assertEquals, assertMatch } from "@std/assert";
import { writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, it } from "node:test";
import { inFolder } from "../support/folder.ts";
import { connectedBrowser, postForm } from "../support/http.ts";
import { challenge, encode, verifier } from "../support/kit.ts";
import { startProgram } from "../support/program.ts";

/** A client under development, which serves its own document on this machine. */
async function withClient(
  act: (clientId: string, asked: () => number) => Promise<void>,
): Promise<void> {
  let asked = 0;
  const server = createServer((request, response) => {
    asked++;
    const client_id = `http://${request.headers.host}${request.url}`;
    response.setHeader("Content-Type", "application/json");
    response.end(
      JSON.stringify({
        client_id,
        client_name: "Under development",
        redirect_uris: ["http://127.0.0.1/cb"],
      }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    await act(
      `http://127.0.0.1:${(server.address() as AddressInfo).port}/client.json`,
      () => asked,
    );
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

const redirect_uri = "http://127.0.0.1:4711/cb";

function authorizationUrl(issuer: string, client_id: string): string {
  const request = {
    response_type: "code",
    client_id,
    redirect_uri,
    scope: "openid",
    code_challenge: challenge,
    code_challenge_method: "S256",
  };
  return `${issuer}/oauth2/authorize?${encode(request)}`;
}

describe("A client whose document is on this machine", () => {
  it("gets tokens from a lab on this machine", async () => {
    await withClient(async (client_id, asked) => {
      const lab = await startProgram(["lab", "--port", "0", "--alg", "ES256"]);
      try {
        const callback = new URL(
          await connectedBrowser(lab.issuer).authorize(authorizationUrl(lab.issuer, client_id)),
        );
        const code = callback.searchParams.get("code")!;
        const fields = {
          grant_type: "authorization_code",
          code,
          redirect_uri,
          code_verifier: verifier,
          client_id,
        };
        assertEquals([(await postForm(`${lab.issuer}/oauth2/token`, fields)).status, asked()], [
          200,
          1,
        ]);
      } finally {
        await lab.stop();
      }
    });
  });

  it("L3: is not fetched for a page of another origin", async () => {
    await withClient(async (client_id, asked) => {
      const lab = await startProgram(["lab", "--port", "0", "--alg", "ES256"]);
      const body = new URL(authorizationUrl(lab.issuer, client_id)).searchParams;
      const push = async (headers: Record<string, string>) => {
        const { status } = await drained(
          await fetch(`${lab.issuer}/oauth2/par`, { method: "POST", headers, body }),
        );
        return [status, asked()];
      };
      const pushed = [
        await push({ Origin: "https://evil.example" }),
        await push({ Origin: "http://localhost:3000" }),
      ];
      await lab.stop();
      assertEquals(pushed, [[401, 0], [201, 1]]);
      assertMatch(lab.output(), /page of another origin/);
    });
  });

  it("is not fetched by a strict server", async () => {
    await withClient(async (client_id, asked) => {
      await inFolder(async (folder) => {
        const path = join(folder, "hallpass.json");
        await writeFile(
          path,
          JSON.stringify({ port: 0, alg: "ES256", clientMetadataDocuments: true }),
        );
        const server = await startProgram(["serve", "--config", path]);
        try {
          for (const id of [client_id, client_id.replace("http:", "https:")]) {
            assertEquals(
              (await connectedBrowser(server.issuer).open(authorizationUrl(server.issuer, id)))
                .status,
              400,
            );
          }
          assertEquals(asked(), 0);
        } finally {
          await server.stop();
        }
        assertMatch(server.output(), /has no public address/);
      });
    });
  });
});

async function drained(response: Response): Promise<Response> {
  await response.arrayBuffer();
  return response;
}
