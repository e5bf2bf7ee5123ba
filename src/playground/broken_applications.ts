import source from "../../static/playground_application.js" with { type: "text" };
import attack from "../../static/playground_attack.js" with { type: "text" };
import mistakes from "../../static/playground_mistakes.json" with { type: "json" };

/** Where an attack begins: before the application sends its request. */
const start = "\n  // What the callback and the tokens are compared with.";

/**
 * The mistakes that links make in the application, in the order in which a flow makes them: each with
 * the rule that the report names, and the fault without which the lab could not notice it.
 */
export const brokenApplications = mistakes;

/** Returns the source of the application, with the mistake of a name if there is one. */
export function sourceOf(name: string): string {
  const broken = brokenApplications.find((each) => each.name === name);
  if (!broken) return source;
  const text = source.replace(broken.from.join("\n"), () => broken.to.join("\n"));
  if (broken.attack === undefined) return text;
  const indented = attack.replace("{fault}", broken.attack).replaceAll(/^(?=.)/gm, "  ");
  return text.replace(start, () => `\n${indented}${start}`);
}

/** Returns the lines of a source that are its mistake; undefined if it has none. */
export function mistakeIn(name: string): { line: number; count: number } | undefined {
  const broken = brokenApplications.find((each) => each.name === name);
  if (!broken) return undefined;
  const wrong = broken.to.filter((line) => !broken.from.includes(line));
  const lines = sourceOf(name).split("\n");
  return { line: lines.indexOf(wrong[0] ?? "") + 1, count: wrong.length };
}
