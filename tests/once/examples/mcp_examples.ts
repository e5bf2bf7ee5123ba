import type { Language, LanguageExample } from "./language_example.ts";

export const python: Language = {
  tool: ["python3", "-m", "pytest", "--version"],
  version: /pytest (\d+)/,
  atLeast: 7,
};
export const go: Language = { tool: ["go", "version"], version: /go1\.(\d+)/, atLeast: 24 };

const virtualEnvironment = "python3 -m venv --system-site-packages .venv && .venv/bin/pip install" +
  " -q --disable-pip-version-check --retries 1 -r requirements.txt";

/** How to run an example in Python that needs packages. */
export const pythonPackages: Omit<LanguageExample, "folder"> = {
  language: python,
  command: [".venv/bin/python", "-m", "pytest", "-q"],
  install: ["sh", "-c", virtualEnvironment],
};

export const goTest: string[] = ["go", "test", "-count=1", "./..."];

/** How to run an example in Go that needs modules. */
export const goModules: Omit<LanguageExample, "folder"> = {
  language: go,
  command: goTest,
  install: ["go", "mod", "download"],
};

/** Clients and servers of the Model Context Protocol, with the official SDKs. */
export const mcpExamples: readonly LanguageExample[] = [
  { folder: "mcp/python", uses: ["pytest"], ...pythonPackages },
  // Its SDK requires a later version than our other examples.
  { folder: "mcp/go", uses: ["gooidc"], ...goModules, language: { ...go, atLeast: 25 } },
];
