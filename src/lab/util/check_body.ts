import { checkValue, type ObjectSchema } from "../../server/config/schema.ts";
import { LabError } from "./lab_error.ts";

/** Checks the body of a request, or the arguments of a tool, by a schema. */
export function checkBody(schema: ObjectSchema, body: Readonly<Record<string, unknown>>): void {
  const problems: string[] = [];
  checkValue(schema, body, "", (path, problem) => void problems.push(`'${path}' ${problem}`));
  if (problems.length > 0) throw new LabError(`${problems.join("; ")}.`);
}
