/// <reference lib="deno.unstable" />
/**
 * A plugin for `deno lint`: one import per module, sorted by module and then by name. Packages and
 * `node:` come first, then `../`, then `./`. `deno lint --fix` sorts.
 */

type Declaration = Deno.lint.ImportDeclaration;

/** Modules and names are compared by their code points, names without regard to case. */
interface ImportedModule {
  module: string;
  names: readonly string[];
}

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
  const message = orderProblem(nodes.map(toImportedModule));
  const [first] = nodes;
  const last = nodes.at(-1);
  if (message === undefined || !first || !last) return;
  const text = (node: Deno.lint.Node) => context.sourceCode.getText(node);
  context.report({
    node: first,
    message,
    fix: (fixer) =>
      fixer.replaceTextRange([first.range[0], last.range[1]], sortedText(nodes, text)),
  });
}

/** Returns the imports that name something. An import for its effects stays where it is. */
function importsIn(program: Deno.lint.Program): Declaration[] {
  return program.body
    .filter((node): node is Declaration => node.type === "ImportDeclaration")
    .filter(({ specifiers }) => specifiers.length > 0);
}

function toImportedModule({ source, specifiers }: Declaration): ImportedModule {
  return {
    module: source.value,
    names: specifiers.filter(({ type }) => type === "ImportSpecifier").map(nameOf),
  };
}

function nameOf(specifier: Declaration["specifiers"][number]): string {
  if (specifier.type !== "ImportSpecifier") return specifier.local.name;
  const { imported } = specifier;
  return imported.type === "Identifier" ? imported.name : imported.value;
}

/** Returns the first thing that is out of order, or undefined. */
function orderProblem(imports: readonly ImportedModule[]): string | undefined {
  for (const [at, { module, names }] of imports.entries()) {
    const before = imports[at - 1]?.module;
    if (before !== undefined && compareModules(before, module) > 0) {
      return `'${module}' comes before '${before}'`;
    }
    const name = names.find((name, at) => at > 0 && compareNames(names[at - 1] ?? "", name) > 0);
    if (name !== undefined) return `'${name}' is out of order in the import of '${module}'`;
  }
  return undefined;
}

function compareModules(a: string, b: string): number {
  return groupOf(a) - groupOf(b) || compare(a, b);
}

function groupOf(module: string): number {
  if (module.startsWith("../")) return 1;
  return module.startsWith("./") ? 2 : 0;
}

function compareNames(a: string, b: string): number {
  return compare(a.toLowerCase(), b.toLowerCase());
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function sortedText(
  nodes: readonly Declaration[],
  text: (node: Deno.lint.Node) => string,
): string {
  return nodes
    .toSorted((a, b) => compareModules(a.source.value, b.source.value))
    .map((node) => withSortedNames(node, text))
    .join("\n");
}

function withSortedNames(
  node: Declaration,
  text: (node: Deno.lint.Node) => string,
): string {
  const named = node.specifiers.filter(({ type }) => type === "ImportSpecifier");
  if (named.length === 0) return text(node);
  const names = named
    .toSorted((a, b) => compareNames(nameOf(a), nameOf(b)))
    .map(text)
    .join(", ");
  return text(node).replace(/\{[^}]*\}/, `{ ${names} }`);
}
