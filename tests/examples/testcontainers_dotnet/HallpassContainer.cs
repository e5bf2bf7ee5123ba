// Not compiled here: our CI has neither .NET nor Docker.
using System.Security.Cryptography;
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

    public ValueTask DisposeAsync() => container.DisposeAsync();
}
