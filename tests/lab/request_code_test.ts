import { assertEquals } from "@std/assert";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { codeOf } from "../../src/lab/client_role/request_code.ts";
import type { RoleRequest } from "../../src/lab/client_role/role_request.ts";
import { unescape } from "../support/browser.ts";
import { openLabKit } from "../support/kit.ts";
import { present } from "../support/present.ts";

const hostile = `"'\\ $(id) \`id\` \${x} #{x} %s é 🎫 </script>`;

const post: RoleRequest = {
  method: "POST",
  url: "https://hallpass.test/oauth2/token",
  headers: { "content-type": "application/x-www-form-urlencoded", authorization: "Basic d2ViOnM=" },
  form: new URLSearchParams({ grant_type: "authorization_code", code: hostile }),
};

const get: RoleRequest = {
  method: "GET",
  url: "https://hallpass.test/oauth2/userinfo",
  headers: { authorization: "Bearer token" },
  form: new URLSearchParams(),
};

function textIn(language: string, request: RoleRequest): string {
  return present(codeOf(request).find((each) => each.language === language)).text;
}

/** Runs a syntax check of a program, if this machine has the tool. */
function check(tool: string, args: string[], file: string, text: string): void {
  const folder = mkdtempSync(join(tmpdir(), "code-"));
  try {
    writeFileSync(join(folder, file), text);
    execFileSync(tool, args, { cwd: folder, stdio: "pipe" });
  } catch (cause) {
    if (!(cause instanceof Error && "code" in cause && cause.code === "ENOENT")) throw cause;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe("A request as code", () => {
  it("is shown at the end of a flow, in five languages", async () => {
    const kit = openLabKit();
    const browser = kit.browser();
    const languagesIn = (html: string) =>
      [...html.matchAll(/<details name="[\w-]+" id="[\w-]*code-?[\w-]*-(\w+)"/g)].map(([, each]) =>
        each
      );
    const all = ["curl", "fetch", "Python", "Go", "Java"];
    const callback = await browser.authorize(`${kit.issuer}/start?client_id=demo-web`);
    const end = unescape(await (await browser.request(callback)).text());
    assertEquals(languagesIn(end), all);
    const code = present(new URL(callback).searchParams.get("code"));
    assertEquals(end.split(JSON.stringify(code)).length - 1, 4);
  });

  it("is the same request in JavaScript", async () => {
    const sent: Array<[string, RequestInit]> = [];
    const fetch = (url: string, init: RequestInit) => {
      sent.push([url, init]);
      return { status: 200, text: () => "" };
    };
    const run = (text: string) =>
      new Function("fetch", "console", `return (async () => { ${text} })()`)(fetch, { log() {} });
    for (const request of [post, get]) await run(textIn("fetch", request));
    const [[url, init] = [], [, without] = []] = sent;
    assertEquals([url, init?.method], [post.url, "POST"]);
    assertEquals(init?.headers, { authorization: "Basic d2ViOnM=" });
    assertEquals(String(init?.body), String(post.form));
    assertEquals([without?.method, without?.body], ["GET", undefined]);
  });

  for (const [kind, request] of [["POST", post], ["GET", get]] as const) {
    it(`is a valid program in Python: ${kind}`, () => {
      const parse = "import ast; ast.parse(open('request.py').read())";
      check("python3", ["-c", parse], "request.py", textIn("Python", request));
    });

    it(`is formatted as Go is, and valid: ${kind}`, () => {
      check("gofmt", ["-e", "-l", "request.go"], "request.go", textIn("Go", request));
    });
  }
});
