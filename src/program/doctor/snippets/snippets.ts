import type { Site } from "../deployment.ts";
import { backupService, backupTimer } from "./backup_snippets.ts";
import { compose, kubernetes } from "./container_snippets.ts";
import { caddy, nginx } from "./proxy_snippets.ts";
import { systemd } from "./systemd_snippets.ts";

/** Each kind of file that `doctor --print` knows, and what writes it. */
export const snippets: Readonly<Record<string, (site: Site) => string>> = {
  nginx,
  caddy,
  systemd,
  "backup-service": backupService,
  "backup-timer": backupTimer,
  compose,
  kubernetes,
};
