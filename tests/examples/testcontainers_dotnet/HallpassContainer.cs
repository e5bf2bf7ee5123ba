// Not compiled here: our CI has neither .NET nor Docker.
using System.Net.Http.Headers;
using System.Security.Cryptography;
using System.Text;
using System.Text.Json;
using DotNet.Testcontainers.Builders;
using DotNet.Testcontainers.Containers;

/// <summary>A lab in a container, at the same address for the tests, the browser and its own tokens. Copy it.</summary>
public sealed class HallpassContainer : IAsyncDisposable
{
    private readonly IContainer container;

    public string Issuer { get; }

    /// <summary>What calls of the lab's interface need: <c>Authorization: Bearer TOKEN</c>.</summary>
    public string LabToken { get; } = Convert.ToHexString(RandomNumberGenerator.GetBytes(16));

    /// <param name="configuration">What a configuration file would hold: <c>new { signIn = "alice" }</c>.</param>
    public HallpassContainer(string image, int port = 9000, object? configuration = null)
    {
        Issuer = $"http://localhost:{port}";
        container = new ContainerBuilder()
            .WithImage(image)
            .WithPortBinding(port, port)
            .WithEnvironment("HALLPASS_CONFIG_JSON", JsonSerializer.Serialize(configuration ?? new { }))
            .WithEnvironment("HALLPASS_ISSUER", Issuer)
            .WithEnvironment("HALLPASS_PORT", port.ToString())
            .WithEnvironment("HALLPASS_HOST", "0.0.0.0")
            .WithEnvironment("HALLPASS_EXPOSE", "yes")
            .WithEnvironment("HALLPASS_LAB_TOKEN", LabToken)
            .WithWaitStrategy(Wait.ForUnixContainer().UntilMessageIsLogged("hallpass ready "))
            .Build();
    }

    public Task StartAsync(CancellationToken cancellation = default) => container.StartAsync(cancellation);

    /// <summary>Fails if the client under test broke a rule, with the rule, the request, the fix and a diagram.</summary>
    /// <param name="refused">Whether a refused request fails, too.</param>
    public async Task AssertCleanAsync(bool refused = false)
    {
        var (isClean, why) = await AskAsync(HttpMethod.Post, "/assert-clean", JsonSerializer.Serialize(new { refused }));
        if (!isClean) throw new InvalidOperationException($"hallpass: {why}");
    }

    /// <summary>
    /// What the lab refused, or else the newest flows, as text to print when a test has failed: in
    /// NUnit's TearDown, xUnit's DisposeAsync or MSTest's TestCleanup.
    /// </summary>
    public async Task<string> ExplainAsync()
    {
        var (isClean, why) = await AskAsync(HttpMethod.Post, "/assert-clean", "{\"refused\": true}");
        return isClean ? (await AskAsync(HttpMethod.Get, "/flows")).Text : why;
    }

    private async Task<(bool IsFine, string Text)> AskAsync(HttpMethod method, string path, string? body = null)
    {
        using var http = new HttpClient();
        using var request = new HttpRequestMessage(method, $"{Issuer}/lab{path}");
        request.Headers.Accept.ParseAdd("text/plain");
        request.Headers.Authorization = new AuthenticationHeaderValue("Bearer", LabToken);
        if (body is not null) request.Content = new StringContent(body, Encoding.UTF8, "application/json");
        using var response = await http.SendAsync(request);
        var text = await response.Content.ReadAsStringAsync();
        return (response.IsSuccessStatusCode, text);
    }

    public ValueTask DisposeAsync() => container.DisposeAsync();
}
