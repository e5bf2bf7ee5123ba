/** @jsxImportSource preact */
import type { VNode } from "preact";
import { type Grade, gradeMeanings } from "../grades.ts";

/** The letter of a grade, with its meaning for screen readers. */
export function GradeMark({ grade }: { grade: Grade | undefined }): VNode {
  if (grade === undefined) return <span class="grade" role="img" aria-label="No grade">–</span>;
  return (
    <span class={`grade grade-${grade.toLowerCase()}`} role="img" aria-label={`Grade ${grade}`}>
      {grade}
    </span>
  );
}

/** Explains how grading works. */
export function GradeKey(): VNode {
  return (
    <details class="grade-key" id="grade-key">
      <summary>How grading works</summary>
      <dl class="pairs">
        {Object.entries(gradeMeanings).map(([grade, meaning]) => (
          <div>
            <dt>
              <GradeMark grade={grade as Grade} />
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <p class="help">
        The grade of a client is for the requests it sent; that of an application, for what it
        accepted in its drill. A client that got no token has no grade, unless it is refused or
        breaks a rule. A refused request is no violation: the client noticed, or will. Advice never
        makes a report unclean, and neither do requests that were refused because of a fault.
      </p>
    </details>
  );
}
