import { assert, assertEquals, assertMatch } from "@std/assert";
import { spawnSync } from "node:child_process";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { present } from "../../support/present.ts";
import { startProgram } from "../../support/program.ts";
import { casesOfToday } from "../../support/turn.ts";
import { prepareExample, runExample } from "./language_example.ts";
import { testedExamples } from "./languages.ts";

/** A test suite with a helper. */
interface HelperSuite {
  folder: string;
  file: string;
  command: string[];
  /** The suite, which mints a token and asks whether the report is clean. */
  asked: string;
}

const helperSuites: readonly HelperSuite[] = [
  {
    folder: "pytest",
    file: "test_minted.py",
    command: ["python3", "-m", "pytest", "-q", "test_minted.py"],
    asked: `def test_mints(hallpass):
    hallpass.mint("alice")
    hallpass.assert_clean()
`,
  },
  {
    folder: "gooidc",
    file: "hallpass/minted_test.go",
    command: ["go", "test", "./hallpass"],
    asked: `package hallpass
import ("os"; "testing")
func TestMain(m *testing.M) { os.Exit(Run(m)) }
func TestMints(t *testing.T) {
	issuer := New(t, nil)
	issuer.Mint(Object{"sub": "alice"})
	issuer.AssertClean()
}
`,
  },
  {
    folder: "php",
    file: "minted_test.php",
    command: ["php", "minted_test.php"],
    asked: `<?php
require 'Hallpass.php';
$hallpass = Hallpass::open();
$hallpass->mint(['sub' => 'alice']);
$hallpass->assertClean();
Hallpass::assertReached();
`,
  },
];

/** A test that fails before it asks the lab for anything: its client sends an unknown code. */
interface FailingTest {
  folder: string;
  file: string;
  command: string[];
  text: string;
}

const form = "grant_type=authorization_code&client_id=demo-spa&code=x";

const failingTests: readonly FailingTest[] = [
  {
    folder: "pytest",
    file: "test_fails.py",
    command: ["python3", "-m", "pytest", "-q", "test_fails.py"],
    text: `from urllib.request import urlopen
def test_redeems(hallpass):
    urlopen(f"{hallpass.url}/oauth2/token", b"${form}")
`,
  },
  {
    folder: "gooidc",
    file: "hallpass/fails_test.go",
    command: ["go", "test", "-run", "TestRedeems", "./hallpass"],
    text: `package hallpass
import ("strings"; "testing")
func TestRedeems(t *testing.T) {
	issuer := New(t, nil)
	form := strings.NewReader("${form}")
	response, _ := issuer.Client().Post(issuer.URL+"/oauth2/token", "application/x-www-form-urlencoded", form)
	if response.StatusCode != 200 { t.Fatal("no token") }
}
`,
  },
  {
    folder: "php",
    file: "FailsTest.php",
    command: ["phpunit", "FailsTest.php"],
    text: `<?php
require 'Hallpass.php';
final class FailsTest extends PHPUnit\\Framework\\TestCase {
    use WithHallpass;
    public function testRedeems(): void {
        $hallpass = $this->openHallpass();
        $type = 'Content-Type: application/x-www-form-urlencoded';
        $http = ['method' => 'POST', 'header' => $type, 'content' => '${form}'];
        $this->assertNotFalse(@file_get_contents("$hallpass->url/oauth2/token", false, stream_context_create(['http' => $http])));
    }
}
`,
  },
  {
    folder: "ruby",
    file: "fails_test.rb",
    command: ["ruby", "fails_test.rb"],
    text: `require 'minitest/autorun'
require_relative 'hallpass'
class FailsTest < Minitest::Test
  include Hallpass::InTests
  def test_redeems
    response = Net::HTTP.post(URI("#{open_hallpass.url}/oauth2/token"), '${form}')
    assert_equal '200', response.code
  end
end
`,
  },
  {
    folder: "spring",
    file: "src/test/java/shop/FailsTest.java",
    command: ["mvn", "-q", "-B", "-ntp", "-o", "test", "-Dtest=FailsTest"],
    text: `package shop;
import java.net.URI;
import java.net.http.*;
import java.util.Map;
import org.junit.jupiter.api.*;
import org.junit.jupiter.api.extension.RegisterExtension;
class FailsTest {
    @RegisterExtension static HallpassExtension hallpass = new HallpassExtension(Map.of());
    @Test void redeems() throws Exception {
        var http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        var request = HttpRequest.newBuilder(URI.create(hallpass.issuer() + "/oauth2/token"))
            .header("Content-Type", "application/x-www-form-urlencoded")
            .POST(HttpRequest.BodyPublishers.ofString("${form}")).build();
        Assertions.assertEquals(200, http.send(request, HttpResponse.BodyHandlers.ofString()).statusCode());
    }
}
`,
  },
];

/** What only PHPUnit runs, which is a package of its own. */
const hasPhpunit = spawnSync("phpunit", ["--version"]).status === 0;

const prepared = await Promise.all(testedExamples.map(prepareExample));

describe("A test suite in another language", () => {
  for (const example of casesOfToday(prepared, 5)) {
    const { folder, skip } = example;
    it(`passes with the lab of tests/examples/${folder}`, { skip }, async () => {
      const { code, output } = await runExample(example);
      assertEquals(code, 0, output);
    });
  }

  it("is shorter in Spring than with mock-oauth2-server", async () => {
    const folder = "tests/examples/spring/src/test/java/shop";
    const lines = async (file: string) =>
      (await readFile(`${folder}/${file}`, "utf8")).split("\n").length;
    assert(await lines("ShopTest.java") < await lines("before/MockOAuth2ServerTest.java"));
  });

  it("needs nothing but Java and JUnit for the helper in Java", async () => {
    const helper = "tests/examples/spring/src/test/java/shop/HallpassExtension.java";
    const imports = (await readFile(helper, "utf8")).match(/^import .*;$/gm) ?? [];
    assert(imports.length > 0);
    assertEquals(
      imports.filter((line) => !/^import (java\.|org\.junit\.jupiter\.)/.test(line)),
      [],
    );
  });

  for (const { folder, file, command, asked } of helperSuites) {
    const example = present(prepared.find((each) => each.folder === folder));
    const { skip } = example;
    it(
      `Z3: fails at its end if its report is clean about nothing: ${folder}`,
      { skip },
      async () => {
        const path = join(example.place, file);
        const run = async (text: string) => {
          await writeFile(path, text);
          return await runExample({ ...example, command });
        };
        const failed = await run(asked);
        const passed = await run(asked.replace(/.*assert_?clean.*\n/i, ""));
        await rm(path);
        assertMatch(failed.output, /No request reached this lab\./);
        assertEquals([failed.code === 0, passed.code], [false, 0], failed.output + passed.output);
      },
    );
  }

  for (const { folder, file, command, text } of failingTests) {
    const example = present(prepared.find((each) => each.folder === folder));
    const isMissing = command[0] === "phpunit" && !hasPhpunit;
    const skip = isMissing ? "this machine has no 'phpunit'" : example.skip;
    it(`explains a test that failed before it asked: ${folder}`, { skip }, async () => {
      const path = join(example.place, file);
      await writeFile(path, text);
      const { code, output } = await runExample({ ...example, command });
      await rm(path);
      assert(code !== 0, output);
      assertMatch(output, /refused code\.known \(client demo-spa\): invalid_grant: The code is/);
      assertMatch(
        output,
        /\n\s*At POST \/oauth2\/token, request 1\. .*\n\s*Send the code unchanged/,
      );
    });
  }

  const suite = present(prepared[0]);
  it("uses a running lab with its token", { skip: suite.skip }, async () => {
    const token = "a-token-of-32-letters-and-digits";
    const lab = await startProgram(["lab", "--port", "0", "--lab-token", token]);
    const env = { HALLPASS_URL: lab.issuer };
    const { code, output } = await runExample(suite, { ...env, HALLPASS_LAB_TOKEN: token });
    const { output: refused } = await runExample(suite, env);
    await lab.stop();
    assertEquals(code, 0, output);
    assertMatch(refused, /HTTP Error 401|Send the lab's token/);
  });
});
