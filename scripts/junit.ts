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

const entities: ReadonlyArray<readonly [entity: string, character: string]> = [
  ["&lt;", "<"],
  ["&gt;", ">"],
  ["&quot;", '"'],
  ["&apos;", "'"],
  ["&#10;", "\n"],
  ["&#27;", "\x1b"],
  // The last one, so that no text is decoded twice.
  ["&amp;", "&"],
];

/** Reads the JUnit report that Deno, Bun and Node can write. */
export function readJunit(xml: string): TestCase[] {
  // A value may hold a ">", so attributes are read quote by quote.
  const cases = xml.matchAll(
    /<testcase((?:\s+[\w:-]+="[^"]*")*)\s*(?:\/>|>([\s\S]*?)<\/testcase>)/g,
  );
  return [...cases].map(([, attributes = "", body = ""]) => ({
    // Deno names the file where the others name the class.
    file: attributeOf(attributes, "file") ?? attributeOf(attributes, "classname") ?? "",
    name: attributeOf(attributes, "name") ?? "",
    outcome: outcomeOf(body),
    message: attributeOf(body, "message") ?? "",
    details: decode(/<(?:failure|error)\b(?:[^">]|"[^"]*")*>([\s\S]*?)<\//.exec(body)?.[1] ?? "")
      .trim(),
  }));
}

function outcomeOf(body: string): TestCase["outcome"] {
  if (/<(failure|error)\b/.test(body)) return "failed";
  return /<skipped\b/.test(body) ? "skipped" : "passed";
}

function attributeOf(text: string, name: string): string | undefined {
  const value = new RegExp(`(?:^|\\s)${name}="([^"]*)"`).exec(text)?.[1];
  return value === undefined ? undefined : decode(value);
}

function decode(text: string): string {
  return entities.reduce(
    (decoded, [entity, character]) => decoded.replaceAll(entity, character),
    text,
  );
}
