import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { describe, it } from "node:test";
import { runCommandLine } from "../../support/command_line.ts";
import { needs } from "../../support/where_feature.ts";

describe("An invalid command line", () => {
  const cases: Array<[args: string[], says: RegExp]> = [
    [["fly"], /no command 'fly'/],
    [["lab", "--fly"], /no option '--fly'/],
    [["lab", "9000"], /takes no argument/],
    [["lab", "--port"], /--port needs a value/],
    [["lab", "--port", "70000"], /--port must be a port/],
    [["lab", "--port=x"], /--port must be a port/],
    [["lab", "--issuer", "ftp://x"], /--issuer must be an http or https URL/],
    [["lab", "--store", "mysql:x"], /--store must be memory, sqlite:PATH, postgres:/],
    [["lab", "--alg", "none"], /--alg must be one of RS256/],
    [["lab", "--expose=1"], /--expose takes no value/],
    [["lab", "--expose", "--port", "0"], /--expose needs --lab-token/],
    [["lab", "--host", "0.0.0.0", "--port", "0"], /add --expose and --lab-token/],
    [
      ["lab", "--port", "0", "--lab-token", "short"],
      /^--lab-token must have at least 16 characters; create one with: openssl rand -hex 16$/m,
    ],
    [["lab", "--cert", "x"], /TLS needs both/],
    [
      ["lab", "--redirect-uri", "javascript:x", "--port", "0"],
      /^--redirect-uri has the forbidden scheme 'javascript:': javascript:x$/m,
    ],
    [["lab", "--tls", "--cert", "x", "--key", "y", "--port", "0"], /remove it, or --cert and/],
    [["serve", "--tls"], /no option '--tls'/],
    [["lab", "--redirect-uri", "--port", "0"], /--redirect-uri needs a value/],
    [["lab", "--sign-in", "--port", "0"], /--sign-in needs a value: NAME/],
    [["lab", "--sign-in", "mallory", "--port", "0"], /signIn names 'mallory'.*alice, bob, carol/],
    [["serve", "--sign-in", "alice"], /no option '--sign-in'/],
    [["serve", "--sign-in-by-hint"], /no option '--sign-in-by-hint'/],
    [["lab", "--cert", "deno.json", "--key", "deno.json"], /holds no certificate in PEM/],
    [["--port"], /--port needs a value/],
    [["serve"], /needs a configuration/],
    [["serve", "--expose"], /no option '--expose'/],
    [["serve", "--config", "/nothing/here.json"], /cannot be read/],
    [["token", "alice", "--port", "0"], /^Port 0 stands for any free port: name that of the lab/],
  ];
  for (const [args, says] of cases) {
    it(`is explained: hallpass ${args.join(" ")}`, async () => {
      const { code, output } = await runCommandLine(args);
      assertEquals(code, 2, output);
      assertMatch(output, says);
      assert(!output.includes("    at "), output);
    });
  }

  const address = "http://ada:hunter2@id.example";
  const withPassword: Array<[args: string, variables: Record<string, string>, says: string]> = [
    ["client add x --secret hunter2", {}, "--secret takes no value."],
    ["lab", { HALLPASS_ISSUER: "htp://ada:hunter2@id.example" }, "htp://…@id.example"],
    ["lab", { HALLPASS_ISSUER: "ada:hunter2@id.example" }, "URL: …@id.example"],
    ["lab", { HALLPASS_ISSUER: address }, "issuer must be written as 'http://id.example'"],
    ["lab", { HALLPASS_STORE: "postgresql//ada:hunter2@db" }, "HALLPASS_STORE must be memory"],
    [`lab --redirect-uri ${address}`, {}, "contains user information: http://…@id.example"],
    [`lab --drill-origin ${address}`, {}, "such as http://app:3000: http://…@id.example"],
    [`lab --provider ${address}`, {}, "There is no provider 'http://…@id.example'"],
    ["check", { HALLPASS_CONFIG_JSON: '{"store":"sqlit:hunter2"}' }, "The store must be memory"],
  ];
  for (const [args, variables, says] of withPassword) {
    const needed = { "--drill-origin": "drill", "--provider": "providers" };
    const options = needs(
      ...Object.entries(needed).flatMap(([option, name]) => args.includes(option) ? [name] : []),
    );
    it(`never repeats a password: ${args} ${Object.keys(variables)}`, options, async () => {
      const { code, output } = await runCommandLine(args.split(" "), variables);
      assertEquals([code !== 0, output.includes("hunter2")], [true, false], output);
      assertStringIncludes(output, says);
    });
  }
});
