import { isObject } from "../../../server/util/text/json.ts";
import { invalidParams, textContent } from "../../rpc/rpc_methods.ts";

const debugSignIn = {
  name: "debug_my_sign_in",
  title: "Debug my sign-in",
  description: "Finds out why the sign-in of an application fails, and fixes it.",
  arguments: [{
    name: "problem",
    description: "What goes wrong, or what the application shows.",
    required: false,
  }],
};

export const prompts: readonly object[] = [debugSignIn];

/** What to do, in order: the skill of the package has it as well. */
export const steps = `Find out why the sign-in of this application fails, and fix it.

1. Call flows. If there is none, the application does not reach the lab: call connect_app, and
   compare its lines with the configuration of the application.
2. Call sign_in_as with a user, start the login of the application, and call explain without
   arguments. It names the rule, what was expected and received, and the fix.
3. Change the application, not the lab. Repeat step 2 until a flow ends with tokens.
4. Call report, and fix what it finds from F to C. If the application runs here, call drill_app,
   with the URLs for refresh and logout that it has, and fix what it finds, F and D first. Repeat
   both until no F, D or C is left.`;

export function getPrompt({ name, arguments: args }: Record<string, unknown>): object {
  if (name !== debugSignIn.name) {
    throw invalidParams(`Unknown prompt: '${String(name)}'. Prompts: ${debugSignIn.name}.`);
  }
  const problem = isObject(args) && typeof args.problem === "string" ? args.problem : "";
  const text = problem === "" ? steps : `${steps}\n\nThe problem: ${problem}`;
  return {
    description: debugSignIn.description,
    messages: [{ role: "user", content: textContent(text) }],
  };
}
