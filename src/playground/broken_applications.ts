import source from "../../static/playground_application.js" with { type: "text" };
import mistakes from "../../static/playground_mistakes.json" with { type: "json" };

/** A mistake that a link makes in the application. */
export interface BrokenApplication {
  /** Its name in a link. */
  name: string;
  title: string;
  /** The rule that the report of the lab names. */
  finding: string;
  /** The fault without which the lab could not notice it. */
  attack?: string;
  /** Lines of the correct application, and those that replace them. */
  from: readonly string[];
  to: readonly string[];
}

/** Where an attack begins: before the application sends its request. */
const start = "\n  // What the callback and the tokens are compared with.";

/** The mistakes, in the order in which a flow makes them. */
export const brokenApplications: readonly BrokenApplication[] = mistakes;

/** Returns the source of the application, with the mistake of a name if there is one. */
export function sourceOf(name: string): string {
  const broken = brokenApplications.find((each) => each.name === name);
  if (!broken) return source;
  const text = source.replace(broken.from.join("\n"), () => broken.to.join("\n"));
  return text.replace(start, () => attackWith(broken.attack) + start);
}

function attackWith(fault: string | undefined): string {
  if (fault === undefined) return "";
  return `
  // An attack, played by the lab: does the application notice it?
  await fetch(\`\${issuer}/lab/faults\`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ name: "${fault}", times: 1 }),
  });
`;
}
