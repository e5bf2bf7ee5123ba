import { type FormParameters, parseParameters } from "../protocol/form_parameters.ts";
import type { ApplyRule } from "../protocol/rule.ts";
import { parseJson } from "../util/text/json.ts";
import { memoize } from "../util/values/memoize.ts";
import type { IncomingRequest } from "./incoming_request.ts";
import { bodyRules } from "./received_body.ts";

/** The types of requests are few, and long ones are not remembered. */
const maxRememberedTypes = 100;

const typeOf = memoize(readMediaType, maxRememberedTypes);

const utf8 = /^charset=(?:utf-8|"utf-8")$/;

/** A request whose body is decoded by rules. One that was made elsewhere decodes it as it likes. */
interface RuledBody extends IncomingRequest {
  text(apply?: ApplyRule): Promise<string>;
}

/** A request, and how rules are applied to it. */
interface RuledRequest {
  readonly request: RuledBody;
  readonly apply: ApplyRule;
}

/** Reads the parameters of the query string. */
export function readQuery({ request, apply }: RuledRequest): FormParameters {
  return parseParameters(apply, new URL(request.url).search.slice(1));
}

/** Reads the parameters of a form (OAuth 2.1, section 3.2.2). */
export async function readForm({ request, apply }: RuledRequest): Promise<FormParameters> {
  apply(bodyRules.form, mediaType(request));
  return parseParameters(apply, await request.text(apply));
}

/** Reads a JSON document. */
export async function readJson({ request, apply }: RuledRequest): Promise<unknown> {
  apply(bodyRules.json_type, mediaType(request));
  const value = parseJson(await request.text(apply));
  apply(bodyRules.json, value);
  return value;
}

/** Returns the media type of a body without parameters, or "" if its charset is not UTF-8. */
export function mediaType({ headers }: Pick<IncomingRequest, "headers">): string {
  return typeOf(headers.get("Content-Type") ?? "");
}

function readMediaType(header: string): string {
  const [type = "", ...parameters] = header.toLowerCase().split(";").map((part) => part.trim());
  const charsets = parameters.filter((parameter) => parameter.startsWith("charset="));
  return charsets.every((charset) => utf8.test(charset)) ? type : "";
}
