/** Returns the grade for what was found, by how many rules it is about. */
export function gradeOf(violations: number, advice: number): "A" | "B" | "D" | "F" {
  if (violations > 1) return "F";
  if (violations === 1) return "D";
  return advice > 0 ? "B" : "A";
}
