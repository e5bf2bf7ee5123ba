<?php
declare(strict_types=1);

/**
 * An issuer of its own for each test, in one lab for all of them. Copy it; it needs PHP alone, with
 * any test runner. HALLPASS_URL and HALLPASS_LAB_TOKEN name a lab that is already running.
 */
final class Hallpass
{
    private static ?string $server = null;

    /** @var resource|null the lab; it ends when PHP closes it */
    private static $process = null;

    /** @var array<int, resource> */
    private static array $pipes = [];

    /** Whether a test has asked for a clean report. */
    private static bool $wantsClean = false;

    private function __construct(
        public readonly string $url,
        private readonly string $lab,
        private readonly string $tenant,
    ) {
    }

    /**
     * Opens an issuer, with the settings of a tenant: `Hallpass::open(['clients' => [...]])`.
     *
     * @param array<string, mixed> $settings
     */
    public static function open(array $settings = []): self
    {
        self::$server ??= getenv('HALLPASS_URL') ?: self::start();
        $tenant = self::send('POST', self::$server . '/lab/tenants', $settings);
        $path = self::$server . '/lab/tenants/' . $tenant['id'];
        return new self($tenant['issuer'], $tenant['lab'], $path);
    }

    /** Removes the issuer. */
    public function close(): void
    {
        self::send('DELETE', $this->tenant);
    }

    /**
     * Calls the lab: `$hallpass->lab('/clock', ['advance' => '2h'])`, or with another method:
     * `$hallpass->lab('/users/zoe', ['name' => 'zoe'], 'PUT')`. GET /lab/openapi.json lists all paths.
     *
     * @param array<string, mixed> $body
     */
    public function lab(string $path, array $body = [], string $method = 'POST'): mixed
    {
        return self::send($method, "$this->lab$path", $body);
    }

    /**
     * Returns a token, without a flow: `$hallpass->mint(['sub' => 'alice', 'expiresIn' => '-1m'])`.
     *
     * @param array<string, mixed> $options
     */
    public function mint(array $options): string
    {
        return $this->lab('/tokens', $options)['token'];
    }

    /** Signs a user in at an authorization URL, gives consent, and returns the callback. */
    public function authorize(string $url, string $user): string
    {
        return $this->lab('/authorize', ['url' => $url, 'user' => $user])['callback'];
    }

    /**
     * Fails if the client under test broke a rule; with `['refused' => true]`, also if it was refused.
     *
     * @param array<string, bool> $options
     */
    public function assertClean(array $options = []): void
    {
        self::$wantsClean = true;
        $this->lab('/assert-clean', $options);
    }

    /** After the last test: fails if a report was clean because no request reached the lab. */
    public static function assertReached(): void
    {
        $report = self::$wantsClean ? self::send('GET', self::$server . '/lab/report') : [];
        if (isset($report['problem'])) {
            throw new RuntimeException($report['problem']);
        }
    }

    /** Fails if a fault was never met, so that its test proves nothing. */
    public function assertNoIdleFaults(): void
    {
        $idle = $this->lab('/report', method: 'GET')['idleFaults'];
        if ($idle !== []) {
            throw new RuntimeException('These faults were never met: ' . json_encode($idle));
        }
    }

    private static function start(): string
    {
        // Without the log, because a full pipe would stop the lab.
        $command = ['hallpass', 'lab', '--port', '0', '--log-level', 'error'];
        if (PHP_OS_FAMILY !== 'Windows') {
            $command[] = '--with-parent'; // Windows does not show that PHP was killed
        }
        self::$process = proc_open($command, [1 => ['pipe', 'w'], 2 => STDERR], self::$pipes);
        register_shutdown_function(static fn () => proc_terminate(self::$process));
        while (($line = fgets(self::$pipes[1])) !== false) {
            if (str_starts_with($line, 'hallpass ready ')) {
                return trim(strrchr($line, ' '));
            }
        }
        throw new RuntimeException('hallpass ended before it was ready');
    }

    /** @param array<string, mixed> $body */
    private static function send(string $method, string $url, array $body = []): mixed
    {
        $headers = ['Content-Type: application/json'];
        if ($token = getenv('HALLPASS_LAB_TOKEN')) {
            $headers[] = "Authorization: Bearer $token";
        }
        $http = ['method' => $method, 'header' => $headers, 'ignore_errors' => true];
        if ($method !== 'GET' && $method !== 'DELETE') {
            $http['content'] = json_encode((object) $body, JSON_THROW_ON_ERROR);
        }
        $text = file_get_contents($url, false, stream_context_create(['http' => $http]));
        if ($text === false || !str_contains($http_response_header[0], ' 200')) {
            throw new RuntimeException("hallpass: $text");
        }
        return json_decode($text, true, flags: JSON_THROW_ON_ERROR);
    }
}
