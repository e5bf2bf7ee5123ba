import { assertEquals, assertMatch, assertRejects, assertStringIncludes } from "@std/assert";
import { describe, it } from "node:test";
import { ruleCatalogue } from "../../../src/lab/util/rule_catalogue.ts";
import { explain } from "../../../src/program/commands/explain_command.ts";
import { exitCodeOf, UsageError } from "../../../src/program/terminal/exit_code.ts";
import { terminalWith } from "../../support/command_line.ts";
import { hasFeature, needs } from "../../support/where_feature.ts";

/** Runs the command and returns what it prints. */
async function run(operand?: string, ...options: string[]): Promise<string> {
  const { terminal, printed } = terminalWith({});
  const values = new Map(options.map((name) => [name, ["true"]]));
  assertEquals(await explain.run({ command: "explain", operand, values }, terminal), 0);
  return printed.join("\n");
}

const ofFindings = [["plain-chalenge", "Did you mean 'plain-challenge'?"]] as const;
const ofApis = [["wrong_audiance", "Did you mean 'wrong_audience'?"]] as const;
const ofFaults = [
  ["userinfo.slow", "'userinfo.slow' is a fault, not a rule. The page /lab/faults of a lab"],
  ["id_token.expird", "Did you mean 'id_token.expired'?"],
] as const;

describe("hallpass explain", () => {
  it("prints what a rule means, its error, where it is applied, its section and how to fix a request", async () => {
    const text = await run("verifier.matches");
    assertStringIncludes(text, "verifier.matches: The code_verifier must match the code_challenge");
    assertMatch(text, /Error +invalid_grant$/m);
    assertMatch(text, /To fix it +Send the code_verifier that was created/);
    assertMatch(text, /Section +OAuth 2\.1, section 4\.1\.3/);
    assertMatch(text, /Applied at +POST \/oauth2\/token, authorization_code, as rule \d+ of \d+/);
  });

  it("explains a finding of a report", needs("report"), async () => {
    const text = await run("plain-challenge");
    assertStringIncludes(text, "plain-challenge: The code_challenge_method is not S256");
    assertMatch(text, /Finding +in the report of a lab\n +Grade +C\n/);
    assertMatch(text, /To fix it +Send code_challenge_method=S256/);
    assertMatch(text, /Why +RFC 7636, section 4\.2: “If the client is capable/);
    const { title } = JSON.parse(await run("plain-challenge", "json"));
    assertStringIncludes(text, `plain-challenge: ${title}\n`);
  });

  it("explains a check of an API", needs("api_drill"), async () => {
    const text = await run("wrong_audience");
    assertStringIncludes(text, "wrong_audience: A token for another API must be refused");
    assertMatch(text, /Otherwise +Any other API that the user's token is sent to can act here/);
    assertMatch(text, /To fix it +Require that 'aud' is, or contains, the identifier/);
    assertMatch(text, /Why +RFC 8725, section 3\.9: “The relying party/);
    const { id, title } = JSON.parse(await run("wrong_audience", "json"));
    assertStringIncludes(text, `${id}: ${title}\n`);
  });

  it("w3: explains a finding of a drill", needs("drill"), async () => {
    const text = await run("refresh.wrong_sub");
    assertMatch(
      text,
      /^refresh\.wrong_sub: .*\n\n {2}Variant +of a drill: an application must refuse/,
    );
    assertMatch(text, /Otherwise +\w.*\n {2}To fix it +\w.*\n {2}Why +OpenID Connect/);
    const { id, expectation } = JSON.parse(await run("refresh.wrong_sub", "json"));
    assertEquals([id, expectation], ["refresh.wrong_sub", "refuse"]);
  });

  const alike = [
    [
      "wrong_audience",
      "wrong-audience: An access token is sent to an audience that it does not name.",
    ],
    ["wrong-audience", "wrong_audience: A token for another API must be refused"],
  ] as const;
  for (const [name, other] of hasFeature("api_drill") && hasFeature("report") ? alike : []) {
    it(`mentions the name that differs in its separator: ${name}`, async () => {
      assertStringIncludes(await run(name), `\n  See also    ${other}`);
    });
  }

  it("lists all rules by endpoint, with their errors", async () => {
    const text = await run();
    const { places, rules } = ruleCatalogue;
    assertEquals(rules.map(({ id }) => id).filter((id) => !text.includes(`\n  ${id} `)), []);
    assertMatch(text, /^Elsewhere\n(?: {2}.+\n)* {2}api\.token /m);
    for (const { name } of places) {
      assertMatch(text, new RegExp(`^${name.replace(/[?*]/g, ".")}$`, "m"));
    }
    assertMatch(
      text,
      /^ {2}code\.known +invalid_grant +The code must be one that this server issued$/m,
    );
  });

  it("has the message of the error, if that is not the title", async () => {
    assertMatch(await run("code.known"), /Error +invalid_grant: The code is unknown, expired/);
    assertMatch(await run("redirect_uri.registered"), /Error +invalid_request\n/);
  });

  it("prints both as JSON", async () => {
    const { id, places } = JSON.parse(await run("code.known", "json"));
    assertEquals([id, places], ["code.known", ["POST /oauth2/token, authorization_code"]]);
    assertEquals(JSON.parse(await run(undefined, "json")), { ...ruleCatalogue });
  });

  for (
    const [name, what] of [["invalid_grant", "error"], ["code_verifier", "parameter"]] as const
  ) {
    it(`lists the first rules with an error or a parameter: ${name}`, async () => {
      const related = ruleCatalogue.rules.filter((rule) => rule[what] === name);
      const [title, , ...lines] = (await run(name)).split("\n");
      assertEquals(title, `${name}: the ${what} of ${related.length} rules`);
      assertMatch(lines[0] ?? "", new RegExp(`^  ${related[0]?.id} +invalid_\\w+ +[A-Z]`));
      const rest = related.length > 10
        ? [`  and ${related.length - 10} more: 'hallpass explain' lists all`]
        : [];
      assertEquals(lines.slice(10), rest);
      assertEquals(JSON.parse(await run(name, "json")).rules.length, related.length);
    });
  }

  it("suggests at most ten names", async () => {
    const { message } = await assertRejects(() => run("request.nothing.like.it"), UsageError);
    assertMatch(message, /^There is no rule .* these\? (?:[\w.-]+, ){10}and \d+ more: 'hallpass/);
  });

  for (
    const [id, help] of [
      ["code.redirect_ur", "Did you mean 'code.redirect_uri'?"],
      ["verifier", "Did you mean one of these? verifier.has_challenge, verifier.present"],
      ...hasFeature("report") ? ofFindings : [],
      ...hasFeature("api_drill") ? ofApis : [],
      ["invalid_gran", "There is no rule 'invalid_gran'."],
      ...hasFeature("faults") ? ofFaults : [],
      ["nonsense", "'hallpass explain' lists all rules."],
      ["qqqqqqqq", "'hallpass explain' lists all rules."],
    ] as const
  ) {
    it(`suggests names in place of ${id}, as an invalid command line`, async () => {
      const error = await assertRejects(() => run(id), UsageError, help);
      assertEquals(exitCodeOf(error), 2);
    });
  }
});
