/** Whether a path belongs to the interface of a lab over HTTP. */
export function isControl(path: string): boolean {
  return path === "/lab" || path.startsWith("/lab/");
}
