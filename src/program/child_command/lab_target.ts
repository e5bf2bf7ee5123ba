/** Where a command finds its lab. */
export interface LabTarget {
  issuer: string;
  /** The port on which the lab listens. */
  port: number;
  /** The address of the lab's interface over HTTP. */
  lab: string;
  /** The file with the certificate to trust, if the lab made one. */
  ca: string | undefined;
  /** The number of the job, counted from 1. */
  job: number;
}

/** The names of the placeholders, and what they mean. */
export const placeholders: Readonly<Record<keyof LabTarget, string>> = {
  issuer: "the issuer identifier of the lab",
  port: "the port on which the lab listens",
  lab: "the address of the lab's interface over HTTP",
  ca: "the file with the certificate to trust (--tls)",
  job: "the number of the job: 1, 2, …",
};

const placeholder = new RegExp(`\\{(${Object.keys(placeholders).join("|")})\\}`, "g");

/** Replaces the placeholders in a text. */
export function fillIn(text: string, target: LabTarget): string {
  return text.replace(placeholder, (_, name: keyof LabTarget) => String(target[name] ?? ""));
}

/** Returns why a text has a placeholder that nothing replaces, or undefined. */
export function placeholderProblem(text: string): string | undefined {
  const names = Object.keys(placeholders);
  const unknown = [...text.matchAll(/\{([A-Za-z]\w*)\}/g)].find(([, name = ""]) =>
    !names.includes(name)
  );
  if (!unknown) return undefined;
  return `has the unknown placeholder ${unknown[0]}; there are ${
    names.map((name) => `{${name}}`).join(", ")
  }`;
}

/** Whether a text has a placeholder that leads to the lab. */
export function namesLab(text: string): boolean {
  return [...text.matchAll(placeholder)].some(([, name]) => name !== "job" && name !== "ca");
}
