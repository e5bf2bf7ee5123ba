/// <reference lib="deno.unstable" />
/**
 * A plugin for `deno lint` that reports where one line of code can be broken, and how: each message
 * is a {@linkcode Breakage} as JSON. It is a lint rule because `deno lint` reads our syntax.
 */

/** A change of one line that a test should notice. */
export interface Breakage {
  /** What was done to the code, as in "=== became !==". */
  what: string;
  /** Where the text stood, in UTF-16 code units. */
  range: readonly [start: number, end: number];
  /** The text that replaces it. */
  text: string;
}

/** The operators that are exchanged. */
const operators = new Map([
  ["===", "!=="],
  ["!==", "==="],
  ["<", "<="],
  ["<=", "<"],
  [">", ">="],
  [">=", ">"],
  ["&&", "||"],
  ["||", "&&"],
]);

/** The methods that are exchanged. */
const methods = new Map([
  ["every", "some"],
  ["some", "every"],
  ["min", "max"],
  ["max", "min"],
  ["startsWith", "endsWith"],
]);

type Expression = Deno.lint.Expression;

const plugin: Deno.lint.Plugin = {
  name: "mutants",
  rules: { breakage: { create: visitor } },
};

export default plugin;

function visitor(context: Deno.lint.RuleContext): Deno.lint.LintVisitor {
  const textOf = (node: Deno.lint.Node) => context.sourceCode.getText(node);
  const report = (node: Deno.lint.Node, breakage: Breakage) => {
    const [start, end] = breakage.range;
    if (context.sourceCode.text.slice(start, end).includes("\n")) return;
    context.report({ node, message: JSON.stringify(breakage) });
  };
  const replace = (node: Deno.lint.Node, what: string, text: string) =>
    report(node, { what, range: node.range, text });
  const exchange = (node: Deno.lint.BinaryExpression | Deno.lint.LogicalExpression) => {
    const text = operators.get(node.operator);
    if (text === undefined) return;
    // Only the operator is replaced, so that parentheses stay as they are.
    const start = context.sourceCode.text.indexOf(node.operator, node.left.range[1]);
    const range = [start, start + node.operator.length] as const;
    report(node, { what: `${node.operator} became ${text}`, range, text });
  };
  const decide = (test: Expression) => {
    replace(test, "the condition became false", "false");
    replace(test, "the condition became true", "true");
  };
  return {
    BinaryExpression: exchange,
    LogicalExpression: exchange,
    IfStatement: ({ test }) => decide(test),
    ConditionalExpression: ({ test }) => decide(test),
    UnaryExpression: (node) => {
      if (node.operator === "!") replace(node, "the negation is gone", textOf(node.argument));
    },
    Literal: (node) => {
      if (typeof node.value !== "boolean" || node.parent.type === "TSLiteralType") return;
      replace(node, `${node.value} became ${!node.value}`, String(!node.value));
    },
    ExpressionStatement: (node) => {
      if (isCall(node.expression)) replace(node, "the call is gone", "void 0;");
    },
    ThrowStatement: (node) => replace(node, "the error is gone", "void 0;"),
    MemberExpression: ({ property }) => {
      const name = property.type === "Identifier" ? property.name : "";
      const text = methods.get(name);
      if (text !== undefined) replace(property, `${name} became ${text}`, text);
    },
  };
}

function isCall(node: Expression): boolean {
  return node.type === "AwaitExpression" ? isCall(node.argument) : node.type === "CallExpression";
}
