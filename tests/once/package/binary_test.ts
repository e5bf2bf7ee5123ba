import { assertEquals, assertMatch, assertNotMatch } from "@std/assert";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { runCommand } from "../../../scripts/child.ts";
import { binary } from "../../../scripts/downloads.ts";
import { serverAt } from "../../support/http.ts";
import { compileProgram } from "../../support/package.ts";
import { runProgram, startProgram } from "../../support/program.ts";
import { testClient } from "../../support/test_client.ts";

const minute = 60_000;

/** Bun, which compiles the program, comes from the npm registry. */
const skip = await binary("bun@1").then(
  () => false as const,
  () => "Bun cannot be fetched from the npm registry",
);

describe("The program as one file", () => {
  it("completes a flow and reports itself as healthy", { skip }, async () => {
    const command = [await compileProgram()];
    const program = await startProgram(["lab", "--port", "0"], {}, command);
    try {
      const { token_type } = await testClient().tokens(serverAt(program.issuer));
      assertEquals(token_type, "Bearer");
      const { code, output } = await runProgram(
        ["health", "--url", `${program.issuer}/health`],
        {},
        "",
        command,
      );
      assertEquals(code, 0, output);
    } finally {
      await program.stop();
    }
  });

  it("contains its pages and their files", { skip }, async () => {
    const program = await startProgram(["lab", "--port", "0"], {}, [await compileProgram()]);
    try {
      assertMatch(await (await fetch(program.issuer)).text(), /Start a flow/);
      assertMatch(await (await fetch(`${program.issuer}/static/style.css`)).text(), /body\s*\{/);
    } finally {
      await program.stop();
    }
  });

  it(
    "Q11: runs no code and reads no settings of the folder that it is started in",
    { skip },
    async () => {
      const folder = await mkdtemp(join(tmpdir(), "hallpass-cloned-"));
      try {
        await writeFile(join(folder, "bunfig.toml"), 'preload = ["./theirs.js"]\n');
        await writeFile(join(folder, "theirs.js"), 'console.log("THEIR CODE");\n');
        await writeFile(join(folder, ".env"), "HALLPASS_CONFIG=theirs.json\n");
        const binary = await compileProgram();
        for (const command of ["--version", "check"]) {
          const { output } = await runCommand([binary, command], { cwd: folder, timeout: minute });
          assertNotMatch(output, /THEIR CODE|theirs/);
        }
      } finally {
        await rm(folder, { recursive: true });
      }
    },
  );

  it("runs a command with a lab, on the runtime of the machine", { skip }, async () => {
    const script = 'cat; curl -s "$ISSUER/health"; exit 3';
    const args = ["exec", "--report", "off", "--", "sh", "-c", script];
    const binary = [await compileProgram()];
    const { code, output } = await runProgram(args, {}, "the input\n", binary);
    assertEquals(code, 3, output);
    assertMatch(output, /^the input\n\{.*"issuer":/m);
    const own = await runProgram(["exec", "--", "node", "-p", "process.execPath"], {}, "", binary);
    assertMatch(own.output, /^\/\S*node\S*$/m);
  });

  it("prints its help", { skip }, async () => {
    const { code, output } = await runProgram(["--help"], {}, "", [await compileProgram()]);
    assertEquals(code, 0);
    assertMatch(output, /^Hallpass \d+\.\d+\.\d+/);
  });
});
