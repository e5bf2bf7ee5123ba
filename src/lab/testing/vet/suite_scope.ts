/** A group of tests, such as a `describe` block. */
export interface SuiteScope {
  name: string;
  parent?: SuiteScope | undefined;
}

/** Whether a scope is another one, or contains it. */
export function contains(outer: SuiteScope, inner: SuiteScope): boolean {
  for (let scope: SuiteScope | undefined = inner; scope; scope = scope.parent) {
    if (scope === outer) return true;
  }
  return false;
}

/** Returns the name of a test with those of the groups around it. */
export function fullName({ name, parent }: SuiteScope): string {
  return parent === undefined || parent.name === "" ? name : `${fullName(parent)} > ${name}`;
}
