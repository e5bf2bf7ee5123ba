import { assertEquals, assertMatch } from "@std/assert";
import { spawnSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { describe, it } from "node:test";
import { runCommand } from "../../../scripts/child.ts";
import { binary } from "../../../scripts/downloads.ts";
import { hallpass } from "../../../src/lab/testing/mod.ts";
import { inFolder } from "../../support/folder.ts";
import { casesOfToday } from "../../support/turn.ts";

/** A client in another process, which trusts the authority in `lab.pem`. */
interface TrustingClient {
  name: string;
  /** A program that must be on this machine. */
  tool?: string;
  files: Record<string, string>;
  /** A shell command. `$NODE`, `$BUN` and `$DENO` are the runtimes, `$URL` is what it fetches. */
  command: string;
}

/** The first run of a compiler is slow, in milliseconds. */
const timeout = 120_000;

const script = "console.log(await (await fetch(process.env.URL)).text());";

const clients: TrustingClient[] = [
  {
    name: "Node",
    files: { "get.mjs": script },
    command: 'NODE_EXTRA_CA_CERTS=lab.pem "$NODE" get.mjs',
  },
  {
    name: "Bun",
    files: { "get.mjs": script },
    command: 'NODE_EXTRA_CA_CERTS=lab.pem "$BUN" get.mjs',
  },
  {
    name: "Deno",
    files: { "get.mjs": `import process from "node:process"; ${script}` },
    command: 'DENO_CERT=lab.pem "$DENO" run --allow-net --allow-env get.mjs',
  },
  {
    name: "Go",
    tool: "go",
    files: {
      "get.go": `package main
import ("fmt"; "io"; "net/http"; "os")
func main() {
	response, err := http.Get(os.Getenv("URL"))
	if err != nil { panic(err) }
	body, _ := io.ReadAll(response.Body)
	fmt.Println(string(body))
}
`,
    },
    command: "SSL_CERT_FILE=lab.pem GOTOOLCHAIN=local go run get.go",
  },
  {
    name: "Java",
    tool: "keytool",
    files: {
      "Get.java": `import java.net.URI; import java.net.http.*;
class Get { public static void main(String[] args) throws Exception {
  var request = HttpRequest.newBuilder(URI.create(System.getenv("URL"))).build();
  System.out.println(HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString()).body());
} }
`,
    },
    command:
      "keytool -importcert -noprompt -alias lab -file lab.pem -keystore lab.p12 -storepass changeit && " +
      "JAVA_TOOL_OPTIONS='-Djavax.net.ssl.trustStore=lab.p12 -Djavax.net.ssl.trustStorePassword=changeit' java Get.java",
  },
  {
    name: "Python",
    tool: "python3",
    files: {
      "get.py":
        "import os, urllib.request\nprint(urllib.request.urlopen(os.environ['URL']).read().decode())\n",
    },
    command: "SSL_CERT_FILE=lab.pem python3 get.py",
  },
  { name: "curl", tool: "curl", files: {}, command: 'CURL_CA_BUNDLE=lab.pem curl -sS "$URL"' },
];

function reasonToSkip({ tool }: TrustingClient): string | false {
  const found = tool === undefined || spawnSync("which", [tool]).status === 0;
  return !found && `this machine has no ${tool}`;
}

describe("The authority of a lab with TLS", () => {
  for (const client of casesOfToday(clients, 4)) {
    it(`is trusted by ${client.name}`, { skip: reasonToSkip(client) }, async () => {
      await using lab = await hallpass({ listen: true, tls: true });
      const { code, output } = await run(client, lab.ca ?? "", `${lab.issuer}/health`);
      assertEquals(code, 0, output);
      assertMatch(output, /"status":"ok"/);
    });
  }

  it("is not trusted in place of another lab's", async () => {
    await using lab = await hallpass({ listen: true, tls: true });
    await using other = await hallpass({ listen: true, tls: true });
    const [client] = clients;
    if (!client) throw new Error("There is no client.");
    const { code } = await run(client, other.ca ?? "", `${lab.issuer}/health`);
    assertEquals(code, 1);
  });
});

async function run({ files, command }: TrustingClient, ca: string, url: string) {
  return await inFolder(async (folder) => {
    for (const [name, text] of Object.entries({ ...files, "lab.pem": ca })) {
      await writeFile(join(folder, name), text);
    }
    const env = {
      URL: url,
      NODE: await binary("node@24"),
      BUN: await binary("bun@1"),
      DENO: process.env.HALLPASS_TEST_DENO ?? process.execPath,
    };
    return await runCommand(["sh", "-c", command], { cwd: folder, env, timeout });
  });
}
