package shop;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;

/**
 * A JUnit 5 extension: an issuer of its own for each test class, in one lab for all of them. Copy it.
 * It needs nothing but JUnit, so it fits each version of Spring Boot. {@code HALLPASS_URL} and {@code HALLPASS_LAB_TOKEN} name a lab that is already running.
 */
public class HallpassExtension implements BeforeAllCallback, AfterAllCallback, TestExecutionExceptionHandler {
    /** HTTP/1.1, because not every server accepts the upgrade to HTTP/2 with a body, which is the default. */
    private static final HttpClient HTTP = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private static String server = System.getenv("HALLPASS_URL");

    private final Map<String, Object> configuration;
    private String id;
    private String issuer;
    private String lab;
    private boolean wantsClean;

    /** Takes every setting of a tenant, such as {@code clients} and {@code users}. */
    public HallpassExtension(Map<String, Object> configuration) {
        this.configuration = configuration;
    }

    /** Returns the issuer. Spring may ask for it before JUnit calls {@code beforeAll}. */
    public synchronized String issuer() {
        if (issuer == null) {
            Map<String, Object> tenant = send("POST", server() + "/lab/tenants", configuration);
            id = textOf(tenant, "id");
            issuer = textOf(tenant, "issuer");
            lab = textOf(tenant, "lab");
        }
        return issuer;
    }

    /** Returns a token, without a flow: {@code Map.of("sub", "alice", "expiresIn", "-1m", "kind", "access")}. */
    public String mint(Map<String, Object> options) {
        return textOf(lab("/tokens", options), "token");
    }

    /** Signs a user in at an authorization URL, gives consent, and returns the callback. */
    public String authorize(String url, String user) {
        return textOf(lab("/authorize", Map.of("url", url, "user", user)), "callback");
    }

    /**
     * Calls the lab: {@code lab("/clock", Map.of("advance", "2h"))}. GET /lab/openapi.json lists all paths. The
     * response is a map or a list: {@code List<Map<String, Object>> users = lab("GET", "/users", null)}.
     */
    public <T> T lab(String path, Map<String, Object> body) {
        return lab("POST", path, body);
    }

    /** Calls the lab with another method: {@code lab("PUT", "/users/zoe", Map.of("name", "zoe"))}. */
    public <T> T lab(String method, String path, Map<String, Object> body) {
        issuer();
        return send(method, lab + path, body);
    }

    /** Fails if the client under test broke a rule. */
    public void assertClean() {
        assertClean(Map.of());
    }

    /** Fails with {@code Map.of("refused", true)} also if the client was refused. */
    public void assertClean(Map<String, Object> options) {
        wantsClean = true;
        issuer();
        var response = fetch("POST", lab + "/assert-clean", "text/plain", options);
        if (response.statusCode() != 200) throw new UncleanError(response.body());
    }

    /**
     * Returns what the lab refused, with the rule, the request, the fix and a diagram; if it refused nothing,
     * the diagrams of the newest flows.
     */
    public String explain() {
        issuer();
        var response = fetch("POST", lab + "/assert-clean", "text/plain", Map.of("refused", true));
        if (response.statusCode() == 200) response = fetch("GET", lab + "/flows", "text/plain", null);
        return response.body();
    }

    /** A test that failed by itself does not know why: the lab does. */
    @Override
    public void handleTestExecutionException(ExtensionContext context, Throwable failure) throws Throwable {
        if (failure instanceof UncleanError) throw failure;
        var seen = new UncleanError(explain());
        seen.setStackTrace(new StackTraceElement[0]); // the lines of this file explain nothing
        failure.addSuppressed(seen);
        throw failure;
    }

    /** What the lab saw, in lines of text. */
    private static final class UncleanError extends AssertionError {
        UncleanError(String text) {
            super("hallpass: " + text);
        }
    }

    /** Fails if a fault was never met, so that its test proves nothing. */
    public void assertNoIdleFaults() {
        Map<String, Object> report = lab("GET", "/report", null);
        var idle = Json.write(report.get("idleFaults"));
        if (!idle.equals("[]")) throw new AssertionError("These faults were never met: " + idle);
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        issuer();
    }

    /** Fails if the report was clean because no request reached the issuer of the class. */
    @Override
    public void afterAll(ExtensionContext context) {
        Map<String, Object> report = lab("GET", "/report", null);
        send("DELETE", server() + "/lab/tenants/" + id, Map.of());
        if (wantsClean && report.get("reached") != Boolean.TRUE) throw new AssertionError(report.get("problem"));
    }

    private static synchronized String server() {
        if (server == null) server = start();
        return server;
    }

    /** Windows does not show that a parent has ended, even if it was killed. */
    private static List<String> command() {
        var command = new ArrayList<>(List.of("hallpass", "lab", "--port", "0"));
        if (!System.getProperty("os.name").startsWith("Windows")) command.add("--with-parent");
        return command;
    }

    private static String start() {
        try {
            var process = new ProcessBuilder(command()).redirectError(ProcessBuilder.Redirect.INHERIT).start();
            Runtime.getRuntime().addShutdownHook(new Thread(process::destroy));
            var lines = process.inputReader();
            for (String line; (line = lines.readLine()) != null;) {
                if (!line.startsWith("hallpass ready ")) continue;
                var reader = new Thread(() -> lines.lines().forEach(each -> {})); // a full pipe would stop the lab
                reader.setDaemon(true);
                reader.start();
                return line.substring(line.lastIndexOf(' ') + 1);
            }
            throw new IllegalStateException("hallpass ended before it was ready");
        } catch (IOException cause) {
            throw new UncheckedIOException(cause);
        }
    }

    @SuppressWarnings("unchecked")
    private static <T> T send(String method, String url, Object body) {
        var response = fetch(method, url, "application/json", body);
        var result = Json.read(response.body());
        if (response.statusCode() == 200) return (T) result;
        throw new IllegalStateException(method + " " + url + ": " + textOf((Map<String, Object>) result, "error_description"));
    }

    private static HttpResponse<String> fetch(String method, String url, String accept, Object body) {
        try {
            var request = HttpRequest.newBuilder(URI.create(url)).header("Content-Type", "application/json").header("Accept", accept)
                .header("Authorization", "Bearer " + System.getenv().getOrDefault("HALLPASS_LAB_TOKEN", ""))
                .method(method, body == null ? HttpRequest.BodyPublishers.noBody()
                    : HttpRequest.BodyPublishers.ofString(Json.write(body)));
            return HTTP.send(request.build(), HttpResponse.BodyHandlers.ofString());
        } catch (IOException cause) {
            throw new UncheckedIOException(cause);
        } catch (InterruptedException cause) {
            throw new IllegalStateException(cause);
        }
    }

    private static String textOf(Map<String, Object> response, String name) {
        return String.valueOf(response.get(name));
    }

    /** JSON as maps, lists, strings, numbers, booleans and null, so that no library is needed. */
    static final class Json {
        private final String text;
        private int at;

        private Json(String text) {
            this.text = text;
        }

        static Object read(String text) {
            return new Json(text).value();
        }

        static String write(Object value) {
            if (value instanceof Map<?, ?> map) {
                return map.entrySet().stream().map(entry -> quote(entry.getKey()) + ":" + write(entry.getValue()))
                    .collect(Collectors.joining(",", "{", "}"));
            }
            if (value instanceof Iterable<?> list) {
                var items = new ArrayList<String>();
                list.forEach(item -> items.add(write(item)));
                return "[" + String.join(",", items) + "]";
            }
            return value == null || value instanceof Number || value instanceof Boolean ? "" + value : quote(value);
        }

        private static String quote(Object value) {
            return value.toString().chars()
                .mapToObj(c -> c < ' ' || c == '"' || c == '\\' ? String.format("\\u%04x", c) : "" + (char) c)
                .collect(Collectors.joining("", "\"", "\""));
        }

        private Object value() {
            switch (peek()) {
                case '{': return object();
                case '[': return list();
                case '"': return string();
                default: return word();
            }
        }

        private Map<String, Object> object() {
            var map = new LinkedHashMap<String, Object>();
            for (at++; peek() != '}'; skip(',')) {
                var name = string();
                skip(':');
                map.put(name, value());
            }
            at++;
            return map;
        }

        private List<Object> list() {
            var list = new ArrayList<>();
            for (at++; peek() != ']'; skip(',')) list.add(value());
            at++;
            return list;
        }

        private String string() {
            peek();
            var result = new StringBuilder();
            while (text.charAt(++at) != '"') {
                result.append(text.charAt(at) == '\\' ? escaped(text.charAt(++at)) : text.charAt(at));
            }
            at++;
            return result.toString();
        }

        private char escaped(char letter) {
            if (letter == 'u') return (char) Integer.parseInt(text.substring(at + 1, (at += 4) + 1), 16);
            var known = "bfnrt".indexOf(letter);
            return known < 0 ? letter : "\b\f\n\r\t".charAt(known);
        }

        private Object word() {
            var start = at;
            while (at < text.length() && ",]} \n\r\t".indexOf(text.charAt(at)) < 0) at++;
            var word = text.substring(start, at);
            if (word.equals("null")) return null;
            return word.equals("true") || word.equals("false") ? Boolean.valueOf(word) : new java.math.BigDecimal(word);
        }

        private char peek() {
            while (Character.isWhitespace(text.charAt(at))) at++;
            return text.charAt(at);
        }

        private void skip(char mark) {
            if (peek() == mark) at++;
        }
    }
}
