import { toCurl } from "../flows/curl.ts";
import type { RoleRequest } from "./role_request.ts";

/** A program that sends a request. */
export interface RequestCode {
  language: string;
  text: string;
}

type Pairs = ReadonlyArray<readonly [name: string, value: string]>;

/** Returns programs that send a request, in the languages that clients are often written in. */
export function codeOf(request: RoleRequest): RequestCode[] {
  return [
    { language: "curl", text: toCurl({ ...request, body: request.form.toString() }) },
    { language: "fetch", text: toFetch(request) },
    { language: "Python", text: toPython(request) },
    { language: "Go", text: toGo(request) },
    { language: "Java", text: toJava(request) },
  ];
}

/** The form's own content type is what these libraries send by themselves. */
function headersOf({ headers }: RoleRequest): Pairs {
  return Object.entries(headers).filter(([name]) => name !== "content-type");
}

function toFetch(request: RoleRequest): string {
  const { method, url, form } = request;
  const headers = headersOf(request);
  return [
    `const response = await fetch(${quote(url)}, {`,
    `  method: ${quote(method)},`,
    ...block(
      "  headers: {",
      headers.map(([name, value]) => `    ${member(name)}: ${quote(value)},`),
      "  },",
    ),
    ...block(
      "  body: new URLSearchParams({",
      [...form].map(([name, value]) => `    ${member(name)}: ${quote(value)},`),
      "  }),",
    ),
    "});",
    "console.log(response.status, await response.text());",
  ].join("\n");
}

function toPython(request: RoleRequest): string {
  const { method, url, form } = request;
  const entries = (pairs: Pairs) =>
    pairs.map(([name, value]) => `        ${quote(name)}: ${quote(value)},`);
  return [
    "import requests",
    "",
    `response = requests.${method.toLowerCase()}(`,
    `    ${quote(url)},`,
    ...block("    headers={", entries(headersOf(request)), "    },"),
    ...block("    data={", entries([...form]), "    },"),
    ")",
    "print(response.status_code, response.text)",
  ].join("\n");
}

function toGo(request: RoleRequest): string {
  const { method, url, form } = request;
  const hasForm = form.size > 0;
  const packages = ["fmt", "io", "net/http", ...hasForm ? ["net/url", "strings"] : []];
  const body = hasForm ? "strings.NewReader(form.Encode())" : "nil";
  const header = ([name, value]: readonly [string, string]) =>
    `\trequest.Header.Set(${quote(name)}, ${quote(value)})`;
  return [
    "package main",
    "",
    ...block("import (", packages.map((each) => `\t${quote(each)}`), ")"),
    "",
    "func main() {",
    ...block(
      "\tform := url.Values{",
      [...form].map(([name, value]) => `\t\t${quote(name)}: {${quote(value)}},`),
      "\t}",
    ),
    `\trequest, err := http.NewRequest(${quote(method)}, ${quote(url)}, ${body})`,
    ...goCheck,
    ...Object.entries(request.headers).map(header),
    "\tresponse, err := http.DefaultClient.Do(request)",
    ...goCheck,
    "\tdefer response.Body.Close()",
    "\tbody, err := io.ReadAll(response.Body)",
    ...goCheck,
    "\tfmt.Println(response.StatusCode, string(body))",
    "}",
  ].join("\n");
}

const goCheck = ["\tif err != nil {", "\t\tpanic(err)", "\t}"];

function toJava(request: RoleRequest): string {
  const { method, url, form, headers } = request;
  const body = form.size > 0 ? "BodyPublishers.ofString(form)" : "BodyPublishers.noBody()";
  return [
    "import java.net.URI;",
    "import java.net.URLEncoder;",
    "import java.net.http.HttpClient;",
    "import java.net.http.HttpClient.Version;",
    "import java.net.http.HttpRequest;",
    "import java.net.http.HttpRequest.BodyPublishers;",
    "import java.net.http.HttpResponse.BodyHandlers;",
    "import java.nio.charset.StandardCharsets;",
    "",
    "class SendRequest {",
    "  public static void main(String[] args) throws Exception {",
    ...javaForm([...form]),
    `    var request = HttpRequest.newBuilder(URI.create(${quote(url)}))`,
    ...Object.entries(headers).map(([name, value]) =>
      `        .header(${quote(name)}, ${quote(value)})`
    ),
    `        .method(${quote(method)}, ${body})`,
    "        .build();",
    "    // Java asks to upgrade http to HTTP/2, and Deno refuses that of a request with a body.",
    "    var client = HttpClient.newBuilder().version(Version.HTTP_1_1).build();",
    "    var response = client.send(request, BodyHandlers.ofString());",
    '    System.out.println(response.statusCode() + " " + response.body());',
    "  }",
    ...form.size > 0 ? javaEncode : [],
    "}",
  ].join("\n");
}

function javaForm(pairs: Pairs): string[] {
  if (pairs.length === 0) return [];
  const fields = pairs.map(([name, value]) => `field(${quote(name)}, ${quote(value)})`);
  return ['    var form = String.join("&",', `        ${fields.join(",\n        ")});`];
}

const javaEncode = [
  "",
  "  static String field(String name, String value) {",
  '    return name + "=" + URLEncoder.encode(value, StandardCharsets.UTF_8);',
  "  }",
];

/** Lines between an opening and a closing one, unless there are none. */
function block(open: string, lines: readonly string[], close: string): string[] {
  return lines.length === 0 ? [] : [open, ...lines, close];
}

/** JSON's strings are those of all of these languages. */
function quote(text: string): string {
  return JSON.stringify(text);
}

function member(name: string): string {
  return /^[a-z_]\w*$/i.test(name) ? name : quote(name);
}
