/// <reference lib="deno.unstable" />
/**
 * A plugin for `deno lint`: one import per module, sorted by module. Packages and `node:` come first,
 * then `../`, then `./`. `deno lint --fix` sorts them, and `deno fmt` the names in each.
 */

type Declaration = Deno.lint.ImportDeclaration;

const plugin: Deno.lint.Plugin = {
  name: "imports",
  rules: {
    "one-per-module": { create: (context) => ({ Program: (node) => checkModules(context, node) }) },
    sorted: { create: (context) => ({ Program: (node) => checkOrder(context, node) }) },
  },
};

export default plugin;

function checkModules(context: Deno.lint.RuleContext, program: Deno.lint.Program): void {
  const modules = new Set<string>();
  for (const node of importsIn(program)) {
    const module = node.source.value;
    if (modules.has(module)) {
      context.report({ node, message: `'${module}' is imported twice; write one import` });
    }
    modules.add(module);
  }
}

function checkOrder(context: Deno.lint.RuleContext, program: Deno.lint.Program): void {
  const nodes = importsIn(program);
  const sorted = nodes.toSorted((a, b) => compareModules(a.source.value, b.source.value));
  const out = nodes.find((node, at) => node !== sorted[at]);
  const [first] = nodes;
  const last = nodes.at(-1);
  if (!out || !first || !last) return;
  context.report({
    node: out,
    message: `'${out.source.value}' is imported out of order`,
    fix: (fixer) =>
      fixer.replaceTextRange(
        [first.range[0], last.range[1]],
        sorted.map((node) => context.sourceCode.getText(node)).join("\n"),
      ),
  });
}

/** Returns the imports that name something. An import for its effects stays where it is. */
function importsIn(program: Deno.lint.Program): Declaration[] {
  return program.body
    .filter((node): node is Declaration => node.type === "ImportDeclaration")
    .filter(({ specifiers }) => specifiers.length > 0);
}

function compareModules(a: string, b: string): number {
  const isBefore = groupOf(a) - groupOf(b) || (a < b ? -1 : 1);
  return a === b ? 0 : isBefore;
}

function groupOf(module: string): number {
  if (module.startsWith("../")) return 1;
  return module.startsWith("./") ? 2 : 0;
}
