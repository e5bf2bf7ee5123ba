import type { Context, PartOf } from "./context.ts";

/**
 * Declares a part that each server has once, and makes when it is first needed: tables, budgets, the
 * settings of a feature. Call it at the top level of a module: a part is known by its function.
 */
export function serverPart<Part>(create: (ctx: Context) => Part): (ctx: Context) => Part {
  return (ctx) => ctx.partOf(create);
}

/** Creates the function that keeps the parts of a server, each by the function that makes it. */
export function createPartOf(ctx: () => Context): PartOf {
  const parts = new Map<unknown, unknown>();
  return <Part>(create: (ctx: Context) => Part) => {
    if (!parts.has(create)) parts.set(create, create(ctx()));
    // The entry of a function is what the function returned.
    return parts.get(create) as Part;
  };
}
