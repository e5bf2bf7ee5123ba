import { assertEquals, assertMatch } from "@std/assert";
import { importJWK, SignJWT } from "jose";
import { describe, it } from "node:test";
import { demoKey } from "../../../../src/lab/demo/demo_keys.ts";
import { hallpass, type TestLab } from "../../../../src/lab/testing/mod.ts";
import { assertionType } from "../../../support/client_key.ts";
import { login } from "../../../support/login.ts";
import { callMcpTool } from "../../../support/mcp.ts";
import { type ReadResponse, testClient } from "../../../support/test_client.ts";
import { featuresOf, hasFeature, needs } from "../../../support/where_feature.ts";
import {
  askWithNonces,
  mcpTokens,
  pollAfter,
  readMetadata,
  readMetadataTwice,
  refreshForScope,
  refreshMcp,
  registerNotes,
} from "./observed_clients.ts";

type Act = (lab: TestLab) => Promise<unknown>;

/** Gets a token as demo-jwt, whose assertion has an audience, or several. */
async function signFor(lab: TestLab, aud: string | string[]): Promise<ReadResponse> {
  const claims = { iss: "demo-jwt", sub: "demo-jwt", aud, jti: crypto.randomUUID() };
  const signed = await new SignJWT(claims)
    .setProtectedHeader({ alg: "ES256", kid: String(demoKey.kid) })
    .setIssuedAt().setExpirationTime("1m")
    .sign(await importJWK(demoKey));
  return await testClient().token(lab, {
    grant_type: "client_credentials",
    client_assertion_type: assertionType,
    client_assertion: signed,
  });
}

async function open(lab: TestLab, path: string): Promise<void> {
  const response = await lab.fetch(lab.issuer + path);
  await response.body?.cancel();
}

/** What a client does, and what the report sees of it. */
const observed: ReadonlyArray<readonly [id: string, title: string, act: Act, seen: RegExp]> = [
  [
    "issuer-slash",
    "N2: asks for the metadata below an issuer with a slash",
    (lab) => open(lab, "//.well-known/openid-configuration"),
    /two slashes after the issuer$/,
  ],
  [
    "issuer-slash",
    "N2: signs its assertion for the issuer with a slash",
    (lab) => signFor(lab, `${lab.issuer}/`),
    /its aud is the issuer with a slash at its end$/,
  ],
  [
    "nothing-after-metadata",
    "N2: reads the metadata, expects an issuer with a slash, and stops, twice",
    readMetadataTwice,
    /read 2 times; it names the issuer https:\S+[^/], without a slash at its end$/,
  ],
  [
    "nothing-after-metadata",
    "N2: does so in a browser",
    async (lab) => {
      const headers = { Accept: "*/*", Origin: "https://app.example" };
      for (const _ of [1, 2, 3]) await readMetadata(lab, headers);
    },
    /read 3 times/,
  ],
  [
    "refreshed-for-scope",
    "Z9: refreshes after insufficient_scope, as the TypeScript SDK of MCP does",
    refreshForScope,
    /^flow-1 was refused with insufficient_scope, refreshed, and was refused again$/,
  ],
  [
    "registered-repeatedly",
    "Z9: registers three times at once, and uses the last client_id",
    async (lab) => {
      const ports = [3001, 3002, 3003];
      const redirects = ports.map((port) => [`http://127.0.0.1:${port}/callback`]);
      const register = (redirect_uris: string[]) => registerNotes(lab, { redirect_uris });
      const ids = await Promise.all(redirects.map(register));
      await open(lab, `/oauth2/authorize?client_id=${ids[2]}`);
    },
    /registered 3 times; no request used 2 of them$/,
  ],
];

/** What a client does that is right, by the finding that it resembles. */
const correct: ReadonlyArray<readonly [id: string, title: string, act: Act]> = [
  [
    "issuer-slash",
    "a scanner that asks for another path with two slashes",
    (lab) => open(lab, "//evil.example/"),
  ],
  [
    "issuer-slash",
    "a client whose assertion names the issuer as it is",
    async (lab) => assertEquals((await signFor(lab, lab.issuer)).status, 200),
  ],
  [
    "issuer-slash",
    "a client whose assertion is refused for another audience",
    (lab) => signFor(lab, `${lab.issuer}/oauth2/token`),
  ],
  [
    "nothing-after-metadata",
    "a health check, which looks at the status",
    async (lab) => {
      for (const _ of [1, 2, 3]) await readMetadata(lab, { Accept: "*/*" });
    },
  ],
  [
    "nothing-after-metadata",
    "an API that validates tokens: it reads the metadata and the keys",
    async (lab) => {
      await readMetadataTwice(lab);
      await open(lab, "/oauth2/jwks");
    },
  ],
  [
    "nothing-after-metadata",
    "an application that reads the metadata when it starts, and waits for its first user",
    readMetadata,
  ],
  [
    "nothing-after-metadata",
    "a client that looks at both documents and then signs in",
    async (lab) => {
      await readMetadataTwice(lab);
      await open(lab, "/.well-known/oauth-authorization-server");
      await login(lab);
    },
  ],
  [
    "nothing-after-metadata",
    "a client that refuses metadata which a fault changed",
    async (lab) => {
      lab.fault("metadata.wrong_issuer");
      await readMetadataTwice(lab);
      lab.faults.clear();
      await readMetadataTwice(lab);
    },
  ],
  [
    "nothing-after-metadata",
    "a client that signed in before the report was cleared",
    async (lab) => {
      await login(lab);
      await lab.fetch(`${lab.issuer}/lab/requests`, { method: "DELETE" });
      await readMetadataTwice(lab);
    },
  ],
  [
    "refreshed-for-scope",
    "a client that asks the user after its refresh did not help",
    async (lab) => {
      await refreshForScope(lab);
      const { access_token } = await mcpTokens(lab, "read write");
      assertEquals((await callMcpTool(lab, "write_note", { token: access_token })).status, 200);
    },
  ],
  [
    "refreshed-for-scope",
    "a client that goes on with what it has, and refreshes once its token expires",
    async (lab) => {
      const { access_token, refresh_token } = await mcpTokens(lab);
      await callMcpTool(lab, "write_note", { token: access_token });
      lab.clock.advance("50m");
      const refreshed = await refreshMcp(lab, refresh_token);
      await callMcpTool(lab, "write_note", { token: refreshed.access_token });
    },
  ],
  [
    "refreshed-for-scope",
    "a client that refreshes early, and then calls what it may call",
    async (lab) => {
      const { access_token, refresh_token } = await mcpTokens(lab);
      await callMcpTool(lab, "write_note", { token: access_token });
      const refreshed = await refreshMcp(lab, refresh_token);
      await callMcpTool(lab, "read_notes", { token: refreshed.access_token });
    },
  ],
  [
    "refreshed-for-scope",
    "a client that a fault refuses however often it steps up",
    async (lab) => {
      lab.fault("mcp.endless_step_up");
      const { access_token, refresh_token } = await mcpTokens(lab, "read write");
      await callMcpTool(lab, "write_note", { token: access_token });
      const refreshed = await refreshMcp(lab, refresh_token);
      await callMcpTool(lab, "write_note", { token: refreshed.access_token });
    },
  ],
  [
    "slow-down-ignored",
    "a device that polls too early once, and then waits five seconds longer for good",
    async (lab) => {
      const errors = await pollAfter(lab, "2s", "10s", "10s");
      assertEquals(errors[1], "slow_down");
    },
  ],
  [
    "slow-down-ignored",
    "a device that a fault slows down twice",
    async (lab) => {
      const body = { error: "slow_down" };
      for (const _ of [1, 2]) lab.next("token", { status: 400, body });
      await pollAfter(lab, "10s", "15s", "15s");
    },
  ],
  [
    "slow-down-ignored",
    "a device under a clock that the test has stopped",
    async (lab) => {
      lab.clock.freeze();
      await pollAfter(lab, "0s", "0s", "0s");
    },
  ],
  [
    "dpop-nonce-ignored",
    "a client that learns of the nonce, and sends it",
    (lab) => {
      lab.configure({ dpopNonces: true });
      return askWithNonces(lab, undefined, "the-nonce", undefined, undefined);
    },
  ],
  [
    "dpop-nonce-ignored",
    "a client with two processes, each of which learns of the nonce",
    (lab) => {
      lab.configure({ dpopNonces: true });
      return askWithNonces(lab, undefined, undefined);
    },
  ],
  [
    "registered-repeatedly",
    "a program on three machines, or in three tests, each of which signs in",
    async (lab) => {
      for (const _ of [1, 2, 3]) {
        await open(lab, `/oauth2/authorize?client_id=${await registerNotes(lab)}`);
      }
    },
  ],
  [
    "registered-repeatedly",
    "three programs that have registered and wait for their users",
    async (lab) => {
      for (const client_name of ["Notes", "Mail", "Calendar"]) {
        await registerNotes(lab, { client_name });
      }
    },
  ],
  [
    "registered-repeatedly",
    "a program that registers again after it removed each registration",
    async (lab) => {
      for (const _ of [1, 2, 3]) {
        const url = `${lab.issuer}/oauth2/register/${await registerNotes(lab)}`;
        await (await lab.fetch(url, { method: "DELETE" })).body?.cancel();
      }
    },
  ],
];

/** The MCP server of the lab adds what its clients do. */
function featuresFor(id: string): string[] {
  return ["refreshed-for-scope", "registered-repeatedly"].includes(id) ? ["mcp"] : [];
}

describe("The report observes a client that", () => {
  for (const [id, title, act, seen] of observed) {
    it(`${title}: ${id}`, needs(...featuresFor(id)), async () => {
      await using lab = await hallpass();
      await act(lab);
      const found = lab.report().findings.filter((finding) => finding.id === id);
      const shown = found.map(({ received, where }) =>
        [where.request, received].filter(Boolean).join(": ")
      );
      assertEquals(shown.length, 1);
      assertMatch(shown[0] ?? "", seen);
      lab.assertClean();
    });
  }
});

describe("The report does not accuse", () => {
  for (const [id, title, act] of correct) {
    it(`${title}: ${id}`, needs(...featuresFor(id), ...featuresOf(act)), async () => {
      await using lab = await hallpass();
      await act(lab);
      assertEquals(lab.report().findings.filter((finding) => finding.id === id), []);
      if (hasFeature("faults")) lab.faults.clear();
    });
  }

  it(
    "N2: a client of a provider whose issuer ends with a slash, and says which one it is",
    needs("providers"),
    async () => {
      await using lab = await hallpass({ provider: "auth0" });
      await readMetadataTwice(lab);
      const [finding] = lab.report().findings;
      assertMatch(
        finding?.received ?? "",
        /it names the issuer https:\S+\/, with a slash at its end$/,
      );
    },
  );
});
