import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { describe } from "node:test";
import { runningLabOf } from "../../src/program/lab_client/running_lab.ts";
import { runCommandLine, startCommandLine } from "../support/command_line.ts";
import { itWith } from "../support/it_with.ts";
import { claimsOf } from "../support/kit.ts";
import { launchProgram } from "../support/program.ts";
import { needs } from "../support/where_feature.ts";

const labToken = "a-token-of-32-letters-and-digits";

/** Starts a lab in this process. */
async function openLab() {
  const lab = await startCommandLine(["lab", "--port", "0", "--lab-token", labToken]);
  return { ...lab, [Symbol.asyncDispose]: lab.stop };
}

const it = itWith({
  withLab: openLab,
  withLabWithFlows: { ...needs("flows"), open: openLab },
  withLabWithReport: { ...needs("report"), open: openLab },
});

/** A request that the lab refuses. */
async function sendRefused(issuer: string): Promise<void> {
  await (await fetch(`${issuer}/oauth2/authorize?client_id=nobody`)).text();
}

describe("--lab", () => {
  it.withLab("may name the pages of the lab", async (lab) => {
    const args = ["token", "alice", "--lab-token", labToken, "--lab", `${lab.issuer}/lab`];
    const { code, output } = await runCommandLine([...args, "--audience", "orders"]);
    assertEquals([code, claimsOf(output.trim()).aud], [0, "orders"], output);
  });

  const addresses = [
    ["http://localhost:9417/", "http://localhost:9417"],
    ["http://localhost:9417/lab", "http://localhost:9417"],
    ["http://localhost:9417/tenant/lab/", "http://localhost:9417/tenant"],
    ["http://lab", "http://lab"],
    ["http://lab/lab", "http://lab"],
  ] as const;

  for (const [value, address] of addresses) {
    it(`${value} is the lab at ${address}`, () => {
      const values = new Map([["lab", [value]]]);
      assertEquals(runningLabOf({ command: "token", values }), address);
    });
  }
});

describe("hallpass flows", () => {
  it.withLabWithFlows("prints a line for each request so far, and why it was refused", async (lab) => {
    await sendRefused(lab.issuer);
    const { code, output } = await runCommandLine(
      ["flows", "--lab", lab.issuer],
      { HALLPASS_LAB_TOKEN: labToken },
    );
    assertEquals(code, 0, output);
    assertMatch(output, /GET \/oauth2\/authorize +nobody +400 invalid_request +flow-1\n/);
    assertMatch(
      output,
      /must be that of a known client.*\n.*Rule: client\.known\. Parameter: client_id\. See /,
    );
    assertStringIncludes(output, `${lab.issuer}/lab/flows/request-1?exchange=1`);
  });

  it.withLab("--refused prints only what the server refused", needs("flows"), async (lab) => {
    const flows = (...options: string[]) =>
      runCommandLine(["flows", "--lab", lab.issuer, "--lab-token", labToken, ...options]);
    assertEquals(await flows(), { code: 0, output: "No request reached this lab.\n" });
    await (await fetch(`${lab.issuer}/.well-known/openid-configuration`)).text();
    assertEquals(await flows("--refused"), { code: 0, output: "No request was refused.\n" });
    await sendRefused(lab.issuer);
    const { code, output } = await flows("--refused");
    assertEquals([code, output.match(/(GET|POST) \S+/g)], [0, ["GET /oauth2/authorize"]]);
    assertStringIncludes(output, "Rule: client.known");
  });

  it.withLab("fails where it may not look, and where no lab is", needs("flows"), async (lab) => {
    assertEquals(await runCommandLine(["flows", "--lab", lab.issuer]), {
      code: 2,
      output: "Send the lab's token: Authorization: Bearer TOKEN.\n",
    });
    await lab.stop();
    const { code, output } = await runCommandLine(["flows", "--lab", lab.issuer]);
    assertEquals(code, 1);
    assertMatch(output, /^No lab responds at http:\/\/localhost:\d+\/lab: nothing is listening/);
  });

  it.withLabWithFlows("--follow goes on until Ctrl-C, here with what is refused", async (lab) => {
    await sendRefused(lab.issuer);
    const args = ["flows", "--follow", "--refused", "--lab", lab.issuer, "--lab-token", labToken];
    const program = launchProgram(args);
    await program.line(/request-(1)\?/);
    await (await fetch(`${lab.issuer}/oauth2/jwks`)).text();
    await sendRefused(lab.issuer);
    await program.line(/request-(3)\?/);
    assertEquals(program.output().includes("/oauth2/jwks"), false);
    program.kill("SIGINT");
    assertEquals(await program.exitCode, 0, program.output());
    assertMatch(program.output(), /^Following http:\/\/localhost:\d+\.$/m);
    assertEquals(program.output().match(/Rule: client\.known/g)?.length, 2);
  });
});

describe("hallpass report", () => {
  it.withLabWithReport("prints what a client did wrong, and fails because of it if it is asked to", async (lab) => {
    const report = (...options: string[]) =>
      runCommandLine(["report", "--lab", lab.issuer, "--lab-token", labToken, ...options]);
    assertEquals(await report("--fail"), { code: 5, output: "No request reached this lab.\n" });
    await sendRefused(lab.issuer);
    const refused = await report("--fail");
    assertEquals(refused.code, 0, refused.output);
    assertMatch(
      refused.output,
      /^Client nobody: Is refused\nrefused client\.known /m,
    );
    assertEquals((await report("--fail", "--refused")).code, 8);
    await (await fetch(`${lab.issuer}/oauth2/userinfo?access_token=a-token`)).text();
    assertEquals((await report("--fail")).code, 8);
    const other = await report("--client", "missing");
    assertStringIncludes(other.output, "There is no client in the report 'missing'.");
    assertStringIncludes((await report("--client", "nobody")).output, "Client nobody");
    const { code, output } = await report("--json");
    assertEquals([code, JSON.parse(output).clean], [0, false]);
  });

  it.withLab("fails where it may not look, and where no lab is", needs("report"), async (lab) => {
    const { code, output } = await runCommandLine(["report", "--lab", lab.issuer]);
    assertEquals([code, output], [2, "Send the lab's token: Authorization: Bearer TOKEN.\n"]);
    await lab.stop();
    assertEquals((await runCommandLine(["report", "--fail", "--lab", lab.issuer])).code, 1);
  });
});

describe("hallpass call", () => {
  const calls: Record<string, [args: string[], code: number, prints: RegExp]> = {
    "prints a list as a table": [["list-users"], 0, /^NAME +.*\nalice +/],
    "prints what an operation returns": [["clock", "--advance", "-5m"], 0, /^now: \d{4}-/],
    "prints JSON": [["clock", "--freeze", "--json"], 0, /^\{\n {2}"now": .*\n {2}"frozen": true,/],
    "sends lists and objects": [
      ["put-user", "--name", "zoe", "--claims", '{"email":"zoe@a.example"}', "--json"],
      0,
      /"email": "zoe@a.example"/,
    ],
    "prints a list as the JSON that it is": [
      ["list-clients", "--json"],
      0,
      /"redirectUris": \[\n/,
    ],
    "sends a text that is no JSON": [
      ["mint-token", "--sub", "alice", "--kind", "refresh", "--scope", "offline_access"],
      0,
      /\ntoken: [\w-]+\n$/,
    ],
    "prints why the lab refused it": [["show-user", "--name", "eve"], 2, /no user 'eve'/],
    "is done where an operation returns nothing": [["clear-requests"], 0, /^Done\.\n$/],
  };
  for (const [title, [args, code, prints]] of Object.entries(calls)) {
    it.withLab(title, needs("call"), async (lab) => {
      const own = ["--lab", lab.issuer, "--lab-token", labToken];
      const result = await runCommandLine(["call", ...args, ...own]);
      assertMatch(result.output, prints);
      assertEquals(result.code, code);
    });
  }
});
