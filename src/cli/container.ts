import { stat } from "node:fs/promises";
import type { Environment } from "./environment.ts";

/** The files by which Docker and Podman mark what runs in them. */
const marks = ["/.dockerenv", "/run/.containerenv"];

/** Whether this program runs in a container. */
export async function isInContainer(environment: Environment): Promise<boolean> {
  if (environment.KUBERNETES_SERVICE_HOST) return true;
  const found = await Promise.all(marks.map((mark) => stat(mark).then(() => true, () => false)));
  return found.includes(true);
}
