import { spawnSync } from "node:child_process";
import process from "node:process";

/** An example in another language, with its own tests. */
export interface LanguageExample {
  /** The folder in tests/examples. */
  folder: string;
  language: Language;
  /** The command that runs the tests. */
  command: string[];
  /** The command that fetches what the tests need, if they need something. */
  install?: string[];
  /** The examples whose helpers it uses. */
  uses?: string[];
}

/** The tools of a language. */
export interface Language {
  /** Prints its version; the number that `version` finds must be at least `atLeast`. */
  tool: string[];
  version: RegExp;
  atLeast: number;
}

/** Settings of all tools. Java optimizes little, since each of its processes is short. */
export const toolchain = {
  GOTOOLCHAIN: "local",
  JAVA_TOOL_OPTIONS: "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
};

/** Java, with Maven. */
export const java: Language = { tool: ["mvn", "-v"], version: /Java version: (\d+)/, atLeast: 17 };

/** Go, with its standard library. */
export const go: Language = { tool: ["go", "version"], version: /go1\.(\d+)/, atLeast: 24 };
const php: Language = { tool: ["php", "-v"], version: /PHP 8\.(\d+)/, atLeast: 1 };
const ruby: Language = {
  tool: ["ruby", "-e", "require 'omniauth_openid_connect'; puts RUBY_VERSION"],
  version: /^3\.(\d+)/,
  atLeast: 0,
};
/** Python, with pytest. */
export const python: Language = {
  tool: ["python3", "-m", "pytest", "--version"],
  version: /pytest (\d+)/,
  atLeast: 7,
};

const virtualEnvironment = "python3 -m venv --system-site-packages .venv && .venv/bin/pip install" +
  " -q --disable-pip-version-check --retries 1 -r requirements.txt";

const pythonPackages: Omit<LanguageExample, "folder"> = {
  language: python,
  command: [".venv/bin/python", "-m", "pytest", "-q"],
  install: ["sh", "-c", virtualEnvironment],
};

const goModules: Omit<LanguageExample, "folder"> = {
  language: go,
  command: ["go", "test", "-count=1", "./..."],
  install: ["go", "mod", "download"],
};

const maven = ["mvn", "-q", "-B", "-ntp"];
const mavenTests: Omit<LanguageExample, "folder"> = {
  language: java,
  command: [...maven, "-o", "test"],
  // Maven fetches what runs tests only when there is a class of tests.
  install: [...maven, "test", "-Dtest=*#none", "-Dsurefire.failIfNoSpecifiedTests=false"],
};

/** Clients and servers of the Model Context Protocol, with the official SDKs. */
export const mcpExamples: readonly LanguageExample[] = [
  { folder: "mcp/python", uses: ["pytest"], ...pythonPackages },
  // Its SDK requires a later version than our other examples.
  { folder: "mcp/go", uses: ["gooidc"], ...goModules, language: { ...go, atLeast: 25 } },
];

/** The examples whose tests run a lab. */
export const testedExamples: readonly LanguageExample[] = [
  // With what the language brings.
  { folder: "php", language: php, command: ["sh", "-c", "php login_test.php && php api_test.php"] },
  { folder: "ruby", language: ruby, command: ["ruby", "login_test.rb"] },
  // Helpers to copy, each with a library that is not ours.
  { folder: "pytest", ...pythonPackages },
  { folder: "gooidc", ...goModules },
  { folder: "spring", ...mavenTests },
  ...mcpExamples,
];

/** The starter for Testcontainers, which only compiles here. */
export const testcontainersJava: LanguageExample = {
  folder: "testcontainers_java",
  language: java,
  command: [...maven, "-o", "test-compile"],
  install: [...maven, "test-compile"],
};

/** The starter for Testcontainers in Python, whose types are checked here. */
export const testcontainersPython: LanguageExample = {
  ...pythonPackages,
  folder: "testcontainers_python",
  command: [".venv/bin/python", "-m", "mypy", "--strict", "."],
};

/** social-auth-core at the providers of a lab, which only `deno task suites` runs. */
export const socialAuth: LanguageExample = {
  folder: "suites/social_auth",
  uses: ["pytest"],
  ...pythonPackages,
};

export const languageExamples: readonly LanguageExample[] = [
  ...testedExamples,
  testcontainersJava,
  testcontainersPython,
];

/** Returns why the tools of a language cannot be used on this machine, or false. */
export function reasonToSkip({ tool, version, atLeast }: Language): string | false {
  const [program = "", ...args] = tool;
  const { stdout, stderr } = spawnSync(program, args, {
    encoding: "utf8",
    env: { ...process.env, GOTOOLCHAIN: "local" },
  });
  const found = version.exec(`${stdout}${stderr}`)?.[1];
  if (found === undefined) return `this machine has no '${tool.slice(0, -1).join(" ")}'`;
  return Number(found) < atLeast &&
    `'${program}' has version ${found}; version ${atLeast} is required`;
}
