import { parseJson } from "../../../server/util/text/json.ts";
import type { Duration } from "../../../server/util/time/duration.ts";
import type { FaultOptions } from "../../faults/fault.ts";
import { LabError } from "../../util/lab_error.ts";
import { textField, withoutUndefined } from "../parts/read_form.ts";

/** A field that limits a fault, or that details what it does. */
type FaultField =
  | "client"
  | "tenant"
  | "state"
  | "loginHint"
  | "times"
  | "after"
  | "delay"
  | "status"
  | "body";

/** Reads the fault that a form describes. `name` is that of the switch that was pressed. */
export function readFaultForm(form: URLSearchParams, name: string): FaultOptions {
  const text = (field: FaultField) => textField(form, field);
  const after = readCount(text("after"), "after", "after");
  const takesResponse = name.endsWith(".response");
  const options = {
    name,
    client: text("client"),
    tenant: text("tenant"),
    state: text("state"),
    loginHint: text("loginHint"),
    times: readCount(text("times"), "the next … times", "times"),
    nth: after === undefined || after === 0 ? undefined : after + 1,
    delay: text("delay") as Duration | undefined,
    status: takesResponse ? readCount(text("status"), "status", "status") : undefined,
    body: takesResponse ? readBody(text("body")) : undefined,
  };
  return withoutUndefined(options) as FaultOptions;
}

function readCount(
  text: string | undefined,
  label: string,
  field: FaultField,
): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new LabError(`'${text}' is not a whole number, which the field '${label}' needs.`, {
    field,
  });
}

/** Reads JSON as JSON, and anything else as text. */
function readBody(text: string | undefined): unknown {
  return text === undefined ? undefined : parseJson(text) ?? text;
}
