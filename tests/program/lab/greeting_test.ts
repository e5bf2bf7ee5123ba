import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { describe, it } from "node:test";
import type { LabConfig } from "../../../src/lab/lab_config.ts";
import { openLab } from "../../../src/lab/open_lab.ts";
import { secretSourcesOf } from "../../../src/program/configuration/secret_variables.ts";
import { type GreetingStyle, greetLab } from "../../../src/program/lab/greeting.ts";
import { colorsFor } from "../../../src/program/terminal/color.ts";
import { hasFeature, needs } from "../../support/where_feature.ts";

const issuer = "http://localhost:9000";
const redirectUris = [`${issuer}/authorized`];

/** Returns the text that a lab with a configuration prints. */
async function greeting(config: Omit<LabConfig, "issuer">, style?: GreetingStyle): Promise<string> {
  const server = openLab({ issuer, ...config });
  return (await greetLab({ server, address: issuer }, style)).text;
}

const own = {
  users: [
    { name: "ann", password: "correct horse" },
    { name: "bo", passwordHash: `pbkdf2-sha256$600000$${"a".repeat(22)}$${"a".repeat(43)}` },
    { name: "cy" },
  ],
  clients: [
    { id: "shop", secret: "shop's secret", redirectUris },
    { id: "job", secret: "job-secret", grantTypes: ["client_credentials"] },
  ],
};

describe("The greeting of a lab", () => {
  it("has a line for each user and client of a configuration, with passwords and secrets (E1)", async () => {
    const text = await greeting(own);
    for (
      const line of [
        "  Users      ann  password correct horse",
        "             bo   password known as a hash",
        "             cy   no password",
        "  Clients    shop  secret shop's secret",
        "             job   secret job-secret",
      ]
    ) assert(text.split("\n").includes(line), `${line}\n${text}`);
  });

  it("w2: names where a client with a certificate connects", needs("mtls"), async () => {
    const text = await greeting({
      mtls: { url: "https://localhost:9443" },
      clients: [{
        ...{ id: "web", redirectUris },
        ...{ authentication: ["tls_client_auth"], tlsClientAuthSubjectDn: "CN=web" },
      }],
    });
    const makes = "POST http://localhost:9000/lab/certificates/CLIENT makes a certificate";
    assertStringIncludes(text, `  mTLS       https://localhost:9443; ${makes}\n`);
    assertStringIncludes(text, "  Clients    web  tls_client_auth\n");
    assertEquals(text.includes("-d grant_type="), false);
  });

  it("F5: says how browsers trust its certificate on each system, but not as a real host", async () => {
    const server = openLab({ issuer });
    const lab = { server, address: issuer, caFile: "/srv/ca.pem" };
    const { text } = await greetLab(lab);
    for (const system of ["macOS", "Linux", "Windows"]) {
      assertMatch(text, new RegExp(`^ {4}\\w+ .*/srv/ca\\.pem +# ${system}$`, "m"));
    }
    const realHosts = { names: ["id.example"], keyHash: "hash" };
    assertEquals((await greetLab({ ...lab, realHosts })).text.includes("# Windows"), false);
  });

  it(
    "names the provider that it plays, or all of them with their issuers",
    needs("providers"),
    async () => {
      assertStringIncludes(await greeting({ provider: "github" }), "  Plays      github\n");
      const server = openLab({ issuer, providers: ["google", "entra"] });
      await server.openConfiguredTenants();
      const { text } = await greetLab({ server, address: issuer });
      assertStringIncludes(text, `  Plays      google  ${issuer}/t/google\n`);
      assertStringIncludes(text, `clients below; begin at ${issuer}/t/NAME\n`);
      assertMatch(text, / {2}Plays {6}entra {2}http:\/\/localhost:9000\/t\/entra\/\S+\/v2\.0\n/);
    },
  );

  it("has a link, and a command with the secret, quoted for a shell (E1)", async () => {
    const text = await greeting(own);
    assertMatch(text, /^ {4}http:\S+\/oauth2\/authorize\?\S*client_id=shop/m);
    assertStringIncludes(text, "--data-urlencode 'client_secret=shop'\\''s secret' -d grant_type=");
    assertMatch(text, / -d code=\n/);
  });

  it("prefers a client without a secret for the link", async () => {
    const clients = [...own.clients, { id: "spa", redirectUris }];
    assertMatch(await greeting({ clients }), /authorize\?\S*client_id=spa/);
  });

  it("names the pages for flows, report and drill, also on a port of their own (E12)", async () => {
    assertStringIncludes(await greeting({}), `  Flows      ${issuer}/lab/flows\n`);
    const server = openLab({ issuer });
    const controlUrl = "http://localhost:9001/lab";
    const { text, facts } = await greetLab({ server, address: issuer, controlUrl });
    assertEquals(text.includes(`  Report     ${controlUrl}/report\n`), hasFeature("report"));
    assertEquals(text.includes(`  Drill      ${controlUrl}/drill\n`), hasFeature("drill"));
    assertEquals(facts.drill, hasFeature("drill") ? `${controlUrl}/drill` : undefined);
    assertEquals([facts.flows, facts.labApi], [`${controlUrl}/flows`, controlUrl]);
  });

  it("names the MCP server, or says why there is none", needs("mcp"), async () => {
    assertStringIncludes(await greeting({}), `  MCP        ${issuer}/mcp\n`);
    const text = await greeting({ paths: { token: "/mcp" } });
    assertStringIncludes(text, "  MCP        off: 'paths.token' is '/mcp'\n");
    assert(!/^ {2}MCP/m.test(await greeting({ dialect: { tokenResponses: "form" } })));
  });

  it("shows the name of an environment variable in place of its secret", async () => {
    const secretSources = secretSourcesOf(["JOB"], { JOB: "job-secret" });
    const clients = [{ id: "job", secret: "job-secret", redirectUris }];
    const text = await greeting({ clients }, { secretSources });
    assertStringIncludes(text, "  Clients    job  secret in $JOB\n");
    assertStringIncludes(text, '--data-urlencode "client_secret=$JOB"');
    assert(!text.includes("job-secret"), text);
  });

  it("has no secrets among its facts, which are for a log", async () => {
    const server = openLab({ issuer, ...own });
    const facts = JSON.stringify((await greetLab({ server, address: issuer })).facts);
    assert(!/secret|horse/.test(facts), facts);
  });

  it("has colors for a terminal, and only then: NO_COLOR and FORCE_COLOR decide", async () => {
    const cases: Array<[environment: Record<string, string>, isTerminal: boolean, has: boolean]> = [
      [{}, true, true],
      [{}, false, false],
      [{ NO_COLOR: "1" }, true, false],
      [{ FORCE_COLOR: "1" }, false, true],
      [{ FORCE_COLOR: "0" }, true, false],
      [{ FORCE_COLOR: "1", NO_COLOR: "1" }, false, true],
    ];
    for (const [environment, isTerminal, has] of cases) {
      const colors = colorsFor(environment, isTerminal);
      assertEquals((await greeting({}, { colors })).includes("\x1b["), has);
    }
  });

  it("escapes what a configuration could use to control a terminal", async () => {
    const users = [{ name: "eve\x1b[2J", sub: "eve", password: "a\x1b]0;b" }];
    const text = await greeting({ users });
    assert(!text.includes("\x1b"), text);
  });

  it("fits into 80 columns, except for the link and the command, which are copied", async () => {
    const lines = (await greeting({})).split("\n").filter((line) => !line.startsWith("    "));
    assertEquals(lines.filter((line) => line.length > 80), []);
  });

  it("is short for a large configuration", async () => {
    const users = Array.from({ length: 300 }, (_, n) => ({ name: `user${n}`, password: "long" }));
    const text = await greeting({ users });
    assertStringIncludes(text, "and 288 more");
    assert(text.split("\n").length < 40, text);
  });
});
