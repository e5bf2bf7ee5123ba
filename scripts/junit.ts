/** One test as a runner reported it. */
export interface TestCase {
  file: string;
  name: string;
  outcome: "passed" | "failed" | "skipped";
  /** What a failure says, or why a test was skipped. */
  message: string;
}

/** Reads the report that Deno, Bun and Node all can write. */
export function readJunit(xml: string): TestCase[] {
  // A value may hold a ">", so attributes are read quote by quote.
  const cases = xml.matchAll(
    /<testcase((?:\s+[\w:-]+="[^"]*")*)\s*(?:\/>|>([\s\S]*?)<\/testcase>)/g,
  );
  return [...cases].map(([, attributes, body = ""]) => ({
    // Deno writes the file where the others write the class.
    file: attribute(attributes, "file") ?? attribute(attributes, "classname") ?? "",
    name: attribute(attributes, "name") ?? "",
    outcome: outcomeOf(body),
    message: attribute(body, "message") ?? "",
  }));
}

function outcomeOf(body: string): TestCase["outcome"] {
  if (/<(failure|error)\b/.test(body)) return "failed";
  return /<skipped\b/.test(body) ? "skipped" : "passed";
}

function attribute(text: string, name: string): string | undefined {
  const value = new RegExp(`(?:^|\\s)${name}="([^"]*)"`).exec(text)?.[1];
  return value?.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"')
    .replaceAll("&apos;", "'").replaceAll(
      "&amp;",
      "&",
    );
}
