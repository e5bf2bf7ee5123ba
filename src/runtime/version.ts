/** The version of the package, as in deno.json. Importing that file would bundle all of it. */
export const version = "0.1.0";
