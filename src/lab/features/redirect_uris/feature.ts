import type { LabFeature } from "../../feature.ts";
import { unless } from "../../layers/layer.ts";

/** Registers the redirect URI of a refused request, with a button wherever the refusal is shown. */
export const redirectUris: LabFeature = {
  name: "redirect_uris",
  open: ({ lab, parts, isGuarded }) => ({
    layers: {
      show: unless(
        ({ request }) => request.endpoint !== "authorize" || isGuarded,
        async (exchange, next) => {
          const response = await next();
          if (response.status !== 400 || parts().config().controlApart) return response;
          const { offerOnPage } = await import("./refused_page.tsx");
          return await offerOnPage(lab(), exchange, response);
        },
      ),
    },
  }),
};
