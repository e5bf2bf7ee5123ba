import { parseDuration } from "../util/duration.ts";
import { isObject } from "../util/json.ts";

/** Tells a problem of a value, under the path at which the value stands. */
export type ReportProblem = (path: string, problem: string) => void;

/** Checks a value that came from outside. Every problem is told, so that they can be mended together. */
export type Shape = (value: unknown, path: string, report: ReportProblem) => void;

/** A shape for each member of a type, and for nothing else; the name of an optional member ends with a question mark. */
export type Members<T> = {
  [Name in keyof T as undefined extends T[Name] ? `${Name & string}?` : Name]-?: Shape;
};

export const text: Shape = (value, path, report) => {
  if (typeof value !== "string") report(path, "must be a text");
  else if (value === "") report(path, "must not be empty");
};

export const flag: Shape = (value, path, report) => {
  if (typeof value !== "boolean") report(path, "must be true or false");
};

export const anything: Shape = () => {};

export const callable: Shape = (value, path, report) => {
  if (typeof value !== "function") report(path, "must be a function");
};

export function numberFrom(least: number): Shape {
  return (value, path, report) => {
    if (typeof value !== "number" || !(value >= least)) {
      report(path, `must be a number of at least ${least}`);
    }
  };
}

export function oneOf(...allowed: readonly string[]): Shape {
  return (value, path, report) => {
    if (!allowed.some((choice) => choice === value)) {
      report(path, `must be one of: ${allowed.join(", ")}`);
    }
  };
}

export function either(word: string, shape: Shape): Shape {
  return (value, path, report) => value === word ? undefined : shape(value, path, report);
}

/** A text, or an object that says more. */
export function textOr(ofText: Shape, ofObject: Shape): Shape {
  return (value, path, report) =>
    (typeof value === "string" ? ofText : ofObject)(value, path, report);
}

export function listOf(item: Shape): Shape {
  return (value, path, report) => {
    if (!Array.isArray(value)) return report(path, "must be a list");
    value.forEach((entry, at) => item(entry, `${path}[${at}]`, report));
  };
}

/** An object whose names are free and whose values are alike. */
export function mapOf(item: Shape): Shape {
  return (value, path, report) => {
    if (!isObject(value)) return report(path, "must be an object");
    for (const [name, entry] of Object.entries(value)) item(entry, join(path, name), report);
  };
}

/** An object with these members and no others. */
export function object<T>(members: Members<T>): Shape {
  const shapes = Object.entries<Shape>(members);
  const names = shapes.map(([key]) => key.replace("?", ""));
  return (value, path, report) => {
    if (!isObject(value)) return report(path, "must be an object");
    for (const name of Object.keys(value)) {
      if (!names.includes(name)) {
        report(join(path, name), `is not known; known are: ${names.join(", ")}`);
      }
    }
    for (const [key, shape] of shapes) {
      const name = key.replace("?", "");
      if (value[name] !== undefined) shape(value[name], join(path, name), report);
      else if (!key.endsWith("?")) report(join(path, name), "is missing");
    }
  };
}

/** A duration, with its bounds in seconds. */
export function duration(least: number, most: number): Shape {
  return (value, path, report) => {
    const seconds = parseDuration(value);
    if (seconds === undefined) {
      return report(path, "must be a duration: seconds, or a text such as 30s, 5m, 1h, 30d");
    }
    if (seconds < least || seconds > most) {
      report(path, `must lie between ${least} and ${most} seconds`);
    }
  };
}

/** A text with one more condition. */
export function textWhere(problemOf: (value: string) => string | undefined): Shape {
  return (value, path, report) => {
    text(value, path, report);
    const problem = typeof value === "string" && value !== "" ? problemOf(value) : undefined;
    if (problem) report(path, problem);
  };
}

function join(path: string, name: string): string {
  return path === "" ? name : `${path}.${name}`;
}
