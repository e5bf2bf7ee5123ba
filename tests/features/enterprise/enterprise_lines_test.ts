import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { describe, it } from "node:test";
import { features } from "../../../src/lab/features.ts";
import { loadCompletion } from "../../../src/lab/handling/complete_settings.ts";
import type { Lab } from "../../../src/lab/lab.ts";
import type { LabConfig } from "../../../src/lab/lab_config.ts";
import { openLab } from "../../../src/lab/open_lab.ts";
import { greetLab } from "../../../src/program/lab/greeting.ts";

const issuer = "http://localhost:9000";

async function openEnterprise(config: Partial<LabConfig> = {}): Promise<Lab> {
  const given = { issuer, enterprise: true, ...config };
  const complete = await loadCompletion(given, features);
  const lab = openLab(complete(given));
  await lab.openConfiguredTenants();
  return lab;
}

describe("The greeting of a lab of an enterprise", () => {
  it("names both issuers, the employees, and the client at both servers", async () => {
    await using server = await openEnterprise();
    const { text, facts } = await greetLab({ server, address: issuer });
    const lines = text.split("\n");
    for (
      const line of [
        `  Issuer     ${issuer}`,
        `  Company    ${issuer}/t/company`,
        "  Employees  alice  may read and write",
        "             bob    may read",
        "             carol  gets no ID-JAG",
        "  Agent      agent         secret agent-secret, at the company",
        "             agent-at-mcp  secret agent-at-mcp-secret, at the issuer of this lab",
      ]
    ) assert(lines.includes(line), `${line}\n${text}`);
    assertEquals(facts.company, `${issuer}/t/company`);
  });

  it("has commands that trust the certificate that the lab made (--tls)", async () => {
    await using server = await openEnterprise();
    const { text } = await greetLab({ server, address: issuer, caFile: "/my work/ca.pem" });
    const commands = text.split("\n").filter((line) => /^ {4}(\w+=\$\()?curl /.test(line));
    const trusting = commands.filter((line) => line.includes("curl --cacert '/my work/ca.pem' "));
    assertEquals([commands.length, trusting.length], [7, 7]);
  });

  it("has a line for each request from a sign-in to a tool", async () => {
    await using server = await openEnterprise();
    const { text } = await greetLab({ server, address: issuer });
    const [, walk = ""] = text.split("line by line:\n");
    const commands = walk.split("\n\n")[0]?.split("\n").filter((line) => !line.includes("# "));
    assertEquals(commands?.map((line) => /^ {4}(\w+)/.exec(line)?.[1]), [
      "CODE",
      "ID_TOKEN",
      "ID_JAG",
      "TOKEN",
      "curl",
    ]);
    assertMatch(walk, /login_hint=alice/);
  });

  it("shows the policy of the users of a test, by their groups", async () => {
    const users = [
      { name: "ann", claims: { groups: [] } },
      { name: "bo", claims: { groups: ["staff"] } },
      { name: "cy", sub: "c-7" },
    ];
    await using server = await openEnterprise({ users });
    const { text } = await greetLab({ server, address: issuer });
    assertMatch(text, /ann {2}gets no ID-JAG\n *bo {3}may read\n *cy {3}may read and write\n/);
    assertStringIncludes(text, "login_hint=bo");
  });

  it("has no walk if the policy lets no one in", async () => {
    await using server = await openEnterprise({ users: [{ name: "a", claims: { groups: [] } }] });
    const { text } = await greetLab({ server, address: issuer });
    assert(!text.includes("line by line"));
  });

  it("says nothing of an enterprise in any other lab", async () => {
    await using server = openLab({ issuer });
    const { text, facts } = await greetLab({ server, address: issuer });
    assertEquals([text.includes("Company"), facts.company], [false, undefined]);
  });
});

describe("The home page of a lab of an enterprise", () => {
  const home = async (lab: Lab, headers: Record<string, string> = {}) =>
    await (await lab.fetch(new Request(`${issuer}/`, { headers }))).text();

  it("shows who takes part, and the walk", async () => {
    await using lab = await openEnterprise();
    const page = await home(lab);
    assertStringIncludes(page, `<a href="${issuer}/t/company/">identity provider`);
    assertStringIncludes(page, "gets no ID-JAG");
    assertStringIncludes(page, "agent-at-mcp-secret");
    assertMatch(page, /ID_JAG=\$\(curl/);
  });

  it("shows no secret to those without the token of the lab", async () => {
    await using lab = await openEnterprise({ labToken: "a-token-of-the-lab" });
    const page = await home(lab);
    assertStringIncludes(page, "gets no ID-JAG");
    assertEquals([page.includes("agent-secret"), page.includes("ID_JAG=")], [false, false]);
  });
});
