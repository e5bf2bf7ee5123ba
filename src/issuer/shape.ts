import { parseDuration } from "./duration.ts";

/** Tells a problem of a value, under the path at which the value stands. */
export type Report = (path: string, problem: string) => void;

/** Checks a value that came from outside. Every problem is told, so that nobody mends them one at a time. */
export type Shape = (value: unknown, path: string, report: Report) => void;

export const text: Shape = (value, path, report) => {
  if (typeof value !== "string" || value === "") report(path, "must be a text");
};

export const flag: Shape = (value, path, report) => {
  if (typeof value !== "boolean") report(path, "must be true or false");
};

export const anything: Shape = () => {};

export const callable: Shape = (value, path, report) => {
  if (typeof value !== "function") report(path, "must be a function");
};

export function oneOf(...allowed: readonly string[]): Shape {
  return (value, path, report) => {
    if (!allowed.some((choice) => choice === value)) report(path, `must be one of: ${allowed.join(", ")}`);
  };
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
    for (const [name, entry] of Object.entries(value)) item(entry, `${path}.${name}`, report);
  };
}

/** An object with these members and no others; those without a question mark must be there. */
export function object(members: Record<string, Shape>): Shape {
  const names = Object.keys(members).map((name) => name.replace("?", ""));
  return (value, path, report) => {
    if (!isObject(value)) return report(path, "must be an object");
    for (const name of Object.keys(value)) {
      if (!names.includes(name)) report(join(path, name), `is not known; known are: ${names.join(", ")}`);
    }
    for (const [key, shape] of Object.entries(members)) {
      const name = key.replace("?", "");
      if (value[name] !== undefined) shape(value[name], join(path, name), report);
      else if (!key.endsWith("?")) report(join(path, name), "is missing");
    }
  };
}

export function duration(least: number, most: number): Shape {
  return (value, path, report) => {
    const seconds = parseDuration(value);
    if (seconds === undefined) return report(path, "must be a duration: seconds, or a text such as 30s, 5m, 1h, 30d");
    if (seconds < least || seconds > most) report(path, `must lie between ${least} and ${most} seconds`);
  };
}

/** A shape with one more condition, told in words. */
export function where(shape: Shape, problemOf: (value: string) => string | undefined): Shape {
  return (value, path, report) => {
    shape(value, path, report);
    const problem = typeof value === "string" ? problemOf(value) : undefined;
    if (problem) report(path, problem);
  };
}

function join(path: string, name: string): string {
  return path === "" ? name : `${path}.${name}`;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
