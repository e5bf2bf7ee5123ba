import type { UserConfig } from "../../../server/config/user_config.ts";
import type { ClientConfig } from "../../../server/features.ts";
import type { HeadlessBrowser } from "../../browser/headless_browser.ts";
import { LabError } from "../../util/lab_error.ts";
import { continueAfterLogin } from "./after_login.ts";
import { createApplicationBrowser } from "./application_browser.ts";
import {
  checkSignedOut,
  type DrillApplication,
  logIn,
  type LoginTools,
} from "./application_login.ts";
import type { DrilledLogin } from "./drill.ts";
import { drillAccess } from "./drill_access.ts";
import type { WatchedLab } from "./watch_lab.ts";

/** The parts of a lab that the login of an application needs. */
export interface DrilledLab extends WatchedLab {
  readonly handsFreeUser: string | undefined;
  readonly users: { list(): readonly UserConfig[] };
  readonly clients: { list(): readonly ClientConfig[] };
  browser(): HeadlessBrowser;
}

/** Returns the login of an application, after it has been checked that it can be drilled. */
export async function prepareLogin(
  lab: DrilledLab,
  application: DrillApplication,
  origins: readonly string[],
): Promise<DrilledLogin> {
  const tools = loginTools(lab, origins);
  const checked = checkApplication(lab, application);
  await checkSignedOut(checked, tools);
  return async (variant) => {
    const signedIn = await logIn(checked, tools);
    await continueAfterLogin(checked, signedIn, variant);
  };
}

function checkApplication(lab: DrilledLab, application: DrillApplication): DrillApplication {
  const { start, check, refresh, logout, user, password } = application;
  for (const [name, value] of Object.entries({ start, check, refresh, logout })) {
    if (name !== "start" && value === undefined) continue;
    if (typeof value !== "string" || !URL.canParse(value)) {
      throw new LabError(`The '${name}' of a drill must be a URL of your application.`);
    }
  }
  const anyone = lab.handsFreeUser === undefined ? lab.users.list()[0]?.name : undefined;
  return { start, check, refresh, logout, user: user ?? anyone, password };
}

/** Allows visits only to applications on this machine, or of a configured origin. */
function loginTools(lab: DrilledLab, origins: readonly string[]): LoginTools {
  const { settings } = lab.context;
  return {
    openBrowser: () =>
      createApplicationBrowser({
        fetch: settings.fetch,
        now: Date.now,
        ...drillAccess(lab.context, origins),
      }),
    openLabBrowser: () => lab.browser(),
  };
}
