/** One test in a runner's report. */
export interface TestCase {
  file: string;
  name: string;
  outcome: "passed" | "failed" | "skipped";
  /** Why the test failed or was skipped, in one line. */
  message: string;
  /** What the runner printed about a failure, such as the stack. */
  details: string;
}

const entities: Readonly<Record<string, string>> = {
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  amp: "&",
  "#10": "\n",
  "#27": "\x1b",
};

/** Reads the JUnit report that Deno, Bun and Node can write. */
export function readJunit(xml: string): TestCase[] {
  // A value may hold a ">", so attributes are read quote by quote.
  const cases = xml.matchAll(
    /<testcase((?:\s+[\w:-]+="[^"]*")*)\s*(?:\/>|>([\s\S]*?)<\/testcase>)/g,
  );
  return [...cases].map(([, attributes = "", body = ""]) => {
    const [, kind, details = ""] =
      /<(failure|error|skipped)\b(?:[^">]|"[^"]*")*>([^<]*)/.exec(body) ?? [];
    return {
      // Deno names the file where the others name the class.
      file: attributeOf(attributes, "file") ?? attributeOf(attributes, "classname") ?? "",
      name: attributeOf(attributes, "name") ?? "",
      outcome: kind === undefined ? "passed" : kind === "skipped" ? "skipped" : "failed",
      message: attributeOf(body, "message") ?? "",
      details: decode(details).trim(),
    };
  });
}

function attributeOf(text: string, name: string): string | undefined {
  const value = new RegExp(`(?:^|\\s)${name}="([^"]*)"`).exec(text)?.[1];
  return value === undefined ? undefined : decode(value);
}

function decode(text: string): string {
  return text.replaceAll(/&([\w#]+);/g, (entity, name: string) => entities[name] ?? entity);
}
