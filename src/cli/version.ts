/** The version of the package, as deno.json has it; a build would take all of deno.json along. */
export const version = "0.1.0";
