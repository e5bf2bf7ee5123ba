import { knownParameter } from "./parameter_names.ts";
import type { Rule } from "./rule.ts";

export const kilobyte = 1024;

export const maxParameters = 256;

export const maxValueLength = 16 * kilobyte;

export const parametersAreFew: Rule<number> = {
  id: "form.count",
  title: `The request has at most ${maxParameters} parameters`,
  see: "OAuth 2.1, section 3.1",
  error: "invalid_request",
  message: `The request has more than ${maxParameters} parameters.`,
  advice: "Send only the parameters that the request needs.",
  holds: (count) => count <= maxParameters,
};

export const parametersAreEncoded: Rule<ReadonlyArray<string | undefined>> = {
  id: "form.encoding",
  title: "The parameters are percent-encoded UTF-8",
  see: "OAuth 2.1, appendix B",
  error: "invalid_request",
  message: "The parameters must be percent-encoded UTF-8 without null characters.",
  advice: "Encode the parameters with a library, such as URLSearchParams.",
  holds: (decoded) => !decoded.includes(undefined),
};

export const parametersAreShort: Rule<ReadonlyArray<string | undefined>> = {
  id: "form.length",
  title: `No parameter is longer than ${maxValueLength} characters`,
  see: "OAuth 2.1, section 3.1",
  error: "invalid_request",
  message: `A parameter is longer than ${maxValueLength} characters.`,
  advice: "Send shorter values.",
  holds: (decoded) => decoded.every((text = "") => text.length <= maxValueLength),
};

export const parametersAreUnique: Rule<{ repeated: string | undefined }> = {
  id: "form.unique",
  title: "No parameter is sent more than once",
  see: "OAuth 2.1, section 3.1",
  parameterIn: ({ repeated = "" }) => knownParameter(repeated),
  error: "invalid_request",
  message: ({ repeated = "" }) => {
    const name = knownParameter(repeated);
    const subject = name === undefined ? "A parameter" : `The parameter '${name}'`;
    return `${subject} was sent more than once.`;
  },
  advice: "Send each parameter once.",
  holds: ({ repeated }) => repeated === undefined,
  came: ({ repeated }) =>
    repeated === undefined ? "each parameter once" : `'${repeated}' more than once`,
};

/** A parameter that is stored, how long it is, and how long it may be, in characters. */
export interface MeasuredParameter {
  name: string;
  length: number;
  maxLength: number;
}

export const parametersFit: Rule<MeasuredParameter | undefined> = {
  id: "form.stored_length",
  title: "No stored parameter is too long",
  see: "OAuth 2.1, section 3.1",
  error: "invalid_request",
  parameterIn: (long) => long?.name,
  message: (long) => `The parameter '${long?.name}' is longer than ${long?.maxLength} characters.`,
  advice: "Send a shorter value.",
  holds: (long) => long === undefined,
};

/** A required parameter, and the section that requires it. */
export interface RequiredParameter {
  parameter: string;
  /** The endpoint, if another one requires a parameter of the same name. */
  at?: string;
  see: string;
  advice?: string;
}

/** Creates the rule that a request has a parameter. */
export function presenceRule(
  { parameter, at, see, advice = `Send the parameter '${parameter}'.` }: RequiredParameter,
): Rule<string | undefined> {
  return {
    id: at === undefined ? `${parameter}.present` : `${at}.${parameter}`,
    title: `The request has the parameter '${parameter}'`,
    see,
    parameter,
    error: "invalid_request",
    message: `The parameter '${parameter}' is missing.`,
    advice,
    holds: (value) => value !== undefined,
  };
}
