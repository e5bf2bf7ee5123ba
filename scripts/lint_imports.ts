/// <reference lib="deno.unstable" />
/**
 * A plugin for `deno lint`: one import per module, sorted by module and then by name. Packages and
 * `node:` come first, then `../`, then `./`. `deno lint --fix` sorts.
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
  const [first] = nodes;
  const last = nodes.at(-1);
  if (!first || !last) return;
  const sorted = nodes.toSorted((a, b) => compareModules(a.source.value, b.source.value));
  const out = nodes.find((node, at) => {
    const inOrder = sortedNames(node);
    return node !== sorted[at] || namesOf(node).some((name, at) => name !== inOrder[at]);
  });
  if (!out) return;
  const message = `the import of '${out.source.value}' is out of order, or its names are`;
  const text = (node: Deno.lint.Node) => context.sourceCode.getText(node);
  const withSortedNames = (node: Declaration) => {
    const names = sortedNames(node).map(text).join(", ");
    return names === "" ? text(node) : text(node).replace(/\{[^}]*\}/, `{ ${names} }`);
  };
  context.report({
    node: out,
    message,
    fix: (fixer) =>
      fixer.replaceTextRange(
        [first.range[0], last.range[1]],
        sorted.map(withSortedNames).join("\n"),
      ),
  });
}

/** Returns the imports that name something. An import for its effects stays where it is. */
function importsIn(program: Deno.lint.Program): Declaration[] {
  return program.body
    .filter((node): node is Declaration => node.type === "ImportDeclaration")
    .filter(({ specifiers }) => specifiers.length > 0);
}

function namesOf({ specifiers }: Declaration): Deno.lint.ImportSpecifier[] {
  return specifiers.filter((each) => each.type === "ImportSpecifier");
}

function sortedNames(node: Declaration): Deno.lint.ImportSpecifier[] {
  const nameOf = ({ imported }: Deno.lint.ImportSpecifier) =>
    (imported.type === "Identifier" ? imported.name : imported.value).toLowerCase();
  return namesOf(node).toSorted((a, b) => compare(nameOf(a), nameOf(b)));
}

function compareModules(a: string, b: string): number {
  return groupOf(a) - groupOf(b) || compare(a, b);
}

function groupOf(module: string): number {
  if (module.startsWith("../")) return 1;
  return module.startsWith("./") ? 2 : 0;
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
