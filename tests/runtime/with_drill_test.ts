import { assertEquals, assertMatch } from "@std/assert";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { hallpass } from "../../src/lab/testing/mod.ts";
import { serve } from "../../src/runtime/serve.ts";
import {
  type Application,
  type Carefulness,
  createApplication,
  drilledClient,
} from "../support/drilled_application.ts";
import { openFolder } from "../support/folder.ts";
import { findFreePort } from "../support/free_port.ts";
import { launchProgram, runProgram } from "../support/program.ts";

/** Serves an application that signs in at a lab which listens. */
async function openApplication(carefulness: Carefulness) {
  const parts: { application?: Application } = {};
  const server = await serve({
    fetch: async (request) => await parts.application?.(request) ?? new Response(),
  }, { port: 0 });
  const origin = `http://localhost:${server.port}`;
  const lab = await hallpass({ listen: true, clients: [drilledClient(origin)] });
  parts.application = createApplication(lab, carefulness, origin);
  return {
    lab,
    origin,
    async [Symbol.asyncDispose]() {
      await lab.close();
      await server.close();
    },
  };
}

const some = ["--only", "callback.wrong_state", "--only", "callback.denied"];

describe("hallpass drill app", () => {
  it("U1: says which lab it uses, and fails with 8 if the application accepts an attack", async () => {
    await using opened = await openFolder();
    const junit = join(opened.folder, "drill.xml");
    await using app = await openApplication("careless");
    const words = ["drill", "app", `${app.origin}/`, "--lab", app.lab.issuer, "--junit", junit];
    const { code, output } = await runProgram([...words, ...some]);
    assertEquals(code, 8, output);
    assertMatch(output, /^Using the lab at http:\/\/localhost:\d+, which has run for /m);
    assertMatch(output, /^2\/2 callback\.denied: refused$/m);
    assertMatch(output, /^Findings: 1 D\. 2 of 2 checks\.$/m);
    assertMatch(readFileSync(junit, "utf8"), /tests="3" failures="1"/);
  });

  it("fails if it did not test a part that --require names, in the file as well", async () => {
    await using opened = await openFolder();
    const junit = join(opened.folder, "drill.xml");
    await using app = await openApplication("careful");
    const drill = (...more: readonly string[]) =>
      runProgram([
        ...["drill", "app", `${app.origin}/`, "--lab", app.lab.issuer, "--junit", junit],
        ...["--only", "callback.denied", ...more],
      ]);
    const missing = await drill("--require", "sign-out", "--require", "refresh");
    assertEquals(missing.code, 8, missing.output);
    assertMatch(missing.output, /^Required, and not tested: sign-out, refresh\.$/m);
    assertMatch(readFileSync(junit, "utf8"), /failures="2".*name="required: sign-out"/s);
    const signsOut = ["--only", "session_survives", "--logout", `${app.origin}/logout`];
    const tested = await drill("--require", "sign-out", ...signsOut);
    assertEquals(tested.code, 0, tested.output);
    assertEquals((await drill("--require", "nonsense")).code, 2);
  });

  it("prints the worst finding first, and once why variants were not met", async () => {
    await using app = await openApplication("careless");
    const words = ["drill", "app", `${app.origin}/`, "--lab", app.lab.issuer, "--only"];
    const unmet = ["jarm.wrong_iss", "jarm.wrong_aud", "jarm.expired", "jarm.alg_none"];
    const others = ["id_token.foreign_signature", "callback.wrong_state"];
    const names = ["id_token.wrong_aud", ...others, ...unmet];
    const { output } = await runProgram([...words, ...names.join(" --only ").split(" ")]);
    assertMatch(
      output,
      /^D callback\.wrong_state.*^C id_token\.wrong_aud.*^Findings: 1 D, 1 C\. /ms,
    );
    assertMatch(output, /^Not met \(5\)$/m);
    assertMatch(output, /^ {2}The application verifies no signature.*\n {6}id_token\.foreign_sig/m);
    assertMatch(output, /^ {6}jarm\.wrong_iss, jarm\.wrong_aud, jarm\.expired and 1 more$/m);
    assertEquals(output.match(/jarm\./g)?.length, 3);
  });

  it("uses the lab that runs at its issuer", async () => {
    await using app = await openApplication("careful");
    const words = ["drill", "app", `${app.origin}/`, "--issuer", app.lab.issuer];
    const { code, output } = await runProgram([...words, ...some]);
    assertEquals(code, 0, output);
    assertMatch(output, new RegExp(`^Using the lab at ${app.lab.issuer}, which has run for `, "m"));
  });

  it("registers --redirect-uri at the demo clients of the lab that runs", async () => {
    await using app = await openApplication("careful");
    await using lab = await hallpass({ listen: true });
    const uri = `${app.origin}/callback`;
    const words = ["drill", "app", `${app.origin}/`, "--redirect-uri", uri, ...some, "--lab"];
    await runProgram([...words, lab.issuer]);
    const having = lab.clients.list().filter(({ redirectUris }) => redirectUris?.includes(uri));
    assertEquals(having.map(({ id }) => id), ["demo-spa", "demo-web", "demo-cli"]);
    const { code, output } = await runProgram([...words, app.lab.issuer]);
    assertEquals(code, 2);
    assertMatch(output, /--redirect-uri is for the demo clients, and the lab at .* has none\./);
  });

  it("U6: names the sign-out that failed, and the scheme that is missing", async () => {
    await using app = await openApplication("careful");
    const words = ["drill", "app", `${app.origin}/`, "--lab", app.lab.issuer];
    const logout = ["--logout", `${app.origin}/public`, "--only", "session_survives"];
    const { code, output } = await runProgram([...words, ...logout]);
    assertEquals(code, 8, output);
    assertMatch(output, /^D session_survives: The session goes on after the sign-out/m);
    const refused = await runProgram(["drill", "app", "localhost:3001"]);
    assertEquals(refused.code, 2);
    assertMatch(refused.output, /'localhost:3001' lacks the scheme: write http:\/\/localhost:3001/);
  });

  it("waits for an application that starts after the lab", async () => {
    await using lab = await hallpass({ listen: true });
    const port = await findFreePort();
    const origin = `http://localhost:${port}`;
    const drill = launchProgram(["drill", "app", `${origin}/`, "--lab", lab.issuer, ...some]);
    await drill.line(/^(Waiting up to 1 minute for http:\/\/localhost:\d+ to respond)/m);
    lab.clients.put(drilledClient(origin));
    const server = await serve({ fetch: createApplication(lab, "careful", origin) }, { port });
    assertEquals(await drill.exitCode, 0, drill.output());
    await server.close();
  });

  it("ends with 1 if the application does not start in time", async () => {
    await using lab = await hallpass({ listen: true });
    const url = `http://localhost:${await findFreePort()}/`;
    const words = ["drill", "app", url, "--lab", lab.issuer, "--wait", "1ms"];
    const { code, output } = await runProgram(words);
    assertEquals(code, 1, output);
    assertMatch(output, /^http:\/\/localhost:\d+\/ cannot be reached: /m);
  });

  it("uses nothing but a lab at its port, and says what it cannot change there", async () => {
    await using app = await openApplication("careful");
    const port = new URL(app.lab.issuer).port;
    const words = ["drill", "app", `${app.origin}/`, ...some, "--port"];
    const { code, output } = await runProgram([...words, port, "--any-client"]);
    assertEquals(code, 0, output);
    assertMatch(output, /^It runs already, so --any-client has no effect on it\.$/m);
    const other = await runProgram([...words, new URL(app.origin).port]);
    assertEquals(other.code, 1, other.output);
    assertMatch(other.output, /^http:\/\/localhost:\d+ responds, and is no lab\. .*--port/m);
  });
});
