import { LabError } from "../../util/lab_error.ts";

/** Thrown if no response of the application arrives in time. */
export class NoResponseError extends LabError {}

/** Thrown if none arrives at all. */
export class UnreachableError extends NoResponseError {}

/** Returns the error of an application that did not respond, if that is what ended a step. */
export function noResponseIn(cause: unknown): NoResponseError | undefined {
  const causes = cause instanceof LabError ? [cause, cause.cause] : [];
  return causes.find((each) => each instanceof NoResponseError);
}
