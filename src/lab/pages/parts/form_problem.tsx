/** @jsxImportSource preact */
import type { VNode } from "preact";

interface FormProblemProps {
  /** What is wrong. Without it, nothing is shown. */
  problem: string | undefined;
  /** The name of the field that is wrong, which is its id, too. */
  invalid: string | undefined;
}

/** Shows what is wrong with a form, with a link to the field. */
export function FormProblem({ problem, invalid }: FormProblemProps): VNode | null {
  if (problem === undefined) return null;
  return (
    <p class="alert" id="problem" role="alert">
      {problem} {invalid !== undefined && <a href={`#${invalid}`}>Go to the field</a>}
    </p>
  );
}
