import mcp from "../../../../static/guides/mcp.md" with { type: "text" };
import client from "../../../../static/guides/testing_a_client.md" with { type: "text" };
import api from "../../../../static/guides/testing_an_api.md" with { type: "text" };

export { api, client, mcp };
