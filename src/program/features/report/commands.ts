/** Returns the ids of the findings of a report, and what explains one. */
export async function findingRules() {
  const { rules } = await import("../../../lab/features/report/report.ts");
  return {
    names: rules.map(({ id }) => id),
    /** A finding is about what a client does; the server refuses no request because of it. */
    explain(name: string) {
      const { find: _, ...rule } = rules.find(({ id }) => id === name)!;
      return {
        value: rule,
        title: `${name}: ${rule.title}`,
        facts: [
          ["Finding", `${rule.level}, in the report of a lab`],
          ["To fix it", rule.fix],
          ["Section", rule.see],
        ] as const,
      };
    },
  };
}
