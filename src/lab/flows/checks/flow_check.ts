/** One thing that was checked about a request or a response. */
export interface FlowCheck {
  /** What should hold: "The code verifier matches the challenge". */
  title: string;
  /** What was expected and what came, without secrets, where the check compares something. */
  expected?: string | undefined;
  came?: string | undefined;
  isPassed: boolean;
  /** The section that asks for it. */
  see: string;
  /** Who has to check it. */
  by: "server" | "client";
}

/** Shown in place of a value that did not come. */
export const nothingReceived = "nothing";

/** Makes a check that is the client's to do. */
export function clientCheck(check: Omit<FlowCheck, "by">): FlowCheck {
  return { ...check, by: "client" };
}
